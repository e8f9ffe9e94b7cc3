// From choices to what a plan executes.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "axes.hpp"
#include "decide.hpp"
#include "for_batch.hpp"
#include "half.hpp"
#include "packed.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/schedule.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

Planned planned_on_axis(const FftProblem& problem, const Target& target, Decided decided,
                        const Tuning& wish, WorkspacePolicy policy) {
  auto few = for_batch(decided.program, decided.tuning, problem, target, wish);
  const bool larger = few && few->workspace_points > decided.program.workspace_points;
  if (policy == WorkspacePolicy::minimal && larger) few.reset();
  return {std::move(decided.choice), std::move(decided.program), std::move(few)};
}

// Of several axes, as measured: in one launch, or in passes.
Planned planned_together(const FftProblem& problem, const Target& target, Decided decided,
                         const Tuning& wish) {
  std::optional<Program> few;
  std::string& reason = decided.choice.reason;
  if (decided.tuning.pass_lengths) {
    reason = "axes in " + reason;
  } else {
    reason = "all axes in one launch, " + reason;
    few = few_in_one_launch(decided.program, decided.tuning, problem, target, wish);
  }
  return {std::move(decided.choice), std::move(decided.program), std::move(few)};
}

// Of several axes: those that share a launch go through a workspace.
Tuning under(WorkspacePolicy policy, Tuning wish) {
  if (policy == WorkspacePolicy::minimal && !wish.fused) wish.fused = false;
  return wish;
}

// Of pairs whose steps a thread makes one after the other: as one butterfly, which rounds less, as
// coprime factors take no twiddles then.
std::optional<Choice> as_one_butterfly(const Planned& pairs, const FftProblem& problem,
                                       const Target& target, const Tuning& wish) {
  const Launch& launch = pairs.program.launches.front();
  const Shape& shape = launch.shape;
  const bool steps = pairs.program.launches.size() == 1 &&
                     engine_of(shape.arithmetic) == Engine::simt && !shape.convolves() &&
                     shape.tree.decomposition.radices.size() > 1;
  if (!steps || wish.decomposition || wish.radix || problem.n() > largest_radix)
    return std::nullopt;
  if (outline(launch.pass, target, shape).phases.size() > 1) return std::nullopt;
  Choice choice = pairs.choice;
  choice.tuning = tuning_of(shape);
  choice.tuning.decomposition = Decomposition{{static_cast<unsigned>(problem.n())}};
  choice.measured.reset();  // that was another kernel
  choice.reason += "; its steps as one butterfly, which was not measured";
  return choice;
}

}  // namespace

Decided decide(const FftProblem& problem, const Target& target, const Choice& choice,
               WorkspacePolicy policy) {
  Tuning tuning = choice.tuning;
  if (policy == WorkspacePolicy::minimal && takes_passes(problem, target, tuning)) {
    // One transform at a time. Steps that were chosen for a tile of two passes stay.
    const Program chosen = make_program(problem, target, tuning);
    tuning.workspace_points = problem.n(), tuning.fused = false;
    if (share_a_launch(chosen) && !is_power_of_two(problem.n())) {
      return {choice, tuning, in_two_launches(chosen, problem, tuning, target)};
    }
  }
  Program program = make_program(problem, target, tuning);
  return {choice, std::move(tuning), std::move(program)};
}

namespace {

// Of a transform, or of the pairs of a real one.
enum class Of { whole, pairs };

// Pairs are packed no further.
Planned planned_by(const Choice& choice, const FftProblem& problem, const Target& target,
                   const Tuning& wish, WorkspacePolicy policy, Of of = Of::whole) {
  if (problem.lengths.size() > 1 && choice.axes.empty()) {
    const FftProblem all = of_all_axes(problem);
    Program whole = axes_together(all, target, under(policy, choice.tuning)).value();
    auto few = few_in_one_launch(whole, choice.tuning, all, target, wish);
    return {choice, std::move(whole), std::move(few)};
  }
  if (problem.lengths.size() > 1) {
    const auto axes = launched_axes(problem, target, choice.tuning);
    return plan_axes(problem, axes, under(policy, choice.tuning),
                     [&](const FftProblem& axis, const Tuning& own, std::size_t i) {
                       return planned_by(choice.axes.at(i), axis, target, own, policy);
                     });
  }
  if (of == Of::whole) {
    const auto packed = plan_packed(problem, target, wish, [&](const FftProblem& half) {
      return planned_by(choice, half, target, wish, policy);
    });
    if (packed) return *packed;
  }
  if (!choice.tuning.opposite.value_or(false)) {
    Tuning other = wish;
    other.opposite = false;
    const auto half = plan_in_pairs(problem, target, other, [&](const FftProblem& pairs) {
      return planned_by(choice, pairs, target, wish, policy, Of::pairs);
    });
    if (half) return *half;
  }
  return planned_on_axis(problem, target, decide(problem, target, choice, policy), wish, policy);
}

}  // namespace

Planned plan(const FftProblem& problem, const Target& target, const Choice& choice,
             const Tuning& wish, WorkspacePolicy policy) {
  validate(problem), validate(target), validate(choice.tuning), validate(wish);
  return planned_by(choice, problem, target, wish, policy);
}

