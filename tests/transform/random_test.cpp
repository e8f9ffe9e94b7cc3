// Random requests on the emulated device, against FFTW's guru interface: axes, lengths, loops,
// strides, placement, domain, padding and cropping. Memory between, before and behind the points
// must stay as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <vector>

#include "laid_out.hpp"
#include "random_problem.hpp"
#include "sonoma/resolve.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

struct Case {
  FftProblem problem;
};
void PrintTo(const Case& c, std::ostream* out) { *out << to_string(c.problem); }

std::vector<Case> random_cases(unsigned seed, int count, bool ends) {
  std::mt19937 random(seed);
  std::vector<Case> cases;
  while (std::ssize(cases) < count) {
    FftProblem problem = random_problem(random);
    if (ends) cut(problem, random);
    if (ends || random() % 4 != 0) lay_out(problem, random, 3);
    if (random() % 4 == 0) problem.storage = Storage::f16;
    cases.push_back({problem});
  }
  return cases;
}

Plan plan_of(const FftProblem& problem) {
  PlanOptions options;
  options.device = Device::cpu;
  return make_plan(problem, options);
}

Memory result_of(const Plan& plan, const Memory& in) {
  Memory out = output_before(plan.problem(), in);
  execute_on(plan, in, out);
  return out;
}

// The points of all transforms, the first one's first.
Memory points_of(const FftProblem& problem, bool input, const Memory& memory) {
  Memory points;
  for (const std::int64_t start : starts(problem, input)) {
    for (const std::int64_t place : places(problem, input)) {
      points.push_back(memory[static_cast<std::size_t>(guard_of(problem, input) + start + place)]);
    }
  }
  return points;
}

// Of one axis frequencies 0 and n / 2 of real numbers are real; not where a chirp is rounded.
void expect_real_frequencies(const Plan& plan, const Memory& points) {
  const FftProblem& problem = plan.problem();
  const bool rounds = roundings_of(plan.program()).convolution_points != 0;
  if (problem.domain != Domain::r2c || problem.lengths.size() > 1 || rounds) return;
  const std::int64_t n = problem.n(), stored = problem.out_length();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int64_t k = static_cast<std::int64_t>(i) % stored;
    if (k != 0 && 2 * k != n) continue;
    EXPECT_EQ(points[i].imag(), 0) << k;
  }
}

class Random : public testing::TestWithParam<Case> {};

TEST_P(Random, IsThatOfFftwAndItsBitsAreThoseOfOneOfTheBatch) {
  FftProblem problem = GetParam().problem;
  const Plan plan = plan_of(problem);
  const Memory in = random_input(problem);
  const Memory out = result_of(plan, in);
  expect_transforms(problem, expected_by_rows(problem, in), out, output_before(problem, in),
                    error_limit(plan.program()));
  const Memory points = points_of(problem, false, out);
  expect_real_frequencies(plan, points);
  // The first of the batch alone, in the same memory.
  problem.layout.in_dist = problem.in_dist(), problem.layout.out_dist = problem.out_dist();
  const auto batch = static_cast<std::size_t>(problem.batch);
  problem.batch = 1;
  Memory one = in;
  one.resize(random_input(problem).size());
  const Memory alone = points_of(problem, false, result_of(plan_of(problem), one));
  ASSERT_EQ(alone.size() * batch, points.size());
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), points.begin()));
}

INSTANTIATE_TEST_SUITE_P(Whole, Random, testing::ValuesIn(random_cases(2031, 12, false)));
INSTANTIATE_TEST_SUITE_P(Cut, Random, testing::ValuesIn(random_cases(2032, 18, true)));

}  // namespace
}  // namespace sonoma::test
