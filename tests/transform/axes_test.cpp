// Transforms of several axes on the emulated device, against FFTW; memory between, before and
// behind the points must stay as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "laid_out.hpp"
#include "plan_transform.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/resolve.hpp"
#include "starts.hpp"

namespace sonoma::test {
namespace {

using Shape = std::vector<std::int64_t>;

struct Case {
  FftProblem problem;
  PlanOptions options = {};
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << to_string(c.problem) << " " << to_string(c.options.tuning);
}

Case case_of(const Shape& shape, std::int64_t batch = 1) {
  Case c;
  c.problem.lengths = shape;
  c.problem.batch = batch;
  c.options.device = Device::cpu;
  return c;
}

// What a plan makes, in memory laid out as the problem says.
Memory result_of(const Plan& plan, const Memory& in, void* workspace = nullptr) {
  Memory out = output_before(plan.problem(), in);
  execute_on(plan, in, out, workspace);
  return out;
}

void expect_served(const Case& c) {
  const FftProblem& problem = c.problem;
  const Plan plan = make_plan(problem, c.options);
  const Memory in = random_input(problem, problem.storage == Storage::i16 ? 1000.0f : 1.0f);
  const Memory before = output_before(problem, in);
  const double limit = error_limit(plan.program());
  if (problem.storage == Storage::f32 && problem.result_storage() == Storage::f32) {
    EXPECT_LT(limit, 12 * 0x1p-24);
  }
  expect_transforms(problem, expected_by_guru(problem, in), result_of(plan, in), before, limit);
}

class Axes : public testing::TestWithParam<Case> {};

TEST_P(Axes, TransformTheirPointsAndNothingElse) { expect_served(GetParam()); }

/// Collects cases.
struct Cases {
  std::vector<Case> all;

