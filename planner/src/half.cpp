// Real transforms, and convolutions, of even length as complex ones of half the length, where those
// take one block. Of several axes in one launch: see axes.cpp.
#include <algorithm>

#include "decide.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/half_length.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma {

namespace {

// Four numbers of a cosine or sine transform take more registers than two points.
Shape with_numbers(Shape shape, const FftProblem& problem) {
  constexpr unsigned least = 48;
  if (is_trigonometric(problem.domain)) shape.registers = std::max(shape.registers, least);
  return shape;
}

// The same steps, on blocks with threads for all of a phase, where the pass needs these.
Shape without_laps(const Shape& shape, const Pass& pass, const Target& target) {
  if (shape.threads == 0 || pass.may_go_round()) return shape;
  Tuning wish;
  wish.method = shape.method, wish.engine = engine_of(shape.arithmetic);
  wish.decomposition = shape.tree.decomposition;
  return resolve(wish, pass, target);
}

}  // namespace

std::optional<Program> over_memory_of(const FftProblem& problem, const Program& half,
                                      const Target& target) {
  const Launch& launch = half.launches.front();
  const bool one = half.launches.size() == 1 && !launch.fusion;
  if (!one || launch.shape.convolves() || launch.shape.shares.parts() > 1) return std::nullopt;
  const Pass pass = half_length_pass(alone(problem));
  const Shape shape = with_numbers(without_laps(launch.shape, pass, target), problem);
  Program program{alone(problem), {{pass, shape}}};
  (void)schedule(program.launches.front().pass, target, shape);  // if there is room
  check_accuracy(program, problem.accuracy);
  return program;
}

std::optional<Program> in_pairs(const FftProblem& problem, const Target& target,
                                const Tuning& tuning) {
  const auto half = half_length(problem);
  if (!half || tuning.threads) return std::nullopt;
  try {
    return over_memory_of(problem, make_program(*half, target, tuning), target);
  } catch (const UnsupportedProblem&) {
    return std::nullopt;  // as complex numbers, then
  }
}

std::optional<Planned> plan_in_pairs(const FftProblem& problem, const Target& target,
                                     const Tuning& wish, const PlanOfHalf& plan_half) {
  const auto half = half_length(problem);
  if (!half || wish.threads) return std::nullopt;
  try {
    Planned planned = plan_half(*half);
    auto program = over_memory_of(problem, planned.program, target);
    if (!program) return std::nullopt;
    planned.program = std::move(*program);
    if (planned.few) planned.few = over_memory_of(problem, *planned.few, target);
    return planned;
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

}  // namespace sonoma
