// Several axes in two passes, which end within an axis, on the emulated device: against FFTW, and
// bit for bit against each other.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "laid_out.hpp"
#include "plan_transform.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

struct Case {
  std::vector<std::int64_t> shape;
  Lengths lengths;
  bool fused = false;
  Placement placement = Placement::out_of_place;
  Direction direction = Direction::forward;
  Storage storage = Storage::f32;
  std::int64_t batch = 2;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << to_shape(c.shape) << " by " << to_list(c.lengths) << (c.fused ? " fused" : "");
}

FftProblem problem_of(const Case& c) {
  FftProblem problem;
  problem.lengths = c.shape, problem.batch = c.batch;
  problem.placement = c.placement, problem.direction = c.direction, problem.storage = c.storage;
  problem.scale = c.direction == Direction::inverse ? 0.125 : 1;
  return problem;
}

PlanOptions options_of(const Case& c) {
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning.pass_lengths = c.lengths, options.tuning.fused = c.fused;
  return options;
}

Memory result_of(const Plan& plan, const Memory& in) {
  Memory out = output_before(plan.problem(), in);
  execute_on(plan, in, out);
  return out;
}

class AxisPasses : public testing::TestWithParam<Case> {};

TEST_P(AxisPasses, TransformTheirPointsAndNothingElse) {
  const FftProblem problem = problem_of(GetParam());
  const Plan plan = make_plan(problem, options_of(GetParam()));
  ASSERT_EQ(plan.program().launches.size(), GetParam().fused ? 1u : 2u);
  ASSERT_EQ(plan.program().launches.front().pass.part->lengths, GetParam().lengths);
  const Memory in = random_input(problem);
  const double limit = error_limit(plan.program());
  if (problem.storage == Storage::f32) {
    EXPECT_LT(limit, 8 * 0x1p-24);
  }
  expect_transforms(problem, expected_by_guru(problem, in), result_of(plan, in),
                    output_before(problem, in), limit);
}

std::vector<Case> cases() {
  using enum Direction;
  using enum Placement;
  std::vector<Case> all = {
      // A part of 2, 4, 8, 16 and all of the axis in front, and no more than the last one.
      {{64, 64}, {128, 32}, false, out_of_place, forward, Storage::f32, 3},
      {{64, 64}, {256, 16}, false, in_place, inverse},
      {{64, 64}, {512, 8}, true, out_of_place, inverse, Storage::f32, 5},
      {{64, 64}, {1024, 4}, false},
      {{64, 64}, {64, 64}, true},
      {{8, 64}, {256, 2}, false, out_of_place, inverse},
      {{4, 8, 64}, {512, 4}, false},
      // Within the middle axis, at its end, and within the first one.
      {{16, 32, 64}, {256, 128}, false},
      {{16, 32, 64}, {2048, 16}, true, in_place},
      {{16, 32, 64}, {4096, 8}, false, out_of_place, inverse},
      {{1, 32, 1, 64}, {512, 4}, false},
      // Rows of 8192 points: three phases, and of 16384, in two rounds.
      {{16, 1024}, {8192, 2}, false, out_of_place, forward, Storage::f32, 1},
      {{32, 1024}, {16384, 2}, false, out_of_place, inverse, Storage::f32, 1}};
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    all.push_back({{32, 64}, {256, 8}, false, out_of_place, forward, storage});
    all.push_back({{32, 64}, {512, 4}, true, in_place, forward, storage});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, AxisPasses, testing::ValuesIn(cases()));

