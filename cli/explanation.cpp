#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "explain.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/passes.hpp"

namespace sonoma::cli {

std::optional<Roofline> roofline_of(const Generated& generated) {
  if (generated.target.arch != 90) return std::nullopt;
  constexpr double h200_copy = 4.25e12;  // bytes per second, measured on buffers beyond the L2
  Roofline roofline;
  roofline.locality = 5 * std::log2(static_cast<double>(generated.problem.n()));
  roofline.copy_bytes_per_second = h200_copy;
  roofline.seconds_bound = generated.costs.bytes_minimum / h200_copy;
  roofline.flops_bound = generated.costs.nominal_flops / roofline.seconds_bound;
  return roofline;
}

Occupancy occupancy_of(const Generated& generated, const CudaSource& source, const Binary& binary) {
  const Target& target = generated.target;
  const auto all = static_cast<unsigned>(target.registers);
  const unsigned threads = source.launch.threads * generated.schedule.min_blocks;
  const unsigned allowed = std::clamp(all / threads / 8 * 8, 8u, 255u);
  if (!binary.cubin) return occupancy_of(source.launch, allowed, 0, target);
  return occupancy_of(source.launch, static_cast<unsigned>(binary.cubin->registers),
                      static_cast<unsigned>(binary.cubin->static_shared_bytes), target);
}

double error_bound_in_u(const ErrorEstimate& error) { return error.bound * 0x1p24; }
double expected_error_in_u(const ErrorEstimate& error) { return error.expected() * 0x1p24; }

namespace {

std::string method_of(const Generated& g) {
  if (g.tuning.method == Method::radix) {
    const unsigned blocks = g.tuning.cluster.value_or(1);
    return std::string("radix: the steps of the decomposition") +
           (g.schedule.pass.filter ? ", times the spectrum of a filter, and back" : "") +
           ", in one " + (blocks > 1 ? fmt::format("cluster of {} blocks", blocks) : "block");
  }
  if (g.tuning.method == Method::rader) {
    return fmt::format(
        "rader: a convolution of all points but the first one, in the order of the powers of a "
        "root, by two transforms of {} points in one kernel",
        convolution_points(g.tuning));
  }
  return fmt::format("bluestein: a convolution with a chirp, by two transforms of {} points{}",
                     convolution_points(g.tuning),
                     !g.schedule.pass.part ? " in one kernel" : ", of which this is a pass");
}

// A kernel of pairs of real numbers says so.
std::string request_of(const Generated& g) {
  const std::int64_t real = g.schedule.pass.real_length();
  if (const auto& whole = g.schedule.pass.packed) {
    return fmt::format("{}, two points at once in the registers of {}", to_string(*whole),
                       to_string(g.problem));
  }
  if (real == 0) return to_string(g.problem);
  if (const auto& whole = g.schedule.pass.pairs_of) {
    return fmt::format("{}, pairs as points of {}", to_string(*whole), to_string(g.problem));
  }
  const bool filter = g.schedule.pass.filter.has_value();
  return fmt::format("{} n={}, pairs as points of {}",
                     filter ? "real numbers" : to_string(g.schedule.pass.domain()), real,
                     to_string(g.problem));
}

std::string choices(const Generated& g, const Choice& choice, double limit) {
  const Tuning& tuning = g.tuning;
  return fmt::format(
      "request        {}\ntarget         {}\nmethod         {}\nengine         {}\ndecomposition "
      " {}\n"
      "arithmetic     {}, relative L2 error at most {:.2g}; asked for: {}\n"
      "shape          {} points a thread, {} a block, at most {} registers\n"
      "chosen         {}\n",
      request_of(g), to_string(g.target), method_of(g), to_string(*tuning.engine),
      to_string(*tuning.decomposition), to_string(g.schedule.shape.arithmetic), limit,
      to_string(g.schedule.pass.asked().accuracy), *tuning.points_per_thread, *tuning.block_points,
      *tuning.registers, full_reason(choice));
}

std::string costs(const Generated& g) {
  const KernelCosts& c = g.costs;
  const LaunchShape& launch = g.source.launch;
  return fmt::format(
      "launch         {} threads, {} bytes of dynamic shared memory, {} transforms a block\n"
      "bytes moved    {:.0f} a transform, {:.2f} times the minimum of {:.0f}; tables {:.0f}\n"
      "arithmetic     {} = {:.0f} flops; {:.0f} m16n8k16 MMAs = {:.0f} flops on tensor "
      "cores\n"
      "structure      launches {}, exchanges through shared memory {}, block barriers {}\n"
      "bank conflicts {} extra wavefronts a block, beside the {} needed\n",
      launch.threads, launch.shared_bytes, launch.transforms_per_block, c.bytes_moved,
      c.bytes_moved / c.bytes_minimum, c.bytes_minimum, c.table_bytes,
      g.schedule.pass.filter ? "10 n log2 n + 6 n" : "5 n log2 n", c.nominal_flops, c.mmas,
      c.tensor_flops, c.passes, c.exchanges, c.barriers, c.bank_conflicts(),
      c.shared_wavefronts_minimum);
}

std::string bounds(const Generated& g) {
  std::string text =
      fmt::format("locality bound 5 log2 n = {:.0f} flops for each element moved in and out",
                  5 * std::log2(static_cast<double>(g.problem.n())));
  if (const auto roofline = roofline_of(g)) {
    text += fmt::format(
        ";\n               H200, copying {:.2f} TB/s: {:.2f} TFLOP/s, {:.3g} ns a transform",
        roofline->copy_bytes_per_second * 1e-12, roofline->flops_bound * 1e-12,
        roofline->seconds_bound * 1e9);
  }
  return text +
         fmt::format("\nerror bound    {:.2f} u relative L2, u = 2^-24; of random input {:.2f} u\n",
                     error_bound_in_u(g.error), expected_error_in_u(g.error));
}

std::string facts(const Binary& binary) {
  if (!binary.cubin) return fmt::format("binary         not made: {}", binary.why_not);
  const Cubin& cubin = *binary.cubin;
  return fmt::format(
      "binary         {} registers, {} bytes of local memory ({}), {} bytes of static shared "
      "memory",
      cubin.registers, cubin.local_bytes, cubin.local_bytes == 0 ? "no spills" : "spills",
      cubin.static_shared_bytes);
}

std::string occupancy_text(const Generated& g, const CudaSource& source, const Binary& binary) {
  const Occupancy found = occupancy_of(g, source, binary);
  std::string limiters;
  for (const SmResource limiter : found.limiters) {
    limiters += (limiters.empty() ? "" : " and ") + to_string(limiter);
  }
  return fmt::format(
      "occupancy      {} block{} on an SM, {} of {} warps ({:.0f} %), limited by {}{}; room by "
      "threads {}, blocks {}, registers {}, shared memory {}\n",
      found.blocks, found.blocks == 1 ? "" : "s", found.warps, found.most_warps,
      100 * found.share(), limiters, binary.cubin ? "" : ", with the most registers allowed",
      found.by_threads, found.by_blocks, found.by_registers, found.by_shared);
}

bool takes_convolution(const Program& program) {
  const auto& part = program.launches.front().pass.part;
  return part && part->convolution;
}

}  // namespace

std::string method_name(const Program& program) {
  if (program.problem.convolution) return "there and back";
  if (takes_convolution(program)) return "bluestein";
  if (program.launches.front().fusion) return "2-step fused";
  const std::size_t steps = program.launches.size() - 1;
  if (steps <= 2) return steps == 1 ? "2-step" : "2-step twice";
  return fmt::format("2-step {} times", steps);
}

namespace {

std::string memory_of(const Program& program) {
  if (const auto& fusion = program.launches.front().fusion) {
    return fmt::format(
        "read and written once, by two passes in one launch; between them the "
        "L2 cache, with {} transforms of {} bytes",
        fusion->slots, program.workspace_points * 8);
  }
  const std::string launches =
      fmt::format("read and written by each of {} launches; ", program.launches.size());
  if (program.workspace_points == 0) return launches + "between them points lie in the output";
  return launches + fmt::format("a workspace of {} bytes a transform, {} transforms together",
                                program.workspace_bytes(1), program.transforms_together);
}

const char* passes_of(const Program& program) {
  if (program.problem.convolution) {
    return "columns, rows times the spectrum of a filter and back, columns back";
  }
  if (takes_convolution(program)) {
    return "columns times a chirp, rows times its spectrum and back, columns back, times the chirp";
  }
  if (program.problem.lengths.size() > 1) {
    return "the last axes and the first digit of the next, twiddles, what is left as columns; no "
           "transposition apart";
  }
  return "transforms of columns, twiddles, transforms of rows; no transposition apart";
}

}  // namespace

std::string overview(const Program& program, const Choice& choice) {
  return fmt::format(
      "request        {}\nmethod         {}: {}\nchosen         {}\nmemory         {}\n{}",
      to_string(program.problem), method_name(program), passes_of(program), full_reason(choice),
      memory_of(program), to_string(program));
}

namespace {

// "axis 0", or "axes 1 to 2 there and back".
std::string axes_text(const AxisLaunches& axis) {
  const std::size_t count = axis.problem.lengths.size();
  const char* ways = axis.problem.convolution ? " there and back" : "";
  return count == 1 ? fmt::format("axis {}{}", axis.axis, ways)
                    : fmt::format("axes {} to {}{}", axis.axis, axis.axis + count - 1, ways);
}

// Where one axis leaves its points for the next.
std::string between_axes(const Program& program) {
  if (program.axes.size() == 1) return "nothing, for all other axes are of one point";
  if (const std::int64_t points = points_of_signals(program.problem); points > 0) {
    return fmt::format("in workspaces, in f32: {} bytes of signals a transform, results {}",
                       points * point_bytes(Storage::f32),
                       program.keeps_axes_in_output() ? "in the output" : "apart from them");
  }
  if (program.keeps_axes_in_output()) return "in the output, in f32";
  return fmt::format("in a workspace, in f32: {} bytes a transform",
                     points_between(program.problem) * point_bytes(Storage::f32));
}

}  // namespace

std::vector<ChosenProgram> axes_of(const ChosenProgram& chosen) {
  const Program& program = chosen.planned.program;
  const std::vector<Program> parts = programs_of_axes(program);
  std::vector<ChosenProgram> axes(parts.size());
  auto kernel = chosen.kernels.begin();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto end = kernel + static_cast<std::ptrdiff_t>(parts[i].launches.size());
    axes[i].planned.program = parts[i];
    axes[i].planned.choice = chosen.planned.choice.axes.at(i);
    axes[i].kernels.assign(kernel, end);
    kernel = end;
  }
  return axes;
}

