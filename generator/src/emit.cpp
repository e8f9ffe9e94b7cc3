#include "emit.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <sstream>
#include <type_traits>

#include "embedded/templates.hpp"
#include "emit_body.hpp"
#include "emit_chirp.hpp"
#include "emit_ends.hpp"
#include "emit_parts.hpp"
#include "emit_rounds.hpp"
#include "prune.hpp"
#include "quoted.hpp"
#include "roots_text.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/tuning.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

std::string_view template_text(std::string_view name) {
  for (const auto& file : embedded::templates) {
    if (file.name == name) return file.text;
  }
  throw InternalError("emit: no template " + std::string(name));
}

// Of the whole: passes of a convolution have steps of their own.
Method method_of(const Schedule& schedule) {
  return schedule.pass.convolution ? Method::bluestein : schedule.method;
}

unsigned count_of_passes(const Pass& pass) {
  const auto lengths = static_cast<unsigned>(pass.part->lengths.size());
  return pass.convolution ? 2 * lengths - 1 : lengths;
}

std::string kernel_name(const KernelIr& ir) {
  const auto& part = ir.schedule.pass.part;
  return "sonoma_c2c_" + to_string(ir.schedule.storage) + "_n" +
         (part ? std::to_string(part->whole.n()) + "_pass" + std::to_string(part->number)
               : std::to_string(ir.schedule.pass.n())) +
         (method_of(ir.schedule) == Method::radix ? "" : "_" + to_string(method_of(ir.schedule))) +
         "_" + to_string(ir.direction) + "_" + to_string(ir.schedule.engine);
}

TextPart layer(std::string_view file) { return {file, std::string(template_text(file))}; }

template <class T>
bool has(const KernelIr& ir) {
  return std::any_of(ir.ops.begin(), ir.ops.end(),
                     [](const Op& op) { return std::holds_alternative<T>(op); });
}

std::string swizzle_text(const Schedule& schedule) {
  return "// Where point p of the block's tile lies in shared memory: a permutation of the points "
         "that\n"
         "// spreads every access of the kernel over the banks.\n"
         "DEVICE constexpr unsigned swizzle(unsigned p) { return " +
         to_string(schedule.swizzle) + "; }\n";
}

// Of every storage that is read or written.
void append_storage(const std::vector<const KernelIr*>& irs, std::vector<TextPart>& parts) {
  std::set<Storage> used;
  for (const KernelIr* ir : irs) {
    used.insert({ir->schedule.storage, ir->schedule.pass.out_storage});
  }
  if (used.contains(Storage::f32)) parts.push_back(layer("storage_32.cuh"));
  if (used != std::set{Storage::f32}) parts.push_back(layer("storage_16.cuh"));
  if (used.contains(Storage::i16)) parts.push_back(layer("storage_int16.cuh"));
  if (used.contains(Storage::c12e8)) parts.push_back(layer("storage_shared_exponent.cuh"));
}

void append_products(const Schedule& schedule, std::vector<TextPart>& parts) {
  parts.push_back(layer("fold.cuh"));
  parts.push_back(layer("split.cuh"));
  parts.push_back(layer(schedule.mma_form == MmaForm::wmma ? "mma_wmma.cuh" : "mma_ptx.cuh"));
}

}  // namespace