namespace {

/// What a plan is made for, but the problem and the wish.
struct Place {
  const Target& target;
  const Platform& here;
  const Wisdom& wisdom;
  WorkspacePolicy policy;
  Refused& refused;
};

std::optional<Decided> measured_of(const FftProblem& problem, const Place& place,
                                   const Tuning& wish) {
  return measured_itself(problem, place.target, place.here, place.wisdom, wish, place.policy,
                         place.refused);
}

Planned plan_axis(const FftProblem& problem, const Place& place, const Tuning& wish,
                  Of of = Of::whole) {
  const auto& [target, here, wisdom, policy, refused] = place;
  const bool packs = of == Of::whole;
  if (auto measured = packs ? measured_of(problem, place, wish) : std::nullopt) {
    return planned_on_axis(problem, target, std::move(*measured), wish, policy);
  }
  const auto as_packed = [&](const FftProblem& half) {
    Planned planned = plan_axis(half, place, wish);
    planned.choice.reason = "two points at once in FP16, as " + std::to_string(half.n()) +
                            " points in FP32: " + planned.choice.reason;
    return planned;
  };
  if (const auto packed = packs ? plan_packed(problem, target, wish, as_packed) : std::nullopt) {
    return *packed;
  }
  const auto half = plan_in_pairs(problem, target, wish, [&](const FftProblem& pairs) {
    Planned planned = plan_axis(pairs, place, wish, Of::pairs);
    if (const auto one = as_one_butterfly(planned, pairs, place.target, wish)) {
      planned = planned_by(*one, pairs, place.target, wish, place.policy, Of::pairs);
    }
    planned.choice.reason =
        "pairs as " + std::to_string(pairs.n()) + " complex points: " + planned.choice.reason;
    return planned;
  });
  if (half) return *half;
  return planned_on_axis(
      problem, target, decide(problem, target, here, wisdom, wish, policy, refused), wish, policy);
}

// Of axes that share a launch.
Planned plan_sharing(const FftProblem& problem, const Place& place, const Tuning& wish,
                     std::optional<Decided> measured) {
  const auto& [target, here, wisdom, policy, refused] = place;
  if (measured) return planned_together(problem, target, std::move(*measured), wish);
  if (!in_one_launch(problem, target, wish)) {
    return plan_in_passes(problem, target, under(policy, wish));
  }
  // Rows of as many real numbers take no such clusters.
  const bool clusters = wish.cluster.value_or(1) > 1 && has_hermitian(problem.domain);
  return plan_in_one_launch(problem, target, wish,
                            clusters
                                ? Choice{wish, "as asked for", {}}
                                : choose(as_one_axis(problem, wish), target, here, wisdom, wish));
}

// They could share a launch, and were measured to be faster one after the other.
bool is_apart(const Decided& measured, const FftProblem& problem, const Target& target) {
  return says_each_axis(measured.tuning, problem) &&
         !share_a_launch(launched_axes(problem, target, measured.tuning));
}

// One after the other; some of them may share a launch.
Planned plan_apart(const FftProblem& problem, const std::vector<AxisTransform>& axes,
                   const Place& place, const Tuning& wish) {
  return plan_axes(problem, axes, under(place.policy, wish),
                   [&](const FftProblem& axis, Tuning own, std::size_t) {
                     // What shares a launch within an axis decide() takes apart, of the same steps;
                     // of several axes plan_sharing() does, where one launch does not serve.
                     if (!wish.fused) own.fused.reset();
                     if (axis.lengths.size() == 1) return plan_axis(axis, place, own);
                     auto measured = measured_of(axis, place, own);
                     if (measured && is_apart(*measured, axis, place.target)) measured.reset();
                     return plan_sharing(axis, place, own, std::move(measured));
                   });
}

Planned plan_request(const FftProblem& problem, const Place& place, const Tuning& wish) {
  if (problem.lengths.size() == 1) return plan_axis(problem, place, wish);
  const Target& target = place.target;
  const std::vector<AxisTransform> axes = launched_axes(problem, target, wish);
  if (!share_a_launch(axes)) return plan_apart(problem, axes, place, wish);
  const FftProblem& all = axes.front().problem;
  auto measured = measured_of(all, place, wish);
  if (!measured || !is_apart(*measured, all, target)) {
    return plan_sharing(all, place, wish, std::move(measured));
  }
  Tuning each = wish;
  each.pass_lengths = measured->tuning.pass_lengths;
  Planned planned = plan_apart(problem, launched_axes(problem, target, each), place, each);
  planned.choice.reason =
      "axis by axis, in " + measured->choice.reason + "; " + planned.choice.reason;
  planned.choice.measured = measured->choice.measured;
  return planned;
}

// Phases beyond those of all kernels are a mistake; which others have rows, is theirs: see
// phases_in_rows().
void require_phases_of_rows(const Tuning& wish, const Program& program, const Target& target) {
  if (!wish.rows) return;
  std::size_t most = 0;
  for (const Launch& launch : program.launches) {
    most = std::max(most, outline(launch.pass, target, launch.shape).phases_there());
  }
  if (*wish.rows >> most == 0) return;
  throw UnsupportedProblem("rows", to_step_list(*wish.rows),
                           "phases from 1 to " + std::to_string(most) +
                               ": no kernel of this plan has more; name some of these");
}

}  // namespace

Planned plan(const FftProblem& problem, const Target& target, const Platform& here,
             const Wisdom& wisdom, const Tuning& wish, WorkspacePolicy policy) {
  validate(problem), validate(target), validate(wish);
  require_packed(problem);
  Refused refused;
  Planned planned = plan_request(problem, {target, here, wisdom, policy, refused}, wish);
  planned.choice.refused = std::move(refused);
  require_phases_of_rows(wish, planned.program, target);
  return planned;
}

}  // namespace sonoma
