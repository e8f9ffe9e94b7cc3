// Several axes as transforms along one after the other.
#include "sonoma/axis_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sonoma/passes.hpp"
#include "sonoma/program.hpp"

namespace sonoma::test {
namespace {

using Loops = std::vector<Loop>;

FftProblem problem_of(const std::vector<std::int64_t>& lengths, std::int64_t batch = 1) {
  FftProblem problem;
  problem.lengths = lengths;
  problem.batch = batch;
  return problem;
}

TEST(AxisTransforms, OfRowsAreOneBatch) {
  const auto axes = axis_transforms(problem_of({8, 16}, 3));
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].axis, 1u);
  EXPECT_EQ(axes[0].problem, problem_of({16}, 24));  // as if rows had been asked for
  EXPECT_EQ(axes[0].repeat, 8);
  EXPECT_EQ(axes[1].axis, 0u);
  const FftProblem& columns = axes[1].problem;
  EXPECT_EQ(columns.lengths, std::vector<std::int64_t>{8});
  EXPECT_EQ(columns.batch, 3);
  EXPECT_EQ(axes[1].repeat, 1);
  EXPECT_EQ(columns.layout, (DataLayout{16, 16, 128, 128, {{16, 1, 1}}}));
  EXPECT_EQ(columns.placement, Placement::in_place);  // in the output
}

TEST(AxisTransforms, DimensionsThatFollowEachOtherAreOne) {
  const auto axes = axis_transforms(problem_of({4, 6, 8, 10}, 2));
  ASSERT_EQ(axes.size(), 4u);
  EXPECT_EQ(axes[0].problem, problem_of({10}, 2 * 4 * 6 * 8));
  EXPECT_EQ(axes[0].repeat, 4 * 6 * 8);
  // The axis of 8: columns of 10; what is in front of it goes on as the batch does.
  EXPECT_EQ(axes[1].problem.layout, (DataLayout{10, 10, 80, 80, {{10, 1, 1}}}));
  EXPECT_EQ(axes[1].problem.batch, 2 * 4 * 6);
  EXPECT_EQ(axes[1].repeat, 4 * 6);
  // The axis of 4: what is behind it is one loop.
  EXPECT_EQ(axes[3].problem.layout, (DataLayout{480, 480, 1920, 1920, {{480, 1, 1}}}));
  EXPECT_EQ(axes[3].problem.batch, 2);
  EXPECT_EQ(axes[3].repeat, 1);
}

TEST(AxisTransforms, LoopsTakePart) {
  FftProblem problem = problem_of({8, 16}, 2);  // the first and the last of 2 x 8 x 5 x 16
  problem.layout.in_strides = problem.layout.out_strides = {80};
  problem.layout.loops = {{5, 16, 16}};
  problem.layout.in_dist = problem.layout.out_dist = 640;
  validate(problem);
  const auto axes = axis_transforms(problem);
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].problem, problem_of({16}, 80));
  EXPECT_EQ(axes[1].problem.layout, (DataLayout{80, 80, 640, 640, {{80, 1, 1}}}));
}

TEST(AxisTransforms, GapsKeepDimensionsApart) {
  FftProblem problem = problem_of({4, 6, 8}, 3);
  problem.layout = advanced_layout({4, 7, 9}, 1, 260, {4, 6, 8}, 1, 192);
  const auto axes = axis_transforms(problem);
  EXPECT_EQ(axes[0].problem.layout, (DataLayout{1, 1, 260, 192, {{6, 9, 8}, {4, 63, 48}}}));
  EXPECT_EQ(axes[0].repeat, 1);
  EXPECT_EQ(axes[1].problem.layout, (DataLayout{8, 8, 48, 48, {{8, 1, 1}}}));  // in the output
  EXPECT_EQ(axes[1].problem.batch, 12);
}

TEST(AxisTransforms, OfOnePointAreLeftOut) {
  const auto axes = axis_transforms(problem_of({1, 8, 1, 4, 1}));
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].axis, 3u);
  EXPECT_EQ(axes[1].axis, 1u);
  const auto none = axis_transforms(problem_of({1, 1}, 7));
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].problem, problem_of({1}, 7));
}

TEST(AxisTransforms, TheLastOneScalesAndAccuracyIsShared) {
  FftProblem problem = problem_of({4, 8, 16});
  problem.scale = 0.5, problem.direction = Direction::inverse;
  problem.accuracy.max_rel_l2 = 3e-6;
  const auto axes = axis_transforms(problem);
  ASSERT_EQ(axes.size(), 3u);
  for (const AxisTransform& axis : axes) {
    EXPECT_EQ(axis.problem.scale, &axis == &axes.back() ? 0.5 : 1.0);
    EXPECT_EQ(axis.problem.direction, Direction::inverse);
    EXPECT_DOUBLE_EQ(axis.problem.accuracy.max_rel_l2.value(), 3e-6 / std::sqrt(3.0));
  }
}