std::string axis_title(const Program& program, std::size_t number) {
  const AxisLaunches& axis = program.axes.at(number);
  return fmt::format("{} of {}: {} points, {} times", axes_text(axis),
                     to_shape(program.problem.lengths), to_shape(axis.problem.lengths),
                     axis.repeat * transforms_of(axis.problem));
}

std::string overview_of_axes(const Program& program, const Choice& choice) {
  std::string order;
  for (const AxisLaunches& axis : program.axes) {
    order += fmt::format("{}{} ({} launch{})", order.empty() ? "" : ", then ", axes_text(axis),
                         axis.launches, axis.launches == 1 ? "" : "es");
  }
  return fmt::format(
      "request        {}\nmethod         axis by axis: {}\nchosen         {}\nmemory         read "
      "and written by each axis for all transforms; between them {}; workspace of {} bytes a "
      "transform in all\naccuracy       relative L2 error at most {:.2g}, over all axes\n{}",
      to_string(program.problem), order, full_reason(choice), between_axes(program),
      program.workspace_bytes(1), error_limit(program), to_string(program));
}

std::string explanation(const Generated& generated, const CudaSource& source, const Choice& choice,
                        double limit, const Binary& binary) {
  return fmt::format("{}\nSchedule\n{}\nKernel IR\n{}\n{}{}{}{}", choices(generated, choice, limit),
                     to_string(generated.schedule), to_string(generated.ir), costs(generated),
                     bounds(generated), occupancy_text(generated, source, binary), facts(binary));
}

}  // namespace sonoma::cli
