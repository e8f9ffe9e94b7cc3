// Strided data on the emulated device, against FFTW's interfaces for it; memory between, before and
// behind the points must stay as it was.
#include <gtest/gtest.h>

#include <random>

#include "laid_out.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/inspect.hpp"
#include "sonoma/plan.hpp"

namespace sonoma::test {
namespace {

struct Case {
  std::int64_t n, batch;
  DataLayout layout;
  Placement placement = Placement::out_of_place;
  std::vector<std::int64_t> lengths = {};  // of passes; empty: one
  Direction direction = Direction::forward;
  Tuning tuning = {};
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "n=" << c.n << " batch=" << c.batch << " " << to_string(c.layout) << " "
       << to_string(c.placement) << " " << to_string(c.direction);
}

FftProblem problem_of(const Case& c) {
  FftProblem problem;
  problem.lengths = {c.n};
  problem.batch = c.batch;
  problem.layout = c.layout;
  problem.placement = c.placement;
  problem.direction = c.direction;
  return problem;
}

class Layouts : public ::testing::TestWithParam<Case> {};

TEST_P(Layouts, TransformTheirRowsAndNothingElse) {
  const FftProblem problem = problem_of(GetParam());
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning = GetParam().tuning;
  if (!GetParam().lengths.empty()) options.tuning.pass_lengths = GetParam().lengths;
  const Plan plan = make_plan(problem, options);
  const Memory in = random_input(problem);
  Memory out = output_before(problem, in);
  const Memory before = out;
  execute_on(plan, in, out);
  const MemoryD exact = problem.layout.loops.empty() ? expected_by_advanced(problem, in)
                                                     : expected_by_guru(problem, in);
  expect_transforms(problem, exact, out, before, 4 * 0x1p-24);
}

DataLayout layout_of(std::int64_t in_stride, std::int64_t out_stride, std::int64_t in_dist,
                     std::int64_t out_dist, const std::vector<Loop>& loops) {
  DataLayout layout;
  layout.in_stride = in_stride, layout.out_stride = out_stride;
  layout.in_dist = in_dist, layout.out_dist = out_dist;
  layout.loops = loops;
  return layout;
}

auto adding_to(std::vector<Case>& all) {
  return [&all](std::int64_t n, std::int64_t batch, const DataLayout& layout) -> Case& {
    Case& c = all.emplace_back();
    c.n = n, c.batch = batch, c.layout = layout;
    return c;
  };
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = adding_to(all);
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
  // Convolutions: of one block (107 by Bluestein's algorithm), also transposed; of several
  // launches.
  add(19, 2, layout_of(16, 16, 19 * 16, 19 * 16, {{16, 1, 1}}));
  add(101, 2, layout_of(8, 1, 103 * 8, 808, {{8, 1, 101}}));
  add(97, 1, layout_of(3, 3, 97 * 3 * 8, 97 * 3 * 8, {{8, 291, 291}})).placement =
      Placement::in_place;
  add(107, 2, layout_of(8, 1, 109 * 8, 856, {{8, 1, 107}}));
  add(107, 1, layout_of(3, 3, 107 * 3 * 8, 107 * 3 * 8, {{8, 321, 321}})).placement =
      Placement::in_place;
  add(499, 3, layout_of(4, 1, 499 * 4 + 1, 499 * 4, {{4, 1, 499}})).lengths = {32, 64};
  add(499, 2, layout_of(1, 4, 499 * 4, 499 * 5, {{4, 499, 1}})).lengths = {32, 32, 32};
  return all;
}

INSTANTIATE_TEST_SUITE_P(Powers, Layouts, ::testing::ValuesIn(cases()));

// Strides that are no powers of two, counts that no tile divides.
std::vector<Case> odd_cases() {
  std::vector<Case> all;
  const auto add = adding_to(all);
  // The advanced interface: rows with gaps, every third point, a batch that is interleaved.
  add(256, 5, advanced_layout(1, 257, 1, 300));
  add(1024, 3, advanced_layout(3, 3073, 1, 1024));
  add(64, 17, advanced_layout(17, 1, 17, 1)).placement = Placement::in_place;
  add(4096, 5, advanced_layout(5, 1, 1, 4096));
  add(60, 7, advanced_layout(7, 1, 1, 61));
  add(101, 5, advanced_layout(5, 1, 3, 303));
  add(107, 5, advanced_layout(5, 1, 3, 321));
  add(2, 700, advanced_layout(3, 7, 701, 1));
  // Columns of a prime number.
  add(64, 2, layout_of(37, 37, 64 * 37, 64 * 37, {{37, 1, 1}})).placement = Placement::in_place;
  add(512, 2, layout_of(19, 1, 512 * 19, 512 * 19, {{19, 1, 512}}));
  add(60, 2, layout_of(17, 17, 60 * 17, 60 * 17, {{17, 1, 1}}));
  add(19, 2, layout_of(23, 23, 19 * 23, 19 * 23, {{23, 1, 1}}));
  // Several passes.
  add(2048, 3, advanced_layout(3, 1, 1, 2049)).lengths = {64, 32};
  add(2048, 2, layout_of(5, 7, 2048 * 5, 2048 * 7, {{5, 1, 1}})).lengths = {32, 64};
  add(3600, 2, advanced_layout(3, 3600 * 3 + 1, 7, 3600 * 7)).lengths = {60, 60};
  add(499, 3, advanced_layout(3, 1, 1, 501)).lengths = {32, 32};
  // Frames that overlap.
  for (const std::int64_t n : {64, 60, 107}) add(n, 9, advanced_layout(1, 7, 1, n));
  add(2048, 3, advanced_layout(1, 100, 1, 2048)).lengths = {64, 32};
  add(64, 4, layout_of(1, 1, 16, 64 * 3, {{3, 4, 64}}));
  return all;
}

INSTANTIATE_TEST_SUITE_P(Odd, Layouts, ::testing::ValuesIn(odd_cases()));

std::vector<Case> random_cases() {
  const std::vector<std::int64_t> lengths = {2, 3, 8, 16, 17, 60, 64, 101, 128, 256, 1024};
  std::mt19937 random(2026);
  std::vector<Case> all;
  for (int i = 0; i < 40; ++i) {
    Case& c = all.emplace_back();
    c.n = lengths[random() % lengths.size()], c.batch = 1 + random() % 6;
    if (random() % 2) c.placement = Placement::in_place;
    if (random() % 2) c.direction = Direction::inverse;
    std::vector<std::int64_t> counts = {c.n, c.batch};
    for (auto loops = random() % 3; loops > 0; --loops) counts.push_back(1 + random() % 20);
    const auto in = random_strides(random, counts);
    const auto out = c.placement == Placement::in_place ? in : random_strides(random, counts);
    c.layout = layout_of(in[0], out[0], in[1], out[1], {});
    for (std::size_t l = 2; l < counts.size(); ++l) {
      c.layout.loops.push_back({counts[l], in[l], out[l]});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Random, Layouts, ::testing::ValuesIn(random_cases()));

void expect_refused(const FftProblem& problem, const Tuning& tuning, const std::string& field,
                    const std::string& part) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning = tuning;
  try {
    (void)make_plan(problem, options);
    ADD_FAILURE() << "served: " << to_string(problem);
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), field) << error.what();
    EXPECT_NE(error.allowed().find(part), std::string::npos) << error.what();
  }
}

TEST(Layouts, BeyondABlocksReachTransformsGoOneByOne) {
  constexpr std::int64_t far = std::int64_t{1} << 32;
  const FftProblem apart = problem_of({64, 2, advanced_layout(1, far, 1, 64)});
  PlanOptions options;
  options.device = Device::cpu;
  const Plan plan = make_plan(apart, options);
  const std::vector<Loop>& loops = plan.generated().ir.schedule.pass.loops;
  ASSERT_FALSE(loops.empty());
  EXPECT_EQ(loops.front().count, 1);  // the columns of a tile
  expect_refused(problem_of({64, 2, advanced_layout(far, 1, 1, 64)}), {}, "layout.in_stride",
                 "must lie within 2^32 points");
}

TEST(Layouts, ThatShareAPlaceAreRefused) {
  for (const DataLayout& layout :
       {DataLayout{0, 1, 0, 0, {}}, DataLayout{1, 1, 0, 63, {}}, DataLayout{1, 2, 0, 64, {}},
        DataLayout{1, 1, 0, 0, {{2, 64, 64}}}, DataLayout{1, 1, 0, 0, {{0, 128, 128}}},
        DataLayout{-1, 1, 0, 0, {}}}) {
    EXPECT_THROW((void)make_plan(problem_of({64, 2, layout})), UnsupportedProblem)
        << to_string(layout);
  }
  const DataLayout differs{1, 2, 0, 0, {}}, overlaps{1, 1, 63, 63, {}};
  for (const DataLayout& layout : {differs, overlaps}) {
    EXPECT_THROW((void)make_plan(problem_of({64, 2, layout, Placement::in_place})),
                 UnsupportedProblem)
        << to_string(layout);
  }
}

}  // namespace
}  // namespace sonoma::test
