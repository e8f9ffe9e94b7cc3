#include "sonoma/program.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "pass_lengths.hpp"

namespace sonoma {
namespace {

// 512 MB. Measured on an H200 with separate launches: 2^26 points at once take 10 to 25 % less time
// than in parts that stay in the L2 cache, between which the device idles.
constexpr std::int64_t workspace_points_by_default = std::int64_t{1} << 26;

// Of one of the batch.
std::int64_t transforms_of(const FftProblem& problem) {
  std::int64_t count = 1;
  for (const Loop& loop : problem.layout.loops) count *= loop.count;
  return count;
}

// The caller's loops; in the workspace their transforms follow each other.
void append_loops(Pass& pass, const FftProblem& problem, bool first, bool last) {
  std::int64_t inner = problem.n();
  for (const Loop& loop : problem.layout.loops) {
    pass.loops.push_back(
        {loop.count, first ? loop.in_stride : inner, last ? loop.out_stride : inner});
    inner *= loop.count;
  }
}

// Decimation in frequency over whole passes. Of n = n1 n2 n3, time index t = (t1 n2 + t2) n3 + t3,
// frequency index k = k1 + n1 (k2 + n2 k3): pass p transforms over t_p, whose points lie `below`
// apart, and leaves k_p in its place; the last one stores in order.
Pass pass_of(const FftProblem& problem, const std::vector<std::int64_t>& lengths, std::size_t p) {
  const auto product = [&](std::size_t from, std::size_t to) {
    return std::accumulate(lengths.begin() + static_cast<std::ptrdiff_t>(from),
                           lengths.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1},
                           std::multiplies<>());
  };
  const std::int64_t n = problem.n(), below = product(p + 1, lengths.size());
  const bool first = p == 0, last = p + 1 == lengths.size();
  // In the workspace, transforms follow each other.
  const DataLayout& layout = problem.layout;
  const std::int64_t in = first ? layout.in_stride : 1, out = last ? layout.out_stride : 1;
  Pass pass;
  pass.problem = problem;
  pass.problem.layout = {};
  pass.problem.lengths = {lengths[p]};
  pass.problem.batch = 1;
  pass.problem.scale = 1;
  pass.in_dist = first ? problem.in_dist() : n * transforms_of(problem);
  pass.out_dist = last ? problem.out_dist() : n * transforms_of(problem);
  pass.part = Part{lengths, static_cast<unsigned>(p + 1), problem};
  pass.part->whole.batch = 1;
  pass.problem.storage = first ? problem.storage : Storage::f32;
  pass.out_storage = last ? problem.storage : Storage::f32;
  pass.in_stride = below * in;
  if (!last) {
    pass.out_stride = below;
    pass.twiddle_length = below * lengths[p];
    pass.loops = {{below, in, 1}};
    if (!first) pass.loops.push_back({product(0, p), pass.twiddle_length, pass.twiddle_length});
  } else {
    pass.problem.scale = problem.scale;
    pass.out_stride = n / lengths[p] * out;
    // k1 is the fastest in the output: its values are the columns; then k2, ...
    std::int64_t in_stride = n, out_stride = out;
    for (std::size_t q = 0; q < p; ++q) {
      in_stride /= lengths[q];
      pass.loops.push_back({lengths[q], in_stride, out_stride});
      out_stride *= lengths[q];
    }
  }
  append_loops(pass, problem, first, last);
  return pass;
}

// Measured on an H200 (2^26 points): tiles of 8192 points and more leave few blocks an SM; from 512
// points on one block more beats registers, from 2048 on threads of 32 points do.
void choose_shape(Tuning& kernel, const Pass& pass) {
  if (kernel.points_per_thread || kernel.registers || *kernel.block_points < 8192) return;
  if (!std::has_single_bit(*kernel.block_points)) return;
  if (pass.n() >= 2048) kernel.points_per_thread = 32;
  kernel.registers = pass.n() >= 2048 ? 128 : 64;
}

Tuning kernel_tuning(const Tuning& tuning, const Pass& pass) {
  Tuning kernel = tuning;
  kernel.pass_lengths.reset(), kernel.columns.reset(), kernel.workspace_points.reset();
  if (!kernel.engine) kernel.engine = Engine::simt;
  if (!kernel.block_points) {
    kernel.block_points = static_cast<unsigned>(pass.n()) * columns_of(tuning, pass);
  }
  if (kernel.engine == Engine::simt) choose_shape(kernel, pass);
  return kernel;
}

}  // namespace

std::int64_t Program::together(std::int64_t batch) const {
  return transforms_together == 0 ? batch : std::min(batch, transforms_together);
}

std::uint64_t Program::workspace_bytes(std::int64_t batch) const {
  return static_cast<std::uint64_t>(workspace_points) *
         static_cast<std::uint64_t>(together(batch)) * point_bytes(Storage::f32);
}

bool takes_passes(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  return tuning.pass_lengths.has_value() || problem.n() > largest_of_one_pass(target, problem.n());
}

bool is_plain(const FftProblem& problem, const Tuning& tuning) {
  constexpr std::int64_t largest = 8192;
  return problem.n() <= largest && !tuning.pass_lengths && !tuning.columns &&
         is_contiguous(single_pass(problem));
}

Program make_program(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  Program program;
  program.problem = problem;
  program.problem.batch = 1;
  if (!takes_passes(problem, target, tuning)) {
    const Pass pass = single_pass(program.problem);
    const Tuning own = is_plain(problem, tuning)
                           ? tuning
                           : resolve(kernel_tuning(tuning, pass), pass.problem, target);
    program.launches = {{pass, own, Buffer::input, Buffer::output}};
    return program;
  }
  const std::vector<std::int64_t> lengths = tuning.pass_lengths.value_or(pass_lengths(problem.n()));
  check_pass_lengths(lengths, problem);
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    const Pass pass = pass_of(problem, lengths, p);
    program.launches.push_back({pass, resolve(kernel_tuning(tuning, pass), pass.problem, target),
                                p == 0 ? Buffer::input : Buffer::workspace,
                                p + 1 == lengths.size() ? Buffer::output : Buffer::workspace});
  }
  program.workspace_points = problem.n() * transforms_of(problem);
  program.transforms_together = std::max<std::int64_t>(
      1, tuning.workspace_points.value_or(workspace_points_by_default) / program.workspace_points);
  return program;
}

std::string to_string(Buffer buffer) {
  static constexpr const char* names[] = {"input", "workspace", "output"};
  return names[static_cast<int>(buffer)];
}

std::string to_string(const Program& program) {
  std::string text;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const Launch& launch = program.launches[i];
    text += "launch " + std::to_string(i + 1) + ": " + to_string(launch.from) + " to " +
            to_string(launch.to) + ", " + to_string(launch.pass) + "\n  " +
            to_string(launch.tuning) + "\n";
  }
  return text;
}

}  // namespace sonoma
