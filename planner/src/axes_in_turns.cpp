// Two axes in one launch, whose blocks take tiles of both in turns: what lies between them stays in
// the L2 cache.
#include <algorithm>

#include "decide.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {
namespace {

// On CUDA cores, whole tiles of a block each.
bool can_take_turns(const Program& program) {
  const Launch& launch = program.launches.front();
  return program.launches.size() == 1 && !launch.fusion && !launch.pass.convolves() &&
         !launch.pass.by_powers && launch.shape.method == Method::radix &&
         launch.shape.shares.parts() == 1 && launch.shape.arithmetic == Arithmetic::simt;
}

// `count` of the batch as one; nothing where they are no innermost loop.
std::optional<Pass> together(Pass pass, std::int64_t count) {
  if (count == 1) return pass;
  if (!pass.loops.empty()) return std::nullopt;
  pass.loops.push_back({count, pass.in.dist, pass.out.dist});
  pass.in.dist *= count, pass.out.dist *= count;
  return pass;
}

struct Kernel {
  Pass pass;
  Shape shape;
};

unsigned threads_of(const Kernel& kernel, const Target& target) {
  return schedule(kernel.pass, target, kernel.shape).launch.threads;
}

// Rows in blocks of as many threads as those of the columns have. By the bits they are as many as
// their points say; of others some phase may have more.
bool share_threads(Kernel& rows, const Kernel& columns, const Target& target) {
  const std::int64_t n = rows.shape.length(), threads = threads_of(columns, target);
  const std::int64_t about = threads * rows.shape.points_per_thread / n;
  const std::int64_t fewer = is_power_of_two(n) && is_power_of_two(threads) ? 0 : 3;
  for (std::int64_t count = about; count >= std::max<std::int64_t>(1, about - fewer); --count) {
    rows.shape.block_points = static_cast<unsigned>(count * n);
    if (count * n <= most_block_points && threads_of(rows, target) == threads) return true;
  }
  return false;
}

// Throws UnsupportedProblem where a shape does not serve.
std::optional<Launch> in_turns(Kernel first, Kernel second, const FftProblem& whole,
                               const Tuning& wish, const Target& target) {
  const unsigned registers = std::max(first.shape.registers, second.shape.registers);
  first.shape.registers = second.shape.registers = registers;
  const bool rows_first = second.pass.in.stride > 1;
  Kernel &rows = rows_first ? first : second, &columns = rows_first ? second : first;
  if (first.pass.out.dist != second.pass.in.dist || !share_threads(rows, columns, target)) {
    return std::nullopt;
  }
  std::uint64_t tiles = 1;
  for (const Kernel& one : {first, second}) {
    const Schedule made = schedule(one.pass, target, one.shape);
    tiles = std::max(tiles, made.launch.blocks_per_batch);
  }
  const std::int64_t ring = wish.workspace_points.value_or(profile_of(target).passes.ring_points);
  const auto slots = static_cast<unsigned>(std::max<std::int64_t>(2, ring / first.pass.out.dist));
  const auto each = static_cast<unsigned>(tiles);
  Fusion fusion{second.pass, second.shape, slots, std::max(each, slots * each / 2), whole};
  return Launch{first.pass, first.shape, Buffer::input, Buffer::output, std::move(fusion)};
}

// Nothing where they cannot, or where that pays nobody and is not asked for.
std::optional<Program> with_axes_in_turns(const Program& program, const FftProblem& problem,
                                          const Tuning& wish, const Target& target) {
  const std::vector<Program> parts = programs_of_axes(program);
  if (parts.size() != 2 || !wish.fused.value_or(true) || problem.convolution) return std::nullopt;
  if (!can_take_turns(parts[0]) || !can_take_turns(parts[1])) return std::nullopt;
  if (problem.placement == Placement::in_place || problem.layout != DataLayout{}) {
    return std::nullopt;
  }
  const auto first = together(parts[0].launches.front().pass, program.axes[0].repeat),
             second = together(parts[1].launches.front().pass, program.axes[1].repeat);
  if (!first || !second) return std::nullopt;
  const std::int64_t points = first->out.dist;
  const PassRules& rules = profile_of(target).passes;
  const bool pays = points <= profile_of(target).axes.fused.back().most &&
                    points * problem.batch >= rules.fewest_fused_points;
  if (!wish.fused && !pays) return std::nullopt;
  try {
    auto launch = in_turns({*first, program.launches[0].shape},
                           {*second, program.launches[1].shape}, alone(problem), wish, target);
    if (!launch) return std::nullopt;
    return Program{alone(problem), {std::move(*launch)}, 0, points};
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

}  // namespace

Program in_turns_or(const Program& program, const FftProblem& problem, const Tuning& wish,
                    const Target& target) {
  if (auto one = with_axes_in_turns(program, problem, wish, target)) return *one;
  const auto shares = [](const Launch& launch) { return launch.fusion.has_value(); };
  if (!wish.fused.value_or(false) || std::ranges::any_of(program.launches, shares)) return program;
  throw UnsupportedProblem("fused", to_shape(problem.lengths),
                           "two axes in one launch: out of place, arrays one after the other, "
                           "each axis by one block of the engine simt, both of as many threads "
                           "(points_per_thread, block_points); drop it");
}

}  // namespace sonoma
