// Arithmetic packed: the kernel of half as many points in FP32, over FP16's memory.
#include "sonoma/packed.hpp"

#include <algorithm>

#include "decide.hpp"
#include "half.hpp"
#include "measured.hpp"
#include "packed.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/schedule.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// Below, both are as fast as a copy of the points.
constexpr std::int64_t least_gain = 4096;

bool is_open(const Tuning& wish) {
  return wish.engine.value_or(Engine::simt) == Engine::simt && !wish.products && !wish.sums;
}

// Allowed, and faster where it serves: see require_gain().
bool is_admitted(const FftProblem& problem, const Tuning& wish) {
  const auto& most = problem.accuracy.max_rel_l2;
  return most && is_open(wish) && problem.n() >= least_gain && lacks_for_packed(problem).empty() &&
         error_limit(problem, {.arithmetic = Arithmetic::packed}) <= *most;
}

// Factors that are products of constants have no form for two points.
Shape packed_shape(Shape shape) {
  shape.arithmetic = Arithmetic::packed, shape.sums = Sums::fp32;
  if (shape.twiddles == Twiddles::constants) shape.twiddles = Twiddles::powers;
  return shape;
}

bool has_steps(const Program& half) {
  return std::ranges::none_of(half.launches, [](const Launch& launch) {
    return launch.shape.convolves() || (launch.pass.part && launch.pass.part->convolution);
  });
}

// Of several launches lengths that are no powers of two were measured to be faster and slower.
void require_gain(const FftProblem& problem, const Program& half) {
  const bool one = half.launches.size() == 1 && !half.launches.front().fusion;
  if (names_packed(problem) || one || is_power_of_two(problem.n())) return;
  throw UnsupportedProblem("accuracy", to_string(problem.accuracy), "packed by name");
}

Program packed(const FftProblem& problem, const Program& half, const Target& target) {
  if (!has_steps(half)) {
    throw UnsupportedProblem("accuracy", to_string(Arithmetic::packed),
                             "an n whose half, " + std::to_string(half.problem.n()) +
                                 ", has no prime factor above 61; simt serves every request");
  }
  require_gain(problem, half);
  Program program = half;
  program.problem = alone(problem);
  for (Launch& launch : program.launches) {
    launch.pass = packed_pass(std::move(launch.pass), problem);
    launch.shape = packed_shape(launch.shape);
    (void)outline(launch.pass, target, launch.shape);
    if (!launch.fusion) continue;
    launch.fusion->pass = packed_pass(std::move(launch.fusion->pass), problem);
    launch.fusion->shape = packed_shape(launch.fusion->shape);
  }
  check_accuracy(program, problem.accuracy);
  return program;
}

void require_simt(const Tuning& wish) {
  if (is_open(wish)) return;
  throw UnsupportedProblem("accuracy", to_string(Arithmetic::packed),
                           "engine simt, and no products or sums");
}

}  // namespace

bool names_packed(const FftProblem& problem) {
  return problem.accuracy.arithmetic == Arithmetic::packed;
}

bool may_be_packed(const FftProblem& problem, const Tuning& wish) {
  return names_packed(problem) || is_admitted(problem, wish);
}

void require_packed(const FftProblem& problem) {
  if (names_packed(problem)) (void)packed_half(problem);
}

namespace {

// What `make` makes, where the arithmetic may be taken. Nothing where it does not serve, unless it
// is named.
template <class Make>
auto where_it_serves(const FftProblem& problem, const Tuning& wish, Make&& make)
    -> std::optional<decltype(make(problem))> {
  if (!may_be_packed(problem, wish)) return std::nullopt;
  try {
    require_simt(wish);
    return make(packed_half(problem));
  } catch (const UnsupportedProblem&) {
    if (names_packed(problem)) throw;
    return std::nullopt;
  }
}

}  // namespace

std::optional<Program> in_packed(const FftProblem& problem, const Target& target,
                                 const Tuning& wish) {
  return where_it_serves(problem, wish, [&](const FftProblem& half) {
    return packed(problem, make_program(half, target, wish), target);
  });
}

std::optional<Planned> plan_packed(const FftProblem& problem, const Target& target,
                                   const Tuning& wish, const PlanOfHalf& plan_half) {
  return where_it_serves(problem, wish, [&](const FftProblem& half) {
    Planned planned = plan_half(half);
    planned.program = packed(problem, planned.program, target);
    if (planned.few) planned.few = packed(problem, *planned.few, target);
    planned.choice.measured.reset();  // that was another kernel
    return planned;
  });
}

}  // namespace sonoma