TEST(AxisTransforms, BetweenThemIsFp32) {
  FftProblem problem = problem_of({4, 8, 16}, 2);
  problem.storage = Storage::f16, problem.placement = Placement::in_place;
  EXPECT_FALSE(keeps_in_output(problem));
  const auto axes = axis_transforms(problem);
  const auto storages = [&](std::size_t i) {
    return std::pair{axes[i].problem.storage, axes[i].problem.result_storage()};
  };
  EXPECT_EQ(storages(0), std::pair(Storage::f16, Storage::f32));
  EXPECT_EQ(storages(1), std::pair(Storage::f32, Storage::f32));
  EXPECT_EQ(storages(2), std::pair(Storage::f32, Storage::f16));
  EXPECT_EQ(axes[0].problem.placement, Placement::out_of_place);
  EXPECT_EQ(axes[1].problem.placement, Placement::in_place);
  EXPECT_EQ(axes[2].problem.placement, Placement::out_of_place);
  problem.placement = Placement::out_of_place, problem.out_storage = Storage::f32;
  EXPECT_TRUE(keeps_in_output(problem));
}

FftProblem real_problem(Domain domain, const std::vector<std::int64_t>& lengths,
                        std::int64_t batch = 1) {
  FftProblem problem = problem_of(lengths, batch);
  problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  validate(problem);
  return problem;
}

TEST(AxisTransforms, OfRealInputTheLastAxisIsFirst) {
  const auto axes = axis_transforms(real_problem(Domain::r2c, {4, 6, 9}, 2));
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].axis, 2u);
  EXPECT_EQ(axes[0].problem, real_problem(Domain::r2c, {9}, 2 * 4 * 6));
  EXPECT_EQ(axes[0].repeat, 4 * 6);
  EXPECT_EQ(axes[1].axis, 1u);
  EXPECT_EQ(axes[1].problem.domain, Domain::c2c);
  EXPECT_EQ(axes[1].problem.layout, (DataLayout{5, 5, 30, 30, {{5, 1, 1}}}));
  EXPECT_EQ(axes[1].problem.batch, 2 * 4);
  EXPECT_EQ(axes[2].axis, 0u);
  EXPECT_EQ(axes[2].problem.layout, (DataLayout{30, 30, 120, 120, {{30, 1, 1}}}));
  EXPECT_EQ(axes[2].problem.placement, Placement::in_place);  // in the output
  EXPECT_TRUE(keeps_in_output(real_problem(Domain::r2c, {4, 6, 9})));
}

TEST(AxisTransforms, OfRealOutputTheLastAxisIsLast) {
  FftProblem problem = real_problem(Domain::c2r, {4, 6, 8}, 2);
  problem.scale = 0.5;
  const auto axes = axis_transforms(problem);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].axis, 1u);
  EXPECT_EQ(axes[0].problem.domain, Domain::c2c);
  EXPECT_EQ(axes[0].problem.layout, (DataLayout{5, 5, 30, 30, {{5, 1, 1}}}));
  EXPECT_EQ(axes[0].problem.placement, Placement::out_of_place);  // to the workspace
  EXPECT_EQ(axes[1].axis, 0u);
  EXPECT_EQ(axes[1].problem.placement, Placement::in_place);
  EXPECT_EQ(axes[1].problem.scale, 1.0);
  FftProblem rows = real_problem(Domain::c2r, {8}, 2 * 4 * 6);
  rows.scale = 0.5;
  EXPECT_EQ(axes[2].axis, 2u);
  EXPECT_EQ(axes[2].problem, rows);
}

