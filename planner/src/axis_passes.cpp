// Several axes that no block takes, in two passes over memory: which, and of what kernels.
#include <algorithm>

#include "axes.hpp"
#include "pass_lengths.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

bool suits(const FftProblem& problem, const Tuning& wish) {
  return problem.lengths.size() > 1 && std::ranges::all_of(problem.lengths, is_power_of_two) &&
         is_contiguous(single_pass(problem)) && problem.domain == Domain::c2c &&
         !problem.convolution && problem.ends == Ends{} && !convolves(wish) &&
         wish.engine.value_or(Engine::simt) == Engine::simt && admits_simt(problem.accuracy) &&
         !(wish.decomposition && wish.decomposition->n() == problem.n());
}

// In two rounds, which more than one axis takes, a tile has three quarters of its bytes.
bool fits(std::int64_t points, std::int64_t last_axis, const AxisRules& rules,
          const Target& target) {
  const auto steps = std::ranges::find(rules.steps, points, &FastSteps::length);
  const bool rounds =
      points > last_axis && steps != rules.steps.end() && steps->of == FastSteps::Of::in_rounds;
  return points * (rounds ? 6 : 8) <= std::int64_t{target.shared_bytes};
}

// Those of least time, whatever the batch, on which the results must not depend; nothing: there are
// none.
Lengths default_axis_lengths(const FftProblem& problem, const AxisRules& rules,
                             const Target& target) {
  const auto tile =
      std::ranges::find_if(rules.fused, [&](const auto& one) { return problem.n() <= one.most; });
  if (tile != rules.fused.end() && tile->points >= problem.lengths.back() &&
      fits(tile->points, problem.lengths.back(), rules, target)) {
    return {tile->points, problem.n() / tile->points};
  }
  Lengths best;
  double least = 0;
  for (const auto& [points, first] : rules.first) {
    const Lengths lengths = {points, problem.n() / points};
    const auto second = std::ranges::find_if(
        rules.second, [&](const auto& one) { return lengths[1] <= one.points; });
    const bool serve = points >= problem.lengths.back() && lengths[1] > 1;
    if (!serve || !fits(points, problem.lengths.back(), rules, target) ||
        second == rules.second.end())
      continue;
    if (best.empty() || first + second->time < least) {
      best = lengths, least = first + second->time;
    }
  }
  return best;
}

bool names_them(const Tuning& wish, const FftProblem& problem) {
  return wish.pass_lengths && product_of(*wish.pass_lengths) == problem.n();
}

// FP32 lies between the passes in the output, where nothing else is.
void keep_in_output(Program& program) {
  const FftProblem& problem = program.problem;
  Launch& first = program.launches.front();
  if (program.launches.size() != 2 || problem.placement == Placement::in_place ||
      problem.result_storage() != first.pass.out.storage) {
    return;
  }
  first.to = program.launches.back().from = Buffer::output;
  program.workspace_points = program.transforms_together = 0;
}

// Those that are asked for, or the fastest; nothing where there are none.
std::optional<Lengths> axis_lengths(const FftProblem& problem, const Target& target,
                                    const Tuning& wish) {
  const bool named = names_them(wish, problem);
  if ((wish.pass_lengths && !named) || !suits(problem, wish)) return std::nullopt;
  if (named) return wish.pass_lengths;
  Lengths lengths = default_axis_lengths(problem, profile_of(target).axes, target);
  return lengths.empty() ? std::nullopt : std::optional(std::move(lengths));
}

}  // namespace

std::optional<Program> axes_in_passes(const FftProblem& whole, const Target& target,
                                      const Tuning& wish) {
  const FftProblem problem = of_long_axes(whole);
  const auto lengths = axis_lengths(problem, target, wish);
  if (!lengths) return std::nullopt;
  check_axis_lengths(*lengths, problem);
  const std::vector<Pass> passes = axis_passes(alone(problem), *lengths);
  Program program = of_passes(problem, passes, wish, target);
  keep_in_output(program);
  return program;
}

Planned plan_in_passes(const FftProblem& problem, const Target& target, const Tuning& wish) {
  Planned planned;
  planned.program = axes_in_passes(problem, target, wish).value();
  planned.choice.tuning = wish;
  planned.choice.tuning.pass_lengths = planned.program.launches.front().pass.part->lengths;
  planned.choice.reason =
      "axes in passes of " + to_list(*planned.choice.tuning.pass_lengths) +
      (wish.pass_lengths ? " points, as asked for" : " points, the default, nothing was measured");
  return planned;
}

namespace {

// Three phases, of which the first one, of 32 points, is where an axis ends.
Tuning with_steps(const Tuning& given, const Pass& pass, const FftProblem& one,
                  const DeviceProfile& profile) {
  Tuning tuning = given;
  if (given.decomposition || given.radix || given.points_per_thread || given.registers) {
    return tuning;
  }
  const auto fast = std::ranges::find(profile.axes.steps, one.n(), &FastSteps::length);
  if (pass.in.stride != 1 || fast == profile.axes.steps.end() ||
      given.block_points.value_or(one.n()) != one.n())
    return tuning;
  tuning.decomposition = fast->steps;
  if (fast->of == FastSteps::Of::in_rounds && !given.rounds && !given.cluster) {
    tuning.rounds = 2, tuning.points_per_thread = 32, tuning.registers = 128;
  }
  return tuning;
}

}  // namespace

// One transform of a block, its steps cut where an axis ends.
Shape shape_over_axes(const Pass& pass, const Tuning& given, const Target& target) {
  const FftProblem one = as_one_axis(pass.problem, given);
  const Tuning tuning = with_steps(given, pass, one, profile_of(target));
  Shape shape = resolve(tuning, one, target);
  const auto own = cut_at_axes(shape.tree.decomposition, pass.problem.lengths);
  shape.tree.decomposition = own.value_or(side_by_side(pass.problem.lengths));
  check(shape, one);
  return shape;
}

}  // namespace sonoma
