#include "search.hpp"

#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {

namespace {

// Columns move more than their points.
double waste_of(const Schedule& schedule, const FftProblem& problem, const Target& target) {
  const std::int64_t columns = subject_of(problem, {}).side_by_side;
  if (columns == 0) return 1;
  return waste_of_columns(static_cast<unsigned>(problem.n()), columns,
                          schedule.launch.transforms_per_block, profile_of(target).columns);
}

}  // namespace

Judged judged(Program program, const Tuning& wish, const Target& target) {
  Launch& launch = program.launches.front();
  if (program.launches.size() > 1 || launch.fusion) {  // several passes
    Tuning tuning = wish;
    tuning.fused = launch.fusion.has_value();
    return {program, {tuning, estimate_cost(program, target)}};
  }
  const Schedule made = schedule(launch.pass, target, launch.shape);
  const auto said = [](const Transfer& side) {
    return side.staged ? Staging::staged : Staging::direct;
  };
  launch.shape.staging = {said(made.load), said(made.store)};
  CostEstimate cost = estimate_cost(made, target);
  cost.total *= waste_of(made, program.problem, target);
  return {program, {tuning_of(launch.shape), cost}};
}

Judged Search::made(const Tuning& wish) const {
  return judged(make_program(problem, target, wish), wish, target);
}

std::optional<Candidate> Search::unseen(const Tuning& wish) {
  try {
    const Judged one = made(wish);
    return seen_.insert(one.program).second ? std::optional(one.candidate) : std::nullopt;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

std::vector<Candidate> Search::found() const {
  std::vector<Candidate> all;
  for (const auto& [key, candidate] : found_) all.push_back(candidate);
  return all;
}

}  // namespace sonoma
