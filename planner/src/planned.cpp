#include "sonoma/planned.hpp"

#include "for_batch.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

// One transform at a time.
Tuning in_little_memory(Tuning tuning, const FftProblem& problem, const Target& target) {
  if (!takes_passes(problem, target, tuning)) return tuning;
  tuning.workspace_points = problem.n();
  tuning.fused = false;
  return tuning;
}

}  // namespace

Planned plan(const FftProblem& problem, const Target& target, const Choice& choice,
             const Tuning& wish, WorkspacePolicy policy) {
  const bool minimal = policy == WorkspacePolicy::minimal;
  const Tuning tuning = minimal ? in_little_memory(choice.tuning, problem, target) : choice.tuning;
  Planned planned{choice, make_program(problem, target, tuning), {}};
  planned.few = for_batch(planned.program, tuning, problem, target, wish);
  const bool larger =
      planned.few && planned.few->workspace_points > planned.program.workspace_points;
  if (minimal && larger) planned.few.reset();
  return planned;
}

Planned plan(const FftProblem& problem, const Target& target, const Platform& here,
             const Wisdom& wisdom, const Tuning& wish, WorkspacePolicy policy) {
  return plan(problem, target, choose(problem, target, here, wisdom, wish), wish, policy);
}

}  // namespace sonoma
