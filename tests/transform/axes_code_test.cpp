// Code of the caller's in transforms of several axes, and in loops, on the emulated device: it sees
// every point once, with its number, its index along each axis and its transform.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "laid_out.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/resolve.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Shape = std::vector<std::int64_t>;

struct Case {
  FftProblem problem;
};
void PrintTo(const Case& c, std::ostream* out) { *out << to_string(c.problem); }

FftProblem problem_of(const Shape& shape, Domain domain = Domain::c2c, const Ends& ends = {}) {
  FftProblem problem;
  problem.lengths = shape, problem.batch = 2, problem.domain = domain, problem.ends = ends;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return problem;
}

// Powers of two, so that products are exact.
float factor_of(const Shape& indices, std::int64_t transform) {
  float factor = std::ldexp(1.0f, static_cast<int>(transform));
  for (std::size_t a = 0; a < indices.size(); ++a) {
    if (indices[a] % static_cast<std::int64_t>(a + 2) == 1) factor *= 0.5f;
  }
  return factor;
}

// The same as code, times a factor of its own for every point.
std::string code_of(std::size_t axes, std::int64_t first) {
  std::string factor =
      "static_cast<const float*>(user)[" + std::to_string(first) + " + index]\n* (1u << transform)";
  for (std::size_t a = 0; a < axes; ++a) {
    const std::string index = axes == 1 ? "index" : "i" + std::to_string(a);
    factor += " * (" + index + " % " + std::to_string(a + 2) + "u == 1u ? 0.5f : 1.0f)";
  }
  return "make_float2(value.x * " + factor + ",\n value.y * " + factor + ")";
}

struct Factors {
  std::vector<float> of_points;  ///< of the input, then of the output
  std::size_t first_out = 0;
};

Factors random_factors(std::size_t in, std::size_t out) {
  std::mt19937 random(11);
  Factors factors{std::vector<float>(in + out), in};
  for (float& factor : factors.of_points) factor = std::ldexp(1.0f, static_cast<int>(random() % 3));
  return factors;
}

// Points that one index tells apart.
std::size_t points_told(const FftProblem& problem, bool input) {
  std::int64_t points = input ? problem.in_length() : problem.out_length();
  for (const Loop& loop : problem.layout.loops) points += (loop.count - 1) * loop.index(input);
  return static_cast<std::size_t>(points);
}

// Multiplies every point, or divides it.
template <class Points>
void times_factors(const FftProblem& problem, bool input, const Factors& factors, bool divides,
                   Points& memory) {
  const std::vector<Axis> axes = problem.axes();
  const std::vector<std::int64_t> where = places(problem, input), from = starts(problem, input);
  const std::int64_t each = std::ssize(from) / problem.batch;  // of the loops
  for (std::size_t b = 0; b < from.size(); ++b) {
    const auto loop = static_cast<std::int64_t>(b) % each;
    for (std::size_t i = 0; i < where.size(); ++i) {
      Shape indices(axes.size());
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t a = axes.size(); a-- > 0; rest /= axes[a].length(input)) {
        indices[a] = rest % axes[a].length(input);
      }
      const std::int64_t step =
          problem.layout.loops.empty() ? 0 : problem.layout.loops[0].index(input);
      const std::size_t told = i + static_cast<std::size_t>(loop * step);
      if (axes.size() == 1) indices[0] = static_cast<std::int64_t>(told);
      float factor = factor_of(indices, static_cast<std::int64_t>(b) / each) *
                     factors.of_points[told + (input ? 0 : factors.first_out)];
      if (divides) factor = 1 / factor;
      memory[static_cast<std::size_t>(guard_of(problem, input) + from[b] + where[i])] *= factor;
    }
  }
}

Memory executed(const FftProblem& problem, const Memory& in, const Factors& factors) {
  FftProblem with_code = problem;
  with_code.ends.load_code = code_of(problem.lengths.size(), 0);
  with_code.ends.store_code =
      code_of(problem.lengths.size(), static_cast<std::int64_t>(factors.first_out));
  PlanOptions options;
  options.device = Device::cpu;
  const Plan plan = make_plan(with_code, options);
  Memory out = output_before(problem, in);
  execute_on(plan, in, out, nullptr, factors.of_points.data());
  return out;
}

class AxesCode : public testing::TestWithParam<Case> {};

TEST_P(AxesCode, SeesEveryPointItsIndicesAndItsTransform) {
  const FftProblem& problem = GetParam().problem;
  const Memory in = random_input(problem);
  const Factors factors = random_factors(points_told(problem, true), points_told(problem, false));
  Memory out = executed(problem, in, factors);
  Memory changed = in;
  times_factors(problem, true, factors, false, changed);
  times_factors(problem, false, factors, true, out);
  PlanOptions options;
  options.device = Device::cpu;
  const double limit = error_limit(make_plan(problem, options).program());
  expect_transforms(problem, expected_by_rows(problem, changed), out, output_before(problem, in),
                    limit);
}

std::vector<Case> cases() {
  std::vector<Case> all = {{problem_of({6, 8})},
                           {problem_of({1, 12})},
                           {problem_of({4, 3, 10}, Domain::c2c, {7, 9, "", "", {5, 2}, {4, 3}})},
                           {problem_of({6, 16}, Domain::r2c)},  // in pairs
                           {problem_of({5, 9}, Domain::r2c, {8, 3, "", "", {3}, {4}})},
                           {problem_of({6, 16}, Domain::c2r)},
                           {problem_of({4, 5, 6}, Domain::c2r, {3, 5, "", "", {3, 7}, {2, 5}})},
                           {problem_of({19, 6})}};
  FftProblem& placed = all.emplace_back(Case{problem_of({8, 6})}).problem;
  placed.placement = Placement::in_place;
  // A loop that code is told of.
  for (const Domain domain : {Domain::c2c, Domain::r2c, Domain::c2r}) {
    FftProblem& columns = all.emplace_back(Case{problem_of({12}, domain)}).problem;
    const std::int64_t in = columns.in_length(), out = columns.out_length();
    columns.layout = {5, 5, 5 * in, 5 * out, {{5, 1, 1, in, out}}};
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, AxesCode, testing::ValuesIn(cases()));

void expect_refused(const FftProblem& problem, const std::string& field, const char* part) {
  try {
    validate(problem);
    ADD_FAILURE() << to_string(problem);
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), field);
    EXPECT_NE(error.allowed().find(part), std::string::npos) << error.allowed();
  }
}

TEST(AxesCode, WhatItCannotBeToldIsRefused) {
  FftProblem loops = problem_of({4, 8});
  loops.ends.store_code = "value";
  loops.layout.loops = {{3, 64, 64}};
  loops.layout.in_dist = loops.layout.out_dist = 192;
  expect_refused(loops, "layout.loops[0].out_index", "what one more of the loop adds");
  loops.layout.loops.front().out_index = 32;
  EXPECT_NO_THROW(validate(loops));
  FftProblem large = problem_of({1 << 16, 1 << 16});
  large.ends.load_code = "value";
  large.ends.in_lengths = {1 << 17};
  expect_refused(large, "ends.in_length", "up to 2^32 points");
  large.ends.in_lengths = {1 << 14};
  EXPECT_NO_THROW(validate(large));
}

}  // namespace
}  // namespace sonoma::test
