// Convolutions with a filter over several axes, on the emulated device: by the whole protocol; in
// random memory, with spectra of their own; against sums over the taps.
#include <gtest/gtest.h>

#include <ostream>
#include <random>

#include "filters.hpp"
#include "laid_out.hpp"
#include "random_problem.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/program.hpp"
#include "sonoma/verify/convolution.hpp"

namespace sonoma::test {
namespace {

using verification::Complex;
using verification::ComplexD;
using Shape = std::vector<std::int64_t>;

struct Case {
  FftProblem problem;
  Tuning tuning = {};
};
void PrintTo(const Case& c, std::ostream* out) { *out << to_string(c.problem); }

class FiltersOfAxes : public testing::TestWithParam<Case> {};

TEST_P(FiltersOfAxes, MeetTheProtocol) {
  const auto report = protocol_report(GetParam().problem, GetParam().tuning);
  EXPECT_TRUE(report.pass()) << to_string(report);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const Shape& shape, bool real) -> FftProblem& {
    return all.emplace_back(Case{problem_of(shape, real)}).problem;
  };
  // In one launch.
  add({16, 64}, false);
  add({6, 4, 5}, false).convolution->correlate = true;
  add({8, 32}, false).placement = Placement::in_place;
  add({32, 8}, false).storage = Storage::f16;
  // Axis by axis.
  add({12, 20}, true);
  add({4, 6, 10}, true).convolution->correlate = true;
  add({9, 15}, true).placement = Placement::in_place;
  add({64, 1}, true);
  add({1, 64}, true).scale = 0.25;
  add({24, 16}, true).storage = Storage::f16;
  add({16, 12}, false).ends = {9, 8, "", "", {13}, {16}};
  add({20, 24}, true).ends = {17, 16, "", "", {9}, {14}};
  add({5, 8, 12}, true).ends = {0, 12, "", "", {3, 6}, {5, 8}};
  add({16, 64}, false);
  all.back().tuning.engine = Engine::mma;
  add({1024, 4}, true);  // the first axis in passes
  all.back().tuning.pass_lengths = {32, 32};
  return all;
}

INSTANTIATE_TEST_SUITE_P(Requests, FiltersOfAxes, testing::ValuesIn(cases()));

// ---- anywhere in memory, each with its own spectrum

class RandomFilters : public testing::TestWithParam<Case> {};

TEST_P(RandomFilters, AreThoseOfTheReference) {
  const FftProblem& problem = GetParam().problem;
  expect_reference(plan_of(problem, problem.batch));
}

std::vector<Case> random_cases() {
  std::mt19937 random(2034);
  std::vector<Case> all;
  for (int i = 0; i < 18; ++i) {
    FftProblem problem = random_convolution(random);
    if (i % 2 == 1) cut(problem, random);
    if (i % 2 == 1 || i % 3 == 0) lay_out(problem, random, 3);
    if (i % 4 == 3) add_channels(problem, random);
    spread_spectra(problem, random);
    if (random() % 6 == 0) problem.storage = Storage::f16;
    all.push_back({problem});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Requests, RandomFilters, testing::ValuesIn(random_cases()));

// ---- against sums over the taps

/// Rows and columns of an image and of a filter.
struct Plane {
  std::int64_t rows, columns;
  std::vector<Complex> points;

  [[nodiscard]] ComplexD at(std::int64_t i, std::int64_t j) const {
    const bool there = i >= 0 && i < rows && j >= 0 && j < columns;
    return there ? ComplexD(points[static_cast<std::size_t>(i * columns + j)]) : ComplexD{};
  }
};

// Of what lies within x.
ComplexD sum_at(std::int64_t i, std::int64_t j, const Plane& x, const Plane& h, bool correlate) {
  ComplexD sum = 0;
  for (std::int64_t a = 0; a < h.rows; ++a) {
    for (std::int64_t b = 0; b < h.columns; ++b) {
      sum +=
          correlate ? std::conj(h.at(a, b)) * x.at(i + a, j + b) : h.at(a, b) * x.at(i - a, j - b);
    }
  }
  return sum;
}

TEST(FilterOfAPlane, IsALinearConvolutionOfAPaddedImage) {
  for (const bool real : {false, true}) {
    for (const bool correlate : {false, true}) {
      FftProblem problem = problem_of({15, 24}, real);
      problem.ends = {21, 21, "", "", {11}, {11}};
      problem.scale = 1.0 / 360;
      problem.convolution->correlate = correlate;
      const Plane x{11, 21, some_points(11 * 21, real, 0.13)}, h{5, 4, some_points(20, real, 0.7)};
      const FftProblem wanted = spectrum_problem(problem, {h.rows, h.columns});
      const auto y =
          executed(plan_of(problem, 1), x.points, executed(plan_of(wanted, 1), h.points));
      for (std::int64_t i = 0; i < 11; ++i) {
        for (std::int64_t j = 0; j < 21; ++j) {
          const Complex value = y[static_cast<std::size_t>(i * 21 + j)];
          EXPECT_LT(std::abs(ComplexD(value) - sum_at(i, j, x, h, correlate)), 400 * 0x1p-24)
              << i << ", " << j;
        }
      }
    }
  }
}

// ---- launches, and what is refused

TEST(FilterOfAxes, TakesOneLaunchMoreForEachWayOfAnAxis) {
  const auto launches = [](const FftProblem& problem) {
    return plan_of(problem, 1).program().launches.size();
  };
  EXPECT_EQ(launches(problem_of({16, 16})), 1u);
  EXPECT_EQ(launches(problem_of({16, 16}, true)), 3u);
  EXPECT_EQ(launches(problem_of({4, 16, 16}, true)), 3u);  // planes in one
  FftProblem padded = problem_of({16, 16});
  padded.ends.in_length = 9;
  EXPECT_EQ(launches(padded), 3u);
}

std::string refusal(const Shape& shape, const Shape& taps) {
  try {
    (void)spectrum_problem(problem_of(shape), taps);
  } catch (const UnsupportedProblem& error) {
    return error.what();
  }
  return "nothing";
}

TEST(FilterOfAxes, RefusesOtherLengthsAndTaps) {
  EXPECT_EQ(refusal({8, 67}, {1, 1})
                .find("lengths[1] = 67 is not supported: a product of primes up "
                      "to 61 for a convolution: the next one is 68"),
            0u);
  EXPECT_NE(refusal({1, 1}, {1, 1}).find("the next one is 2"), std::string::npos);
  EXPECT_NE(refusal({8, 8}, {4}).find("taps = 4 is not supported: the taps along each of 2 axes"),
            std::string::npos);
  EXPECT_NE(refusal({8, 8}, {4, 9}).find("taps = 4x9 is not supported: 1 to 8x8"),
            std::string::npos);
  EXPECT_EQ(refusal({8, 8}, {4, 8}), "nothing");
  FftProblem problem = problem_of({8, 8});
  problem.convolution->spectrum_stride = 0;
  EXPECT_THROW(validate(problem), UnsupportedProblem);
}

}  // namespace
}  // namespace sonoma::test