std::string primitives(const std::vector<const KernelIr*>& irs, std::string_view kernel) {
  const KernelIr& ir = *irs.front();
  const auto any_has = [&]<class T>(std::type_identity<T>) {
    return std::any_of(irs.begin(), irs.end(), [](const KernelIr* each) { return has<T>(*each); });
  };
  const bool mma = ir.schedule.engine == Engine::mma;
  const bool wmma = mma && ir.schedule.mma_form == MmaForm::wmma;
  std::vector<TextPart> parts = {layer("instructions.cuh")};
  if (!ir.schedule.mixed()) parts.push_back({"this plan", swizzle_text(ir.schedule)});
  const bool rounds = ir.schedule.rounds > 1;
  if (rounds) parts.push_back({"this plan, in rounds", part_swizzle_text(ir.schedule)});
  parts.push_back(layer("existing.cuh"));
  const bool two = irs.size() > 1;
  if (two) parts.push_back(layer("streamed.cuh"));
  if (two) parts.push_back(layer("turns.cuh"));
  append_storage(irs, parts);
  parts.push_back(layer("points.cuh"));
  if (rounds) parts.push_back(layer("rounds.cuh"));
  if (mma) append_products(ir.schedule, parts);
  if (any_has(std::type_identity<op::WordProduct>{})) {
    parts.push_back(layer("words.cuh"));
    parts.push_back(layer("word_products.cuh"));
  }
  if (any_has(std::type_identity<op::Butterfly>{})) parts.push_back(layer("butterflies.cuh"));
  if (ir.schedule.mixed()) {
    parts.push_back(layer("mixed_points.cuh"));
    parts.push_back(layer("mixed_butterflies.cuh"));
    parts.push_back({"roots of unity of this plan", roots_text(ir.schedule.decomposition)});
  }
  if (ir.schedule.convolves()) {
    parts.push_back(layer(ir.schedule.rader() ? "rader.cuh" : "chirp.cuh"));
  }
  if (any_has(std::type_identity<op::PassTwiddle>{})) parts.push_back(layer("roots.cuh"));
  if (any_has(std::type_identity<op::Chirp>{}) && !ir.schedule.padded()) {
    parts.push_back(layer("exact_chirp.cuh"));
  }
  if (ir.schedule.by_index) parts.push_back(layer("ends.cuh"));
  return (wmma ? "#ifndef SONOMA_EMULATED\n#include <mma.h>\n#endif\n" : "") + prune(parts, kernel);
}

namespace {

void emit_comment_lines(std::ostream& text, const std::string& lines) {
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) text << "//   " << line << "\n";
}

}  // namespace

void describe_pass(std::ostream& text, const KernelIr& ir, const Provenance& provenance) {
  const KernelCosts& c = provenance.costs;
  const unsigned warps = ir.schedule.launch.threads >> lane_bits;
  text << "//\n// DFT of " << provenance.problem.n() << " complex "
       << to_string(ir.schedule.storage) << " points, " << to_string(ir.direction) << ", "
       << to_string(ir.schedule.decomposition) << "\n";
  if (const auto& part = ir.schedule.pass.part) {
    text << "// Pass " << part->number << " of " << count_of_passes(ir.schedule.pass)
         << " of a DFT of " << part->whole.n() << " points: " << to_string(ir.schedule.pass)
         << "\n";
  }
  text
      << "// time digits t1 t2 ... of step 1, 2, ...: most significant first (decimation in\n"
      << (ir.schedule.mixed()
              ? "// frequency); a step replaces its digit by one of frequency. t1%2, t1/2 are its\n"
                "// remainder and quotient; b numbers the transforms of a block.\n//\n"
              : "// frequency); a step replaces its digit by one of frequency. t1[0] is bit 0 of "
                "t1; b\n// numbers the transforms of a block.\n//\n");
  emit_comment_lines(text, to_string(ir.schedule));
  text << "//\n// Costs of a transform: " << c.nominal_flops << " flops nominal, " << c.mmas
       << " MMAs (m16n8k16), " << c.bytes_moved << " bytes moved of " << c.bytes_minimum
       << " needed.\n// A block of " << warps << " warps: " << c.barriers << " barriers, "
       << c.exchanges << " trips through shared memory, " << c.bank_conflicts()
       << " bank conflicts, " << ir.table_units * 16 << " bytes of tables.\n"
       << "// |error|_2 / |result|_2 <= " << provenance.error_bound << " (bound).\n";
}

namespace {

// Which points a block of a batch that lies one after the other takes.
void emit_neighbours(std::ostream& text, const Schedule& schedule) {
  const auto n = static_cast<unsigned>(schedule.pass.n()),
             points = n * schedule.launch.transforms_per_block;
  const unsigned cluster = schedule.launch.cluster;
  text << "  const unsigned long long first = " << points << "ull * "
       << (cluster == 1 ? "block_index()" : "(block_index() / " + std::to_string(cluster) + ")")
       << ";\n"
       << "  in += first, out += first;\n";
  if (schedule.launch.transforms_per_block > 1) {
    text << "  const unsigned long long rest = " << n << "ull * batch - first;\n"
         << "  const FirstPoints existing{rest < " << points
         << " ? static_cast<unsigned>(rest) : " << points << "u};\n";
  } else {
    text << "  const AllPoints existing;\n";
  }
}

}  // namespace

