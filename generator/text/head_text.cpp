// What the head of an emitted file tells: the plan, its costs, and what its launch needs.
#include <sstream>

#include "expression.hpp"
#include "kernel_text.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/trigonometric.hpp"
#include "table_sizes.hpp"

namespace sonoma {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string comment_lines(const std::string& lines, const std::string& indent) {
  std::istringstream stream(lines);
  std::string text;
  for (std::string line; std::getline(stream, line);) text += concat("//", indent, line, "\n");
  return text;
}

unsigned count_of_passes(const Pass& pass) {
  const auto lengths = static_cast<unsigned>(pass.part->lengths.size());
  return pass.part->convolution ? 2 * lengths - 1 : lengths;
}

// A formula for what a range of the tables holds.
struct TableText {
  const KernelIr& ir;

  std::string w(std::int64_t length) const {
    return std::string("w = exp(") + (ir.direction == Direction::forward ? "-" : "+") +
           "2 pi i / " + std::to_string(length) + ")";
  }

  std::pair<TableRange, std::string> operator()(const op::LoadMatrix& op) const {
    return {op.table, "DFT matrix of radix " + number(op.radix) +
                          (op.words ? " as complex halves" : " times 2^10 in two halves") +
                          ", as fragments"};
  }
  std::pair<TableRange, std::string> operator()(const op::Twiddle& op) const {
    const auto& radices = ir.schedule.shape.tree.decomposition.radices;
    std::int64_t length = ir.schedule.pass.halves() * ir.schedule.pass.tree_columns();
    const unsigned end = end_of_axis(ir.schedule.digits, op.step);
    for (std::size_t s = op.step; s < end; ++s) length *= radices[s];
    const std::string step = number(op.step + 1);
    static constexpr const char* exponents[] = {" (t + 15 m / 2)", " t", " 15 m / 2"};
    const bool centre = op.factors != op::StepFactors::twiddles;
    const std::string m =
        centre ? "m = " + std::to_string(length / radices[op.step]) + ", " : std::string();
    return {op.table, "after step " + step + ": w^(k" + step +
                          exponents[static_cast<int>(op.factors)] + "), " + m + w(length) +
                          (op.from != Twiddles::table ? ", those others are products of" : "") +
                          (op.exponent != 0 ? ", times 2^" + std::to_string(op.exponent) : "") +
                          (ir.schedule.pass.halves() > 1 ? ", of t even and odd" : "")};
  }
  std::pair<TableRange, std::string> operator()(const op::Chirp& op) const {
    const bool shared = op.last && !ir.schedule.whole_chirp();
    return {shared ? TableRange{} : op.table,
            std::string("chirp w(t) = exp(") + (ir.direction == Direction::forward ? "-" : "+") +
                "pi i t^2 / " + std::to_string(ir.schedule.pass.n()) + ")" +
                chirp_power(ir.schedule, op.last)};
  }
  std::pair<TableRange, std::string> operator()(const op::Spectrum& op) const {
    return {op.table, std::string("DFT of ") +
                          (ir.schedule.pass.by_powers ? "w^(g^-q), but 1 for frequency 0"
                                                      : "the conjugate chirp") +
                          " over its length" +
                          (op.exponent != 0 ? ", times 2^" + std::to_string(op.exponent) : "")};
  }
  std::pair<TableRange, std::string> operator()(const op::ReadPowers& op) const {
    return {op.table, "of each thread g^q / n as a fraction of 2^32, g = " + number(op.root) +
                          ", and where its transform begins"};
  }
  std::pair<TableRange, std::string> mirrored(const TableRange& table) const {
    const std::string sign = ir.direction == Direction::forward ? "-" : "+";
    const Pass& pass = ir.schedule.pass;
    if (turns_numbers(pass)) {
      return {table, std::string("of points k to the middle: w^k, ") +
                         (pass.is_mirrored(true) ? "+" : "-") + "i w^(5 k), " +
                         w(4 * pass.real_length())};
    }
    return {table,
            "of points k to the middle: " + sign + "i w^k, " + w(ir.schedule.pass.real_length())};
  }
  std::pair<TableRange, std::string> operator()(const op::LoadMirrored& op) const {
    return mirrored(op.table);
  }
  std::pair<TableRange, std::string> operator()(const op::StoreMirrored& op) const {
    return mirrored(op.table);
  }
  std::pair<TableRange, std::string> opposite(const TableRange& table) const {
    const std::string sign = ir.direction == Direction::forward ? "-" : "+";
    return {table, "of butterflies q: " + sign + "i w^q, " + w(ir.schedule.pass.real_length())};
  }
  std::pair<TableRange, std::string> operator()(const op::LoadOpposite& op) const {
    return opposite(op.table);
  }
  std::pair<TableRange, std::string> operator()(const op::StoreOpposite& op) const {
    return opposite(op.table);
  }
  std::pair<TableRange, std::string> operator()(const op::FilterOpposite& op) const {
    return opposite(op.table);
  }
  std::pair<TableRange, std::string> operator()(const op::MirrorRows& op) const {
    return mirrored(op.table);
  }
  std::pair<TableRange, std::string> operator()(const op::FilterPairs& op) const {
    return mirrored(op.table);
  }
  template <class Other>
  std::pair<TableRange, std::string> operator()(const Other&) const {
    return {};
  }
};

std::string tables_text(const std::vector<const Generated*>& passes) {
  std::string text;
  std::uint64_t first = 0, seen = 0;
  for (const Generated* pass : passes) {
    for (const Op& op : pass->ir.ops) {
      const auto [range, what] = std::visit(TableText{pass->ir}, op);
      const std::uint64_t from = first + range.offset;
      if (range.size == 0 || from < seen) continue;
      seen = from + range.size;
      text += "//            [" + number(16 * from) + ", " + number(16 * seen) + ") " + what + "\n";
    }
    first += pass->ir.table_units;
  }
  return (first == 0 ? "//   tables   none\n"
                     : "//   tables   " + number(16 * first) + " bytes\n") +
         text;
}

// Which steps are of which axis, where there are several.
std::string axes_text(const Schedule& schedule) {
  const std::vector<std::int64_t>& lengths = schedule.pass.problem.lengths;
  if (lengths.size() == 1) return {};
  std::string text = "// All axes at once:";
  for (unsigned axis = 0, first = 0; axis < lengths.size(); ++axis) {
    if (lengths[axis] == 1) continue;  // no steps
    const unsigned end = end_of_axis(schedule.digits, first);
    text += (first == 0 ? " step " : ", step ") + number(first + 1) +
            (end == first + 1 ? "" : " to " + number(end)) + " along axis " + number(axis);
    first = end;
  }
  return text + "\n";
}

std::string grid_text(const LaunchShape& launch) {
  if (launch.stays != 0) {
    const std::string stays = number(launch.stays);
    return stays + " + batch - " + stays + " * max(1, batch / " + stays + " * 15 / 16)";
  }
  const std::string cluster = launch.cluster > 1 ? number(launch.cluster) + " * " : "";
  if (launch.blocks_per_batch != 0) {
    return number(launch.blocks_per_batch) + " * batch" +
           (launch.more_blocks != 0 ? " + " + number(launch.more_blocks) : "");
  }
  if (launch.transforms_per_block == 1) return cluster + "batch";
  return cluster + "ceil(batch / " + number(launch.transforms_per_block) + ")";
}

// What it computes.
std::string transform_text(const Generated& pass) {
  std::ostringstream text;
  static constexpr const char* values[] = {" complex ", " real ", " Hermitian ", " complex "};
  const Schedule& schedule = pass.ir.schedule;
  const FftProblem& problem = pass.problem;
  const FftProblem& whole = schedule.pass.whole();
  text << "//\n// ";
  if (is_trigonometric(whole.domain) && !schedule.pass.part) {
    text << to_string(whole.domain) << " of " << whole.points() << " real numbers, by a\n// ";
  }
  if (schedule.pass.real_length() != 0) {
    text << (schedule.pass.filter              ? "Convolution of "
             : schedule.pass.is_mirrored(true) ? "DFT to "
                                               : "DFT of ")
         << to_shape(schedule.pass.real_lengths())
         << " real numbers, whose pairs are points of this one:\n// ";
  }
  if (schedule.pass.packed) {
    text << "DFT of " << schedule.pass.packed->n()
         << " complex points, FP16 throughout: its even and its odd\n"
         << "// points go through this one in the two halves of registers:\n// ";
  }
  if (schedule.pass.filter) text << "To the spectrum of a filter and back by the ";
  text << "DFT of " << to_shape(problem.dft_lengths())
       << values[static_cast<int>(problem.values(true))] << to_string(schedule.pass.in.storage)
       << " points, " << to_string(pass.ir.direction) << ", "
       << to_string(schedule.shape.tree.decomposition) << "\n";
  text << axes_text(schedule);
  return text.str();
}

}  // namespace