TEST(AxisTransforms, OfRealSidesAnAxisOfOnePointIsOneToo) {
  EXPECT_EQ(long_axes(real_problem(Domain::r2c, {8, 1})), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(long_axes(real_problem(Domain::c2r, {8, 1, 1})), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(long_axes(real_problem(Domain::c2r, {1, 1})), (std::vector<std::size_t>{1}));
  EXPECT_EQ(long_axes(real_problem(Domain::c2r, {2, 3, 4})), (std::vector<std::size_t>{1, 0, 2}));
}

TEST(AxisTransforms, BetweenThemAreTheFrequenciesThatMemoryHas) {
  FftProblem problem = real_problem(Domain::c2r, {4, 6, 9}, 2);
  EXPECT_FALSE(keeps_in_output(problem));  // which is too small
  EXPECT_EQ(points_between(problem), 4 * 6 * 5);
  problem.layout.loops = {{3, 4 * 6 * 5, 4 * 6 * 9}};
  problem.layout.in_dist = 3 * 4 * 6 * 5, problem.layout.out_dist = 3 * 4 * 6 * 9;
  EXPECT_EQ(points_between(problem), 3 * 4 * 6 * 5);
  const auto axes = axis_transforms(problem);
  EXPECT_EQ(axes.back().problem, real_problem(Domain::c2r, {9}, 2 * 3 * 4 * 6));
  FftProblem half = real_problem(Domain::r2c, {4, 8});
  half.storage = Storage::f16;
  EXPECT_FALSE(keeps_in_output(half));
  EXPECT_EQ(points_between(half), 4 * 8);  // rows of whole sectors
  EXPECT_EQ(points_between(problem_of({4, 8})), 4 * 8);
}

// Rows that padding adds are not transformed, columns that are cropped neither.
TEST(AxisTransforms, EachPadsItsInputAndCropsItsOutput) {
  FftProblem problem = problem_of({8, 6, 16}, 2);
  problem.ends = {10, 9, "", "", {5, 0}, {0, 3}};
  validate(problem);
  const auto axes = axis_transforms(problem);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].problem.ends, (Ends{10, 9, "", ""}));
  EXPECT_EQ(axes[0].problem.batch * transforms_of(axes[0].problem), 2 * 5 * 6);
  EXPECT_EQ(axes[1].problem.ends, (Ends{0, 3, "", ""}));
  EXPECT_EQ(axes[1].problem.batch * transforms_of(axes[1].problem), 2 * 5 * 9);
  EXPECT_EQ(axes[2].problem.ends, (Ends{5, 0, "", ""}));
  EXPECT_EQ(axes[2].problem.batch * transforms_of(axes[2].problem), 2 * 3 * 9);
  // The 6 points of the axis in the middle have no place in the output.
  EXPECT_FALSE(keeps_in_output(problem));
  EXPECT_EQ(points_between(problem), 5 * 6 * 9);
  problem.ends.out_lengths = {};
  EXPECT_TRUE(keeps_in_output(problem));
  EXPECT_EQ(axis_transforms(problem)[2].problem.placement, Placement::in_place);
  // More points than are transformed are not read.
  problem.ends = {20, 0, "", "", {9, 7}, {}};
  EXPECT_TRUE(keeps_in_output(problem));
  for (const AxisTransform& axis : axis_transforms(problem)) {
    EXPECT_EQ(axis.problem.ends, Ends{});
  }
}

TEST(AxisTransforms, OfRealSidesEndsCountWhatMemoryHas) {
  FftProblem problem = real_problem(Domain::c2r, {6, 16});
  problem.ends = {7, 9, "", "", {4}, {5}};
  const auto axes = axis_transforms(problem);
  EXPECT_EQ(axes[0].problem.ends, (Ends{4, 5, "", ""}));
  EXPECT_EQ(transforms_of(axes[0].problem) * axes[0].problem.batch, 7);
  EXPECT_EQ(axes[1].problem.ends, (Ends{7, 9, "", ""}));
  EXPECT_EQ(transforms_of(axes[1].problem) * axes[1].problem.batch, 5);
  problem.ends = {12, 0, "", ""};  // of n / 2 + 1 frequencies 9 are read
  EXPECT_EQ(axis_transforms(problem)[0].problem.ends, Ends{});
  EXPECT_EQ(points_between(problem), 6 * 12);
}

TEST(AxisTransforms, CodeKeepsLoopsApartAndIsToldAllIndices) {
  FftProblem problem = problem_of({8, 6, 16}, 2);
  problem.ends.load_code = problem.ends.store_code = "value";
  problem.ends.in_length = 10;
  validate(problem);
  const auto axes = axis_transforms(problem);
  const Ends &first = axes[0].problem.ends, &last = axes[2].problem.ends;
  EXPECT_EQ(first.load_code, "value");
  EXPECT_EQ(first.store_code, "");
  EXPECT_EQ(first.in_index, (Ends::Index{1, {8, 6, 10}}));
  EXPECT_EQ(axes[0].repeat, 1);
  EXPECT_EQ(axes[0].problem.layout.loops, (Loops{{48, 10, 16, 10, 0}}));
  EXPECT_FALSE(axes[1].problem.ends.has_code());
  EXPECT_EQ(axes[1].repeat, 8);  // code sees nothing of it
  EXPECT_EQ(last.load_code, "");
  EXPECT_EQ(last.out_index, (Ends::Index{96, {8, 6, 16}}));
  EXPECT_EQ(axes[2].problem.layout.loops, (Loops{{96, 1, 1, 0, 1}}));
  for (const AxisTransform& axis : axes) EXPECT_NO_THROW(validate(axis.problem));
}

