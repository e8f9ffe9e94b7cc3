// From choices to what a plan executes.
#include <optional>
#include <utility>

#include "decide.hpp"
#include "sonoma/choose.hpp"

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

}  // namespace

Decided decide(const FftProblem& problem, const Target& target, const Choice& choice,
               WorkspacePolicy policy) {
  Tuning tuning = choice.tuning;
  if (policy == WorkspacePolicy::minimal && takes_passes(problem, target, tuning)) {
    tuning.workspace_points = problem.n(), tuning.fused = false;  // one transform at a time
  }
  Program program = make_program(problem, target, tuning);
  return {choice, std::move(tuning), std::move(program)};
}

Planned plan(const FftProblem& problem, const Target& target, const Choice& choice,
             const Tuning& wish, WorkspacePolicy policy) {
  if (problem.lengths.size() > 1 && choice.axes.empty()) {
    Program whole = axes_together(problem, target, under(policy, choice.tuning)).value();
    auto few = few_in_one_launch(whole, choice.tuning, problem, target, wish);
    return {choice, std::move(whole), std::move(few)};
  }
  if (problem.lengths.size() > 1) {
    const auto axes = launched_axes(problem, target, choice.tuning);
    return plan_axes(problem, axes, under(policy, choice.tuning),
                     [&](const FftProblem& axis, const Tuning& own, std::size_t i) {
                       return plan(axis, target, choice.axes.at(i), own, policy);
                     });
  }
  const auto half = plan_in_pairs(problem, target, [&](const FftProblem& pairs) {
    return plan(pairs, target, choice, wish, policy);
  });
  if (half) return *half;
  return planned_on_axis(problem, target, decide(problem, target, choice, policy), wish, policy);
}

Planned plan(const FftProblem& problem, const Target& target, const Platform& here,
             const Wisdom& wisdom, const Tuning& wish, WorkspacePolicy policy) {
  if (problem.lengths.size() > 1) {
    validate(problem);
    const auto axes = launched_axes(problem, target, wish);
    if (share_a_launch(axes)) {
      if (auto measured = measured_itself(problem, target, here, wisdom, wish, policy)) {
        return planned_together(problem, target, std::move(*measured), wish);
      }
    }
    if (share_a_launch(axes) && !in_one_launch(problem, target, wish)) {
      return plan_in_passes(problem, target, under(policy, wish));
    }
    if (share_a_launch(axes)) {
      const Choice one = choose(as_one_axis(problem), target, here, wisdom, wish);
      return plan_in_one_launch(problem, target, wish, one);
    }
    return plan_axes(problem, axes, under(policy, wish),
                     [&](const FftProblem& axis, const Tuning& own, std::size_t) {
                       return plan(axis, target, here, wisdom, own, policy);
                     });
  }
  if (problem.domain != Domain::c2c) validate(problem);
  if (auto measured = measured_itself(problem, target, here, wisdom, wish, policy)) {
    return planned_on_axis(problem, target, std::move(*measured), wish, policy);
  }
  const auto half = plan_in_pairs(problem, target, [&](const FftProblem& pairs) {
    Planned planned = plan(pairs, target, here, wisdom, wish, policy);
    planned.choice.reason =
        "pairs as " + std::to_string(pairs.n()) + " complex points: " + planned.choice.reason;
    return planned;
  });
  if (half) return *half;
  return planned_on_axis(problem, target, decide(problem, target, here, wisdom, wish, policy), wish,
                         policy);
}

}  // namespace sonoma