void emit_loops(std::ostream& text, const Pass& pass, unsigned columns) {
  const auto tiles = tiles_of_row(pass, columns);
  std::string in = "column * " + std::to_string(pass.loops.front().in_stride) + "ull";
  std::string out = "column * " + std::to_string(pass.loops.front().out_stride) + "ull";
  text << "  const unsigned column = block % " << tiles << "u * " << columns
       << ";  // the first of " << columns << "\n";
  std::uint64_t below = tiles;
  const auto add = [&](const std::string& index, std::int64_t in_stride, std::int64_t out_stride) {
    in += " + " + index + " * " + std::to_string(in_stride) + "ull";
    out += " + " + index + " * " + std::to_string(out_stride) + "ull";
  };
  for (std::size_t i = 1; i < pass.loops.size(); ++i) {
    const auto count = static_cast<std::uint64_t>(pass.loops[i].count);
    add("block / " + std::to_string(below) + "u % " + std::to_string(count) + "u",
        pass.loops[i].in_stride, pass.loops[i].out_stride);
    below *= count;
  }
  add("block / " + std::to_string(below) + "u", pass.in_dist, pass.out_dist);
  text << "  in += " << in << ";\n  out += " << out << ";\n";
}

void emit_statements(std::ostream& text, const KernelIr& ir) {
  const unsigned registers = ir.schedule.points_per_thread();
  const bool mma = ir.schedule.engine == Engine::mma;
  text << "  " << (mma ? "Tile x[" : "float2 x[") << (mma ? registers / 8 : registers) << "];\n"
       << (has<op::WordProduct>(ir) ? "  Words w[" + std::to_string(registers / 8) + "];\n" : "")
       << emit_body(ir) << "}\n";
}

const char* point_in_memory(Storage storage) {
  static constexpr const char* names[] = {"float2", "HalfPoint", "BfloatPoint", "IntegerPoint",
                                          "SharedExponentPoint"};
  return names[static_cast<int>(storage)];
}

namespace {

std::string thread_declaration(const Schedule& schedule) {
  if (schedule.rounds > 1) return "  unsigned thread;  // numbered through both rounds\n";
  if (schedule.launch.cluster == 1) return "  const unsigned thread = thread_index();\n";
  return "  // Of the cluster\n  const unsigned thread = thread_index() + " +
         std::to_string(schedule.launch.threads) + " * block_in_cluster();\n";
}

void emit_kernel(std::ostream& text, const KernelIr& ir, const std::string& name) {
  const Schedule& schedule = ir.schedule;
  const auto points = schedule.launch.transforms_per_block * schedule.pass.n();
  const unsigned cluster = schedule.launch.cluster;
  const bool ends = schedule.by_index;
  text << "// ===== the kernel =====\n"
       << (ends && !schedule.rader() ? end_declarations(schedule) : "")
       << (cluster == 1 ? "// One block transforms "
                        : "// A cluster of " + std::to_string(cluster) + " blocks transforms ")
       << points << " points: " << schedule.launch.transforms_per_block
       << (schedule.pass.loops.empty() ? " of the batch." : " columns side by side.")
       << (schedule.rounds > 1 ? " Half of them at once, in two rounds." : "")
       << " in and out may be the same.\n"
       << "extern \"C\" __global__ void "
       << (cluster == 1 ? "" : "__cluster_dims__(" + std::to_string(cluster) + ") ")
       << "__launch_bounds__(" << schedule.launch.threads << ", " << schedule.min_blocks << ")\n"
       << name << "(const " << point_in_memory(schedule.storage) << "* in, "
       << point_in_memory(schedule.pass.out_storage)
       << "* out, const uint4* tables, unsigned long long batch" << code_parameters(schedule.pass)
       << ") {\n"
       << thread_declaration(schedule);
  if (schedule.pass.loops.empty()) {
    ends ? void(text << end_places(schedule)) : emit_neighbours(text, schedule);
  } else {
    text << "  const unsigned block = block_index()"
         << (cluster == 1 ? "" : " / " + std::to_string(cluster)) << ";\n";
    emit_loops(text, schedule.pass, schedule.launch.transforms_per_block);
    text << (ends ? end_places(schedule) : "  " + existing_declaration(schedule.pass) + "\n");
  }
  emit_statements(text, ir);
  text << code_definitions(schedule.pass);
}

}  // namespace