  Case& add(const Shape& shape, std::int64_t batch = 1) {
    return all.emplace_back(case_of(shape, batch));
  }
  FftProblem& problem(const Shape& shape, std::int64_t batch = 1) {
    return add(shape, batch).problem;
  }
};

std::vector<Case> shapes() {
  Cases cases;
  for (const Shape& shape : {Shape{16, 64},
                             {64, 16},
                             {8, 4, 32},
                             {2, 3, 4, 5},
                             {1, 1},
                             {1, 12},
                             {12, 1},
                             {4, 1, 8},
                             {30, 7},
                             {100, 60}}) {
    for (const auto placement : {Placement::out_of_place, Placement::in_place}) {
      FftProblem& problem = cases.problem(shape, 3);
      problem.placement = placement;
      if (placement == Placement::in_place) problem.direction = Direction::inverse;
      if (placement == Placement::in_place) problem.scale = 0.125;
    }
  }
  // Primes: Rader's algorithm and Bluestein's, along either axis and both.
  for (const Shape& shape : {Shape{37, 8}, {8, 37}, {103, 107}, {3, 107, 4}}) {
    cases.problem(shape, 2);
  }
  // An axis of several passes, which has a workspace.
  cases.problem({3, 20000});
  cases.problem({20000, 3}, 2).placement = Placement::in_place;
  cases.problem({2, 12101});
  cases.problem({32768, 2});
  return cases.all;
}

// One radix throughout, on tensor cores, in one to three dimensions: seed 001.
std::vector<Case> of_one_radix() {
  std::vector<Case> cases;
  for (const unsigned radix : {2u, 4u, 8u}) {
    for (const Shape& shape : {Shape{4096}, Shape{64, 64}, Shape{8, 64, 16}}) {
      Case c = case_of(shape, 2);
      c.options.tuning.radix = radix, c.options.tuning.engine = Engine::mma;
      cases.push_back(c);
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(OfOneRadix, Axes, testing::ValuesIn(of_one_radix()));

INSTANTIATE_TEST_SUITE_P(Shapes, Axes, testing::ValuesIn(shapes()));

std::vector<Case> storages() {
  Cases cases;
  for (const Storage storage : {Storage::f16, Storage::bf16, Storage::i16}) {
    for (const auto placement : {Placement::out_of_place, Placement::in_place}) {
      for (const Shape& shape : {Shape{16, 32}, {6, 5, 8}}) {
        FftProblem& problem = cases.problem(shape, 2);
        problem.storage = storage, problem.placement = placement;
        if (storage == Storage::i16) problem.scale = 0.03125;
      }
    }
  }
  for (const auto& [in, out] : {std::pair{Storage::f32, Storage::f16},
                                {Storage::f16, Storage::f32},
                                {Storage::i16, Storage::f32},
                                {Storage::bf16, Storage::f16}}) {
    FftProblem& problem = cases.problem({8, 4, 16}, 3);
    problem.storage = in, problem.out_storage = out;
    problem.direction = Direction::inverse;
    if (in == Storage::i16) problem.scale = 0.001;
  }
  // Of several passes; between axes lies FP32.
  cases.problem({3, 20000}).storage = Storage::f16;
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Storages, Axes, testing::ValuesIn(storages()));

std::vector<Case> engines() {
  Cases cases;
  for (const Storage storage : {Storage::f32, Storage::f16}) {
    for (const Shape& shape : {Shape{64, 256}, {32, 16, 8}}) {
      Case& c = cases.add(shape, 2);
      c.problem.storage = storage;
      c.options.tuning.engine = Engine::mma;
    }
  }
  Case& half = cases.add({64, 64}, 2);
  half.problem.storage = Storage::f16;
  half.problem.accuracy.arithmetic = Arithmetic::half;
  Case& four = cases.add({16, 16}, 2);
  four.options.tuning.engine = Engine::mma, four.options.tuning.products = 4;
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Engines, Axes, testing::ValuesIn(engines()));

std::vector<Case> layouts() {
  Cases cases;
  // The advanced interface: parts of larger arrays.
  cases.problem({8, 16}, 2).layout = advanced_layout({9, 20}, 1, 200, {10, 16}, 2, 400);
  cases.problem({4, 6, 8}, 2).layout = advanced_layout({5, 7, 9}, 1, 315, {4, 6, 8}, 1, 192);
  FftProblem& interleaved = cases.problem({8, 12}, 5);
  interleaved.layout = advanced_layout({8, 12}, 5, 1, {8, 12}, 5, 1);
  interleaved.placement = Placement::in_place;
  // Columns first on both sides, and on one: transposed on the way.
  FftProblem& fortran = cases.problem({16, 32}, 2);
  fortran.layout.in_strides = fortran.layout.out_strides = {1};
  fortran.layout.in_stride = fortran.layout.out_stride = 16;
  fortran.layout.in_dist = fortran.layout.out_dist = 512;
  FftProblem& transposed = cases.problem({16, 32}, 2);
  transposed.layout.out_strides = {1}, transposed.layout.out_stride = 16;
  transposed.layout.out_dist = 512;
  cases.all.push_back(cases.all.back());
  cases.all.back().problem.storage = Storage::f16;
  // The first and the last axis of three; the middle one, and one in front, are loops.
  FftProblem& outer = cases.problem({8, 16}, 2);
  outer.layout.in_strides = outer.layout.out_strides = {16 * 5};
  outer.layout.loops = {{5, 16, 16}};
  outer.layout.in_dist = outer.layout.out_dist = 8 * 16 * 5;
  cases.all.push_back(cases.all.back());
  cases.all.back().problem.storage = Storage::bf16;
  // The first two of three, in place.
  FftProblem& first = cases.problem({8, 16});
  first.layout.in_strides = first.layout.out_strides = {16 * 6};
  first.layout.in_stride = first.layout.out_stride = 6;
  first.layout.loops = {{6, 1, 1}};
  first.placement = Placement::in_place;
  return cases.all;
}

INSTANTIATE_TEST_SUITE_P(Layouts, Axes, testing::ValuesIn(layouts()));

std::vector<Case> with_workspaces() {
  Cases cases;
  cases.problem({16, 67}, 3).storage = Storage::f16;  // a convolution shares no launch
  cases.problem({3, 30000}, 2);
  FftProblem& both = cases.problem({3, 30000}, 2);
  both.storage = Storage::bf16, both.placement = Placement::in_place;
  return cases.all;
}

TEST(AxesWorkspace, TheCallersIsNotLeft) {
  for (Case c : with_workspaces()) {
    const Memory in = random_input(c.problem);
    const Memory expected = result_of(make_plan(c.problem, c.options), in);
    for (const auto policy : {WorkspacePolicy::fast, WorkspacePolicy::minimal}) {
      c.options.workspace_owner = WorkspaceOwner::caller;
      c.options.workspace_policy = policy;
      const Plan plan = make_plan(c.problem, c.options);
      ASSERT_GT(plan.workspace_bytes(), 0u);
      constexpr std::size_t around = 256;
      std::vector<std::byte> memory(plan.workspace_bytes() + 2 * around, std::byte{0x5a});
      EXPECT_TRUE(result_of(plan, in, memory.data() + around) == expected) << to_string(c.problem);
      const auto untouched = [](std::byte b) { return b == std::byte{0x5a}; };
      EXPECT_TRUE(std::all_of(memory.begin(), memory.begin() + around, untouched));
      EXPECT_TRUE(std::all_of(memory.end() - around, memory.end(), untouched));
    }
  }
}

TEST(AxesWorkspace, IsNoneWhereTheOutputHoldsWhatLiesBetween) {
  for (const Shape& shape : {Shape{67, 64}, {8, 8, 67}}) {
    Case c = case_of(shape, 2);
    EXPECT_EQ(make_plan(c.problem, c.options).workspace_bytes(), 0u);
    c.problem.storage = Storage::f16;
    EXPECT_EQ(make_plan(c.problem, c.options).workspace_bytes(),
              static_cast<std::size_t>(2 * c.problem.n() * 8));
    c.problem.out_storage = Storage::f32;
    EXPECT_EQ(make_plan(c.problem, c.options).workspace_bytes(), 0u);
  }
}

std::size_t launches_of(const Shape& shape, const Tuning& wish = {},
                        const DataLayout& layout = {}) {
  Case c = case_of(shape, 2);
  c.problem.layout = layout;
  return make_program(c.problem, target_for("sm_90"), wish).launches.size();
}

// A plane, a volume, 2^17 points in a cluster; not what lies apart, nor a convolution, nor on
// tensor cores.
TEST(AxesInOneLaunch, AreThoseOfAsManyPointsAsOneLaunchTakes) {
  for (const Shape& shape : {Shape{64, 64},
                             {8, 8, 8},
                             {12, 10},
                             {1, 30, 1, 30},
                             {128, 128},
                             {256, 256},
                             {512, 256},
                             {24, 36, 5},
                             {3, 5}}) {
    EXPECT_EQ(launches_of(shape), 1u) << to_shape(shape);
  }
  EXPECT_EQ(launches_of({512, 512}), 2u);
  EXPECT_EQ(launches_of({64, 64, 64}), 2u);
  EXPECT_EQ(launches_of({64, 67}), 2u);
  DataLayout apart;
  apart.in_strides = {80};
  EXPECT_EQ(launches_of({64, 64}, {}, apart), 2u);
  Tuning products;
  products.engine = Engine::mma;
  EXPECT_EQ(launches_of({64, 64}, products), 2u);
}

TEST(AxesInOneLaunch, StepsThatAreNamedEndWhereTheAxesDo) {
  Tuning tuning;
  tuning.decomposition = Decomposition{{8, 8, 8, 8}};
  EXPECT_EQ(launches_of({64, 64}, tuning), 1u);
  tuning.decomposition = Decomposition{{16, 16, 16}};
  EXPECT_EQ(launches_of({16, 16, 16}, tuning), 1u);
  try {
    (void)launches_of({64, 64}, tuning);
    ADD_FAILURE() << "steps of both axes were accepted";
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), "decomposition");
    EXPECT_NE(error.allowed().find("end where the axes do: 64x64"), std::string::npos)
        << error.allowed();
  }
}

TEST(AxesInOneLaunch, AreAsAccurateAsAskedForOrRefused) {
  Case c = case_of({64, 64}, 1);
  c.problem.accuracy.max_rel_l2 = 1e-6;
  EXPECT_NO_THROW((void)make_plan(c.problem, c.options));
  c.problem.accuracy.max_rel_l2 = 1e-8;
  EXPECT_THROW((void)make_plan(c.problem, c.options), UnsupportedProblem);
  EXPECT_THROW((void)make_program(c.problem, target_for("sm_90"), {}), UnsupportedProblem);
}

TEST(AxesInOneLaunch, NamedStepsThatNoBlockTakesAreRefusedAsWhatTheyAre) {
  Tuning tuning;
  tuning.decomposition = Decomposition{{8, 8, 8, 8}}, tuning.points_per_thread = 4;
  try {
    (void)launches_of({64, 64}, tuning);
    ADD_FAILURE() << "steps of 8 points were accepted in threads of 4";
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), "points_per_thread");
  }
}

// Of two rounds few planes take a launch for each axis, with the same bits.
TEST(AxesInOneLaunch, FewTakeALaunchForEachAxis) {
  Case c = case_of({128, 128}, 1);
  const Memory in = random_input(c.problem);
  const Plan one = make_plan(c.problem, c.options);
  EXPECT_EQ(one.program().launches.size(), 2);
  c.problem.batch = 1024;
  const Plan many = make_plan(c.problem, c.options);
  EXPECT_EQ(many.program().launches.front().shape.shares, (Shares{1, 2}));
  c.options.tuning = many.choice().tuning;
  c.problem.batch = 1;
  EXPECT_TRUE(result_of(one, in) == result_of(make_plan(c.problem, c.options), in));
}

// A factor between the axes, or frequencies numbered as those of one axis, and this fails.
TEST(AxesInOneLaunch, ATransformOfAsManyPointsIsAnother) {
  const Case plane = case_of({16, 16}, 1), row = case_of({256}, 1);
  const Memory in = random_input(plane.problem);
  EXPECT_FALSE(result_of(make_plan(plane.problem, plane.options), in) ==
               result_of(make_plan(row.problem, row.options), in));
}

// Each of the batch has the bits that it has alone.
TEST(AxesBatch, DoesNotChangeBits) {
  for (const Storage storage : {Storage::f32, Storage::f16}) {
    for (const Shape& shape : {Shape{16, 64}, {5, 6, 7}, {2, 37}, {1, 256}}) {
      Case c = case_of(shape, 5);
      c.problem.storage = storage;
      const Memory in = random_input(c.problem);
      const Memory all = result_of(make_plan(c.problem, c.options), in);
      c.problem.batch = 1;
      const Plan plan = make_plan(c.problem, c.options);
      const std::int64_t n = c.problem.n();
      for (std::int64_t b = 0; b < 5; ++b) {
        Memory one = in;
        std::copy_n(in.begin() + guard + b * n, n, one.begin() + guard);
        one.resize(static_cast<std::size_t>(n + 2 * guard));
        const Memory alone = result_of(plan, one);
        EXPECT_TRUE(
            std::equal(alone.begin() + guard, alone.end() - guard, all.begin() + guard + b * n))
            << to_string(c.problem) << " " << b;
      }
    }
  }
}

// The whole protocol, with its inputs of every kind.
TEST(AxesProtocol, IsKept) {
  Cases cases;
  cases.problem({8, 16});
  cases.problem({3, 4, 5}).direction = Direction::inverse;
  cases.problem({16, 17}).storage = Storage::f16;
  cases.problem({4, 107}).scale = 0.01;
  cases.problem({8, 6}).storage = Storage::bf16;
  cases.problem({2, 2, 2, 2}).storage = Storage::i16;
  cases.add({64, 32}).options.tuning.engine = Engine::mma;
  for (const Case& c : cases.all) {
    const PlanTransform transform([&](std::int64_t batch) {
      FftProblem problem = c.problem;
      problem.batch = batch;
      return make_plan(problem, c.options);
    });
    const auto report = transform.check({.random_transforms = 9});
    EXPECT_TRUE(report.pass()) << to_string(c.problem) << "\n" << verification::to_string(report);
  }
}

}  // namespace
}  // namespace sonoma::test
