// Two axes in one launch, whose blocks take tiles of both in turns: what lies between them stays in
// the L2 cache.
#include <algorithm>

#include "decide.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {
namespace {

/// The launch of some axes, and how often it runs for each of the whole's batch.
struct Axes {
  const Launch& launch;
  std::int64_t repeat;
};

// Complex points by the bits, on CUDA cores, whole tiles of a block.
bool can_take_turns(const Program& program) {
  const Launch& launch = program.launches.front();
  return program.launches.size() == 1 && !launch.fusion && !launch.pass.convolves() &&
         launch.pass.domain() == Domain::c2c && !launch.shape.mixed() &&
         launch.shape.shares.parts() == 1 && launch.shape.arithmetic == Arithmetic::simt;
}

// `count` of the batch as one.
Pass together(Pass pass, std::int64_t count) {
  if (count == 1) return pass;
  pass.loops.push_back({count, pass.in.dist, pass.out.dist});
  pass.in.dist *= count, pass.out.dist *= count;
  return pass;
}

// Both take tiles of as many points by as many threads.
Shape shared_shape(Shape shape, const Shape& other, unsigned points) {
  shape.block_points = points;
  shape.points_per_thread = std::max(shape.points_per_thread, other.points_per_thread);
  shape.registers = std::max(shape.registers, other.registers);
  return shape;
}

// Points of a tile that both lengths divide, 0: none.
unsigned tile_of(const Launch& first, const Launch& second) {
  const unsigned points = std::max(first.shape.block_points, second.shape.block_points);
  return points % first.pass.n() == 0 && points % second.pass.n() == 0 ? points : 0;
}

// Throws UnsupportedProblem where the shapes do not suit each other.
std::optional<Launch> in_turns(const Axes& first, const Axes& second, const FftProblem& whole,
                               const Tuning& wish, const Target& target) {
  const std::int64_t count = first.repeat / second.repeat;
  const bool rows = first.repeat % second.repeat == 0 && first.launch.pass.loops.empty();
  const unsigned points = tile_of(first.launch, second.launch);
  if (!rows || points == 0) return std::nullopt;
  const Pass before = together(first.launch.pass, count), behind = second.launch.pass;
  if (!is_of_bits(before) || !is_of_bits(behind)) return std::nullopt;
  const std::int64_t n = whole.n();
  if (before.out.dist != n || behind.in.dist != n || n % points != 0) return std::nullopt;
  const std::int64_t ring = wish.workspace_points.value_or(profile_of(target).passes.ring_points);
  const auto tiles = static_cast<unsigned>(n / points);
  const auto slots = static_cast<unsigned>(std::max<std::int64_t>(2, ring / n));
  const Fusion fusion{behind, shared_shape(second.launch.shape, first.launch.shape, points), slots,
                      std::max(tiles, slots * tiles / 2), whole};
  const Launch launch{before, shared_shape(first.launch.shape, second.launch.shape, points),
                      first.launch.from, second.launch.to, fusion};
  (void)schedule(launch.pass, target, launch.shape);
  (void)schedule(behind, target, fusion.shape);
  return launch;
}

// For so many transforms of the first two axes, of which the batch is.
bool pays(const FftProblem& whole, std::int64_t batch, const PassRules& rules) {
  return whole.n() <= rules.largest_fused && whole.n() * batch >= rules.fewest_fused_points;
}

// Nothing where they cannot, or where that pays nobody and is not asked for.
std::optional<Program> with_axes_in_turns(const Program& program, const FftProblem& problem,
                                          const Tuning& wish, const Target& target) {
  const std::vector<Program> parts = programs_of_axes(program);
  if (parts.size() < 2 || !wish.fused.value_or(true) || problem.convolution) return std::nullopt;
  if (!can_take_turns(parts[0]) || !can_take_turns(parts[1])) return std::nullopt;
  const std::size_t count = parts[0].problem.lengths.size() + 1;
  const AxisTransform both = axis_transforms(problem, count).front();
  const auto [first, second] = std::pair(program.axes[0], program.axes[1]);
  const bool alone = parts.size() == 2;
  if (both.repeat != second.repeat || (alone && second.repeat != 1)) return std::nullopt;
  if (!wish.fused && !pays(both.problem, both.problem.batch, profile_of(target).passes)) {
    return std::nullopt;
  }
  try {
    auto launch =
        in_turns({program.launches[0], first.repeat}, {program.launches[1], second.repeat},
                 sonoma::alone(both.problem), wish, target);
    if (!launch) return std::nullopt;
    Program result = program;
    result.launches.erase(result.launches.begin());
    result.launches.front() = *launch;
    result.axes.erase(result.axes.begin());
    result.axes.front() = {both.axis, launch->fusion->whole, both.repeat, 1, 0, both.problem.n()};
    if (alone) result.axes.clear(), result.workspace_points = both.problem.n();
    return result;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

}  // namespace

Program in_turns_or(const Program& program, const FftProblem& problem, const Tuning& wish,
                    const Target& target) {
  if (auto one = with_axes_in_turns(program, problem, wish, target)) return *one;
  if (!wish.fused.value_or(false)) return program;
  throw UnsupportedProblem("fused", to_shape(problem.lengths),
                           "two axes in one launch, complex points of powers of two by the engine "
                           "simt, rows one after the other, each axis by one block and all of them "
                           "tiles of as many points (block_points); drop it");
}

}  // namespace sonoma