FftProblem convolution_of(const std::vector<std::int64_t>& lengths, bool real) {
  FftProblem problem = problem_of(lengths, 2);
  problem.convolution.emplace().real = real;
  problem.scale = 0.5;
  return problem;
}

TEST(AxisTransforms, OfAConvolutionTheLastOneGoesThereAndBack) {
  FftProblem problem = convolution_of({4, 6, 8}, true);
  problem.convolution->correlate = true, problem.convolution->spectrum_dist = 200;
  validate(problem);
  const auto axes = axis_transforms(problem);
  ASSERT_EQ(axes.size(), 5u);
  const std::size_t order[] = {2, 1, 0, 1, 2};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const FftProblem& one = axes[i].problem;
    EXPECT_EQ(axes[i].axis, order[i]);
    EXPECT_EQ(one.domain, i == 0 ? Domain::r2c : i == 4 ? Domain::c2r : Domain::c2c);
    EXPECT_EQ(one.direction, i > 2 ? Direction::inverse : Direction::forward);
    EXPECT_EQ(one.scale, i == 4 ? 0.5 : 1);
    EXPECT_EQ(one.convolution.has_value(), i == 2);
    EXPECT_EQ(one.placement, i % 4 == 0 ? Placement::out_of_place : Placement::in_place);
  }
  EXPECT_FALSE(keeps_in_output(problem));
  EXPECT_EQ(points_between(problem), 4 * 6 * 5);
  // 30 columns, each with its own of the spectrum.
  const FftProblem& turn = axes[2].problem;
  EXPECT_EQ(turn.layout, (DataLayout{30, 30, 120, 120, {{30, 1, 1}}}));
  EXPECT_EQ(turn.convolution, (Convolution{false, true, 200, {1}, 30}));
  EXPECT_EQ(spectrum_points(turn), 200 + 120);
}

// Of planes rows begin at whole sectors, in the spectrum they do not.
TEST(AxisTransforms, OfAConvolutionCutTheirOwnEnds) {
  FftProblem problem = convolution_of({8, 10}, true);
  problem.ends = {7, 6, "", "", {3}, {5}};
  const auto axes = axis_transforms(problem);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].problem.batch * axes[0].problem.layout.loops.front().count, 2 * 3);
  EXPECT_EQ(axes[0].problem.ends.in_length, 7);
  EXPECT_EQ(axes[0].problem.ends.out_length, 0);
  EXPECT_EQ(axes[1].problem.ends.in_length, 3);
  EXPECT_EQ(axes[1].problem.ends.out_length, 5);
  EXPECT_EQ(axes[1].problem.layout, (DataLayout{8, 8, 5 * 8, 5 * 8, {{6, 1, 1}}}));
  EXPECT_EQ(axes[1].problem.convolution, (Convolution{false, false, 0, {1}, 6}));
  EXPECT_EQ(axes[2].problem.ends.in_length, 0);
  EXPECT_EQ(axes[2].problem.ends.out_length, 6);
}

TEST(AxisTransforms, OfAComplexConvolutionKeepInTheOutput) {
  FftProblem problem = convolution_of({8, 10}, false);
  EXPECT_TRUE(keeps_in_output(problem));
  EXPECT_EQ(axis_transforms(problem, 2).size(), 1u);
  const auto planes = axis_transforms(convolution_of({3, 8, 10}, false), 2);
  ASSERT_EQ(planes.size(), 3u);
  EXPECT_EQ(planes[0].problem.lengths, (std::vector<std::int64_t>{8, 10}));
  EXPECT_EQ(planes[2].problem.lengths, planes[0].problem.lengths);
  EXPECT_EQ(planes[2].problem.direction, Direction::inverse);
  problem.ends.out_length = 9;
  EXPECT_FALSE(keeps_in_output(problem));
}

// Half of the roundings are those of the one that goes there and back.
TEST(AxisTransforms, OfAConvolutionShareTheAccuracy) {
  FftProblem problem = convolution_of({8, 10}, false);
  problem.accuracy.max_rel_l2 = 4e-6;
  const auto axes = axis_transforms(problem);
  EXPECT_DOUBLE_EQ(axes[0].problem.accuracy.max_rel_l2.value(), 2e-6);
  EXPECT_DOUBLE_EQ(axes[1].problem.accuracy.max_rel_l2.value(), 4e-6 / std::sqrt(2.0));
}

}  // namespace
}  // namespace sonoma::test