std::string describe_pass(const Generated& pass) {
  const KernelIr& ir = pass.ir;
  const KernelCosts& c = pass.costs;
  const unsigned warps = ir.schedule.launch.threads >> lane_bits;
  std::ostringstream text;
  text << transform_text(pass);
  if (const auto& part = ir.schedule.pass.part) {
    text << "// Pass " << part->number << " of " << count_of_passes(ir.schedule.pass)
         << " of a DFT of " << to_shape(part->whole.lengths)
         << " points: " << to_string(ir.schedule.pass) << "\n";
  }
  text
      << "// Time digits t1, t2, ... of step 1, 2, ...: the most significant first (decimation in\n"
      << "// frequency); a step makes of its digit one of frequency, k1 of t1. t1%2 and t1/2 are\n"
      << "// remainder and quotient; b numbers the transforms of a block.\n//\n"
      << comment_lines(to_string(ir.schedule), "   ")
      << "//\n// Costs of a transform: " << c.nominal_flops << " flops nominal, " << c.mmas
      << " MMAs (m16n8k16), " << c.bytes_moved << " bytes moved of " << c.bytes_minimum
      << " needed.\n// A block of " << warps << " warps: " << c.barriers << " barriers, "
      << c.exchanges << " trips through shared memory, " << c.bank_conflicts()
      << " bank conflicts, " << ir.table_units * 16 << " bytes of tables.\n"
      << "// |error|_2 / |result|_2 <= " << pass.error.bound << " (bound); of random input "
      << pass.error.expected() << ".\n";
  return text.str();
}