// Whether they share a launch, and the blocks' shape, is not seen in the results.
TEST(AxisPassesBits, DoNotDependOnLaunches) {
  Case c{{64, 128}, {1024, 8}, true, Placement::out_of_place, Direction::forward, Storage::f32, 3};
  const Memory in = random_input(problem_of(c));
  const Memory expected = result_of(make_plan(problem_of(c), options_of(c)), in);
  c.fused = false;
  PlanOptions apart = options_of(c);
  EXPECT_TRUE(result_of(make_plan(problem_of(c), apart), in) == expected);
  apart.tuning.columns = 128;
  EXPECT_TRUE(result_of(make_plan(problem_of(c), apart), in) == expected);
  apart.tuning.columns.reset(), apart.workspace_policy = WorkspacePolicy::minimal;
  EXPECT_TRUE(result_of(make_plan(problem_of(c), apart), in) == expected);
}

using All = std::vector<Lengths>;

All planned(const std::vector<std::int64_t>& shape, std::int64_t batch, const Tuning& wish = {}) {
  FftProblem problem;
  problem.lengths = shape, problem.batch = batch;
  All lengths;
  for (const Launch& launch : make_program(problem, target_for("sm_90"), wish).launches) {
    lengths.push_back(launch.pass.part ? launch.pass.part->lengths : launch.pass.problem.lengths);
  }
  return lengths;
}

TEST(AxisPassesPlanned, AsFewAsTheCachesAllow) {
  const Lengths plane = {8192, 32}, large = {4096, 256}, larger = {16384, 256};
  EXPECT_EQ(planned({512, 512}, 256), All{plane});         // in one launch
  EXPECT_EQ(planned({512, 512}, 1), (All{plane, plane}));  // the same passes
  EXPECT_EQ(planned({1024, 1024}, 64), All{large});
  EXPECT_EQ(planned({2048, 2048}, 16), (All{larger, larger}));
  EXPECT_EQ(planned({64, 64, 64}, 256), All{plane});
  EXPECT_EQ(planned({512, 512, 512}, 1), (All{plane, {512}}));
  // Axis by axis: an axis longer than a block, too many columns.
  EXPECT_EQ(planned({8192, 8192}, 1), (All{{8192}, {8192}}));
}

// The smaller shared memory of other architectures, every storage and placement.
TEST(AxisPassesPlanned, AreKernelsOnEveryArchitecture) {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {512, 512},   {1024, 1024},    {2048, 2048},    {4096, 4096},    {16, 16, 512},
      {4, 65536},   {65536, 4},      {16384, 64},     {3, 512, 512},   {2, 2, 65536},
      {64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {2, 1 << 17}};
  for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103",
                           "sm_110", "sm_120", "sm_121"}) {
    const Target target = target_for(arch);
    for (const auto& shape : shapes) {
      for (const Storage storage : {Storage::f32, Storage::f16}) {
        FftProblem problem;
        problem.lengths = shape, problem.batch = 64, problem.storage = storage;
        problem.placement = storage == Storage::f16 ? Placement::in_place : Placement::out_of_place;
        for (const Launch& launch : make_program(problem, target, {}).launches) {
          EXPECT_NO_THROW((void)generate(launch, target)) << to_shape(shape) << " " << arch;
        }
      }
    }
  }
}

std::string refusal(const std::vector<std::int64_t>& shape, const Tuning& wish) {
  try {
    (void)planned(shape, 1, wish);
  } catch (const UnsupportedProblem& error) {
    return error.what();
  }
  return "served";
}

TEST(AxisPassesPlanned, WhatTheyCannotIsRefusedByName) {
  Tuning wish;
  wish.pass_lengths = {256, 16};  // of no axis, and no two passes of all
  EXPECT_NE(refusal({128, 64}, wish).find("pass_lengths = 256,16"), std::string::npos);
  wish.pass_lengths = {32, 128};  // less than the last axis
  EXPECT_NE(refusal({64, 64}, wish).find("at least the last axis"), std::string::npos);
  wish.pass_lengths = {16, 16, 16};
  EXPECT_NE(refusal({64, 64}, wish).find("in two passes"), std::string::npos);
  wish.pass_lengths.reset(), wish.fused = true;
  EXPECT_NE(refusal({100, 100}, wish).find("fused = 100x100"), std::string::npos);
}

}  // namespace
}  // namespace sonoma::test
