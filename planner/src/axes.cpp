// A transform of several axes: the plan of each, one after the other.
#include "decide.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/passes.hpp"

namespace sonoma {

Planned plan_axes(const FftProblem& problem, const Tuning& wish, const PlanOfAxis& plan_one) {
  std::vector<Program> fast, taken;
  Planned whole;
  whole.choice.tuning = wish;
  bool few = false;
  for (const AxisTransform& axis : axis_transforms(problem)) {
    const Planned one = plan_one(axis.problem, whole.choice.axes.size());
    whole.choice.reason += (fast.empty() ? "axis of " : "; of ") +
                           std::to_string(axis.problem.n()) + ": " + one.choice.reason;
    whole.choice.axes.push_back(one.choice);
    fast.push_back(one.program);
    taken.push_back(one.taken());
    few = few || one.few;
  }
  whole.program = joined(problem, fast);
  if (few) whole.few = joined(problem, taken);
  return whole;
}

}  // namespace sonoma