std::string describe_launch(const LaunchShape& launch,
                            const std::vector<const Generated*>& passes) {
  std::string text = "//\n// To launch it:\n//   grid     " + grid_text(launch) +
                     " blocks\n//   block    " + number(launch.threads) + " threads\n";
  if (launch.cluster > 1) {
    text +=
        "//   cluster  " + number(launch.cluster) + " blocks, as the kernel declares" +
        (launch.cluster > 8 ? "; needs CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED" : "") +
        "\n";
  }
  text +=
      "//   shared   " + number(launch.shared_bytes) + " bytes, dynamic" +
      (launch.shared_bytes > 48 * 1024 ? "; needs CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
                                       : "") +
      "\n";
  if (launch.carveout > 0) {
    text += "//            where more than " + number(launch.most_blocks) +
            " blocks fit on an SM they shall take " + number(launch.carveout) +
            " % of it,\n//            the rest is L1 cache "
            "(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)\n";
  }
  if (launch.follows) {
    text +=
        "//   may begin before the launch in front of it has ended (programmatic stream "
        "serialization)\n";
  }
  text += "//   in, out  device memory, " + number(passes.front()->problem.alignment) +
          "-byte aligned\n" + tables_text(passes) + "//   batch    transforms\n";
  if (passes.front()->schedule.pass.filter) {
    text += "//   spectrum device memory, the spectrum of the filter, 8-byte aligned\n";
  }
  if (launch.counter_bytes != 0) {
    text += "//   workspace  " + number(launch.counter_bytes) +
            " bytes of counters, zero before each launch, then the slots\n";
  }
  const Generated& pass = *passes.front();
  return text + "// nvcc -cubin -arch=" + arch_name(pass.target) +
         " -std=c++17 --fmad=false FILE.cu\n";
}

}  // namespace sonoma