namespace {

// Where points lie, as far as options say it: of loops they do not.
std::string layout_options(const Pass& pass) {
  DataLayout layout = pass.whole().layout;
  if (!pass.part) layout = {pass.in_stride, pass.out_stride, pass.in_dist, pass.out_dist, {}};
  std::string text;
  const auto side = [&](const char* name, std::int64_t stride, std::int64_t dist,
                        std::int64_t length) {
    if (stride != 1) text += std::string(" --") + name + "-stride " + std::to_string(stride);
    if (dist == 0 || dist == length * stride) return;
    text += std::string(" --") + name + "-dist " + std::to_string(dist);
  };
  side("in", layout.in_stride, layout.in_dist, pass.whole().in_length());
  side("out", layout.out_stride, layout.out_dist, pass.whole().out_length());
  if (pass.part && pass.whole().order == Order::transposed) text += " --order transposed";
  return text;
}

std::string ends_options(const Ends& ends) {
  std::string text;
  if (ends.in_length != 0) text += " --in-length " + std::to_string(ends.in_length);
  if (ends.out_length != 0) text += " --out-length " + std::to_string(ends.out_length);
  if (!ends.load_code.empty()) text += " --load-code " + quoted(ends.load_code);
  if (!ends.store_code.empty()) text += " --store-code " + quoted(ends.store_code);
  return text;
}

}  // namespace

std::string accuracy_option(const Pass& pass) {
  const Accuracy& accuracy = pass.whole().accuracy;
  if (!pass.part || !is_half(pass.whole().result_storage()) || accuracy == Accuracy{}) return {};
  std::ostringstream text;
  text.precision(9);
  text << " --accuracy ";
  accuracy.arithmetic ? text << to_string(*accuracy.arithmetic) : text << *accuracy.max_rel_l2;
  return text.str();
}

std::string command_line(const KernelIr& ir, const Provenance& provenance) {
  const auto& part = ir.schedule.pass.part;
  const FftProblem& problem = part ? part->whole : provenance.problem;
  std::ostringstream text;
  text << "sonoma emit --n " << problem.n();
  if (part) {
    text << " --pass-lengths " << to_list(part->lengths) << " --pass " << part->number;
  }
  const Method method = method_of(ir.schedule);
  if (method != Method::radix) text << " --method " << to_string(method);
  const bool section = part && part->tree;
  text << " --decomposition \"" << to_string(section ? *part->tree : ir.schedule.decomposition)
       << "\" --engine " << to_string(ir.schedule.engine);
  const Tuning& tuning = provenance.tuning;
  if (tuning.mma_form) text << " --mma-form " << to_string(*tuning.mma_form);
  if (tuning.tensor_steps) text << " --tensor-steps " << to_step_list(*tuning.tensor_steps);
  if (tuning.products) text << " --products " << *tuning.products;
  text << " --points-per-thread " << *tuning.points_per_thread << " --block-points "
       << *tuning.block_points << " --registers " << *tuning.registers << " --stage-load "
       << *tuning.stage_load << " --stage-store " << *tuning.stage_store;
  if (ir.schedule.launch.cluster > 1) text << " --cluster " << ir.schedule.launch.cluster;
  if (ir.schedule.rounds > 1) text << " --rounds " << ir.schedule.rounds;
  if (provenance.tuning.twiddles != default_twiddles(provenance.tuning, provenance.problem)) {
    text << " --twiddles " << to_string(ir.schedule.twiddles);
  }
  if (problem.storage != Storage::f32) text << " --precision " << to_string(problem.storage);
  if (problem.result_storage() != problem.storage) {
    text << " --out-precision " << to_string(problem.result_storage());
  }
  text << layout_options(ir.schedule.pass);
  text << ends_options(problem.ends);
  text << accuracy_option(ir.schedule.pass);
  if (ir.direction == Direction::inverse) text << " --inverse";
  text.precision(9);
  if (static_cast<float>(problem.scale) != 1.0f) {
    text << " --scale " << static_cast<float>(problem.scale);
  }
  text << " --arch " << arch_name(provenance.target);
  return text.str();
}

CudaSource emit(const KernelIr& ir, const Provenance& provenance) {
  CudaSource source;
  source.name = kernel_name(ir);
  std::ostringstream header, kernel;
  header << "// " << command_line(ir, provenance) << "\n";
  describe_pass(header, ir, provenance);
  header << "\n";
  emit_kernel(kernel, ir, source.name);
  source.text = header.str() + primitives({&ir}, kernel.str()) + kernel.str();
  source.launch = ir.schedule.launch;
  source.tables = make_tables(ir);
  return source;
}

}  // namespace sonoma
