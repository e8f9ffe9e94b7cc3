// Strided data on the emulated device, against rows that were gathered by hand; memory between the
// points must stay as it was.
#include <gtest/gtest.h>

#include <random>

#include "sonoma/errors.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

struct Case {
  std::int64_t n, batch;
  DataLayout layout;
  Placement placement = Placement::out_of_place;
  std::vector<std::int64_t> lengths = {};  // of passes; empty: one
};

FftProblem problem_of(const Case& c) {
  FftProblem problem;
  problem.lengths = {c.n};
  problem.batch = c.batch;
  problem.layout = c.layout;
  problem.placement = c.placement;
  return problem;
}

// Where the first point of every transform lies on a side, in the order batch, loops.
std::vector<std::int64_t> starts(const FftProblem& problem, bool input) {
  std::vector<std::int64_t> places;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    places.push_back(b * (input ? problem.in_dist() : problem.out_dist()));
  }
  for (const Loop& loop : problem.layout.loops) {
    const std::vector<std::int64_t> before = places;
    places.clear();
    for (const std::int64_t place : before) {
      for (std::int64_t i = 0; i < loop.count; ++i) {
        places.push_back(place + i * (input ? loop.in_stride : loop.out_stride));
      }
    }
  }
  return places;
}

constexpr Complex poison{12345.0f, -54321.0f};

std::vector<Complex> random_memory(std::int64_t points) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<Complex> memory(static_cast<std::size_t>(points));
  for (auto& x : memory) x = {normal(random), normal(random)};
  return memory;
}

class Layouts : public ::testing::TestWithParam<Case> {};

TEST_P(Layouts, TransformTheirRowsAndNothingElse) {
  const FftProblem problem = problem_of(GetParam());
  PlanOptions options;
  options.device = Device::cpu;
  if (!GetParam().lengths.empty()) options.tuning.pass_lengths = GetParam().lengths;
  const Plan plan = make_plan(problem, options);
  std::vector<Complex> in = random_memory(problem.in_points());
  std::vector<Complex> out(static_cast<std::size_t>(problem.out_points()), poison);
  const std::vector<Complex> given = in;
  const bool in_place = problem.placement == Placement::in_place;
  if (in_place) out = in;
  plan.execute(in_place ? out.data() : in.data(), out.data());
  EXPECT_EQ(in, given);
  std::vector<Complex> untouched = in_place ? given : std::vector<Complex>(out.size(), poison);
  const auto from = starts(problem, true), to = starts(problem, false);
  for (std::size_t row = 0; row < from.size(); ++row) {
    std::vector<Complex> x;
    for (std::int64_t t = 0; t < problem.n(); ++t) {
      x.push_back(given[static_cast<std::size_t>(from[row] + t * problem.layout.in_stride)]);
    }
    const auto exact = verification::reference_dft(x, problem.n(), problem.direction, 1);
    double error = 0, norm = 0;
    for (std::int64_t k = 0; k < problem.n(); ++k) {
      const auto at = static_cast<std::size_t>(to[row] + k * problem.layout.out_stride);
      error += std::norm(ComplexD(out[at]) - exact[static_cast<std::size_t>(k)]);
      norm += std::norm(exact[static_cast<std::size_t>(k)]);
      untouched[at] = out[at];
    }
    EXPECT_LT(std::sqrt(error / norm), 4 * 0x1p-24) << "row " << row;
  }
  EXPECT_EQ(out, untouched);
}

DataLayout layout_of(std::int64_t in_stride, std::int64_t out_stride, std::int64_t in_dist,
                     std::int64_t out_dist, const std::vector<Loop>& loops) {
  DataLayout layout;
  layout.in_stride = in_stride, layout.out_stride = out_stride;
  layout.in_dist = in_dist, layout.out_dist = out_dist;
  layout.loops = loops;
  return layout;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::int64_t n, std::int64_t batch, const DataLayout& layout) -> Case& {
    Case& c = all.emplace_back();
    c.n = n, c.batch = batch, c.layout = layout;
    return c;
  };
  // The middle axis of 3 x 64 x 32, and of the same transposed on the way.
  add(64, 3, layout_of(32, 32, 64 * 32, 64 * 32, {{32, 1, 1}}));
  add(64, 2, layout_of(32, 1, 64 * 32, 64 * 32, {{32, 1, 64}}));
  // In place; every other point; rows longer than what is transformed.
  add(128, 2, layout_of(16, 16, 128 * 16, 128 * 16, {{16, 1, 1}})).placement = Placement::in_place;
  add(64, 2, layout_of(2, 4, 64 * 64, 64 * 128, {{32, 128, 256}}));
  // Three dimensions of transforms.
  add(32, 2, layout_of(16, 16, 4096, 4096, {{16, 1, 1}, {3, 1024, 1024}}));
  // Several passes.
  add(2048, 2, layout_of(4, 1, 8192, 8192, {{4, 1, 2048}})).lengths = {64, 32};
  // Convolutions: of one block, also transposed; of several launches.
  add(19, 2, layout_of(16, 16, 19 * 16, 19 * 16, {{16, 1, 1}}));
  add(101, 2, layout_of(8, 1, 103 * 8, 808, {{8, 1, 101}}));
  add(97, 1, layout_of(3, 3, 97 * 3 * 8, 97 * 3 * 8, {{8, 291, 291}})).placement =
      Placement::in_place;
  add(499, 3, layout_of(4, 1, 499 * 4 + 1, 499 * 4, {{4, 1, 499}})).lengths = {32, 64};
  add(499, 2, layout_of(1, 4, 499 * 4, 499 * 5, {{4, 499, 1}})).lengths = {32, 32, 32};
  return all;
}

INSTANTIATE_TEST_SUITE_P(Powers, Layouts, ::testing::ValuesIn(cases()));

TEST(Layouts, ThatShareAPlaceAreRefused) {
  for (const DataLayout& layout :
       {DataLayout{0, 1, 0, 0, {}}, DataLayout{1, 1, 63, 0, {}}, DataLayout{1, 1, 0, 63, {}},
        DataLayout{1, 2, 0, 64, {}}, DataLayout{1, 1, 0, 0, {{2, 64, 64}}},
        DataLayout{1, 1, 0, 0, {{0, 128, 128}}}, DataLayout{-1, 1, 0, 0, {}}}) {
    EXPECT_THROW((void)make_plan(problem_of({64, 2, layout})), UnsupportedProblem)
        << to_string(layout);
  }
  const DataLayout differs{1, 2, 0, 0, {}};
  EXPECT_THROW((void)make_plan(problem_of({64, 2, differs, Placement::in_place})),
               UnsupportedProblem);
}

}  // namespace
}  // namespace sonoma::test
