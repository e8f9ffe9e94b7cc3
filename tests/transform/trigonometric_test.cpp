// Cosine and sine transforms on the emulated device, against FFTW; memory between, before and
// behind the numbers must stay as it was.
#include "sonoma/trigonometric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "laid_out.hpp"
#include "random_problem.hpp"
#include "real_cases.hpp"
#include "sonoma/resolve.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using enum Domain;
constexpr Domain domains[] = {dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4};

class Trigonometric : public testing::TestWithParam<RealCase> {};

TEST_P(Trigonometric, IsFftwsAndNothingElseChanges) { expect_served(GetParam()); }

// (All small lengths in all domains: tests/templates/trigonometric_test.cpp.)
std::vector<RealCase> lengths() {
  RealCases cases;
  std::size_t turn = 0;
  for (const std::int64_t n : {1, 2, 3, 5, 8, 9, 16, 37, 64, 1000}) {
    const Domain domain = domains[(3 * turn + 1) % 8];
    FftProblem& problem = cases.problem(domain, {n}, n < 64 ? 5 : 2);
    if (turn % 2 == 0) problem.placement = Placement::in_place;
    if (turn % 3 == 0) problem.scale = 0.125;
    ++turn;
  }
  return cases.all;
}
INSTANTIATE_TEST_SUITE_P(Lengths, Trigonometric, testing::ValuesIn(lengths()));

// By half as many points: even and odd numbers of pairs, a few rows and many, side by side, spread
// out, in place, orthogonal.
std::vector<RealCase> pairs() {
  RealCases cases;
  const auto add = [&](Domain domain, std::int64_t n, std::int64_t batch) -> FftProblem& {
    return cases.problem(domain, {n}, batch);
  };
  add(dct2, 4, 5), add(dct3, 4, 5).placement = Placement::in_place;
  add(dct2, 10, 40).placement = Placement::in_place;
  add(dst3, 12, 33), add(dct3, 14, 3);
  add(dst2, 2048, 2).placement = Placement::in_place;
  add(dct3, 1000, 2).layout.out_stride = 2;
  add(dct1, 129, 3), add(dst1, 30, 3).placement = Placement::in_place;
  for (const Domain domain : {dst1, dct2, dst3}) {
    add(domain, 16, 2).layout = {5, 6, 80, 96, {{5, 1, 1}}};
  }
  return cases.all;
}
INSTANTIATE_TEST_SUITE_P(Pairs, Trigonometric, testing::ValuesIn(pairs()));

TEST(TrigonometricPairs, AreTaken) {
  for (const RealCase& c : pairs()) {
    const Program program = make_plan(c.problem, c.options).program();
    EXPECT_EQ(program.launches.at(0).pass.n(), c.problem.n() / 2) << to_string(c.problem);
  }
}

std::vector<RealCase> shapes() {
  RealCases cases;
  cases.problem(dct1, {6, 10}, 2);
  cases.problem(dst2, {3, 4, 2}, 2).placement = Placement::in_place;
  cases.problem(dct4, {5, 1}, 2);
  cases.problem(dst1, {3, 12000});  // an axis of several passes: a workspace
  return cases.all;
}
INSTANTIATE_TEST_SUITE_P(Shapes, Trigonometric, testing::ValuesIn(shapes()));

std::vector<RealCase> ways() {
  RealCases cases;
  std::size_t turn = 0;
  for (const Way& way : all_ways()) {
    RealCase c = real_case(trigonometric_problem(way, domains[turn++ % 8]));
    c.options.tuning = way.tuning;
    if (turn % 2 == 0) c.problem.placement = Placement::in_place;
    cases.all.push_back(c);
  }
  return cases.all;
}
INSTANTIATE_TEST_SUITE_P(Ways, Trigonometric, testing::ValuesIn(ways()));

std::vector<RealCase> storages() {
  RealCases cases;
  cases.problem(dst4, {64}, 3).storage = Storage::f16;
  cases.problem(dct3, {15}, 3).storage = Storage::bf16;
  FftProblem& integers = cases.problem(dct2, {5, 6}, 3);
  integers.storage = Storage::i16, integers.scale = 0.03125;
  return cases.all;
}
INSTANTIATE_TEST_SUITE_P(Storages, Trigonometric, testing::ValuesIn(storages()));

// Padded with zeros, and cropped on either side.
std::vector<RealCase> ends() {
  RealCases cases;
  std::size_t turn = 0;
  for (const Domain domain : domains) {
    FftProblem& problem = cases.problem(domain, {15}, 3);
    if (turn % 3 != 0) problem.ends.in_length = turn % 3 == 1 ? 10 : 19;
    if (turn % 4 < 2) problem.ends.out_length = 8;
    ++turn;
  }
  return cases.all;
}
INSTANTIATE_TEST_SUITE_P(Ends, Trigonometric, testing::ValuesIn(ends()));

std::vector<RealCase> layouts() {
  std::mt19937 random(2032);
  RealCases cases;
  const Shape lengths = {2, 3, 4, 5, 8, 9, 16, 17, 30, 37};
  while (cases.all.size() < 8) {
    Shape shape;
    for (auto rank = 1 + random() % 3; rank > 0; --rank) {
      shape.push_back(lengths[random() % lengths.size()]);
    }
    FftProblem problem = real_case(domains[cases.all.size() % 8], shape, 1 + random() % 4).problem;
    if (problem.points() > 2000) continue;
    if (random() % 2) problem.placement = Placement::in_place;
    lay_out(problem, random);
    cases.all.push_back(real_case(problem));
  }
  return cases.all;
}
INSTANTIATE_TEST_SUITE_P(Layouts, Trigonometric, testing::ValuesIn(layouts()));

// The numbers of a side, transform after transform.
std::vector<double> numbers_in(const FftProblem& problem, bool input, const Memory& memory) {
  std::vector<double> numbers;
  for (const std::int64_t start : starts(problem, input)) {
    for (const std::int64_t place : places(problem, input)) {
      const auto at = static_cast<std::size_t>(guard_of(problem, input) + start + place);
      numbers.push_back(static_cast<double>(memory[at].real()));
    }
  }
  return numbers;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += (a[i] - b[i]) * (a[i] - b[i]), norm += b[i] * b[i];
  }
  return std::sqrt(error / norm);
}

// That of the transform and of its inverse is gain_of() times what went in; with an orthogonal
// matrix, and the root of the gain, lengths stay too.
TEST(TrigonometricTransforms, AreInverses) {
  for (const Domain domain : domains) {
    for (const std::int64_t n : {9, 12}) {
      for (const bool orthogonal : {n == 9}) {
        FftProblem there = real_case(domain, {n}, 3).problem, back = there;
        back.domain = inverse_of(domain);
        normalize(there, orthogonal ? Normalization::ortho : Normalization::backward);
        normalize(back, orthogonal ? Normalization::ortho : Normalization::forward);
        PlanOptions options;
        options.device = Device::cpu;
        const Memory in = random_input(there);
        const Plan first = make_plan(there, options), second = make_plan(back, options);
        const Memory middle = result_of(first, in);
        const double limit = 2 * error_limit(first.program());
        const auto x = numbers_in(there, true, in), y = numbers_in(there, false, middle);
        EXPECT_LT(distance(numbers_in(back, false, result_of(second, middle)), x), limit)
            << to_string(there);
        double squares = 0;
        for (std::size_t i = 0; i < x.size(); ++i) squares += y[i] * y[i] - x[i] * x[i];
        EXPECT_TRUE(!orthogonal || std::abs(squares) < 1e-5) << to_string(there) << squares;
      }
    }
  }
}

}  // namespace
}  // namespace sonoma::test
