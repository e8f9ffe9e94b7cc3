// Frequencies in the order of the passes: forward against the reference, and back.
#include <gtest/gtest.h>

#include <random>

#include "plan_transform.hpp"
#include "sonoma/errors.hpp"

namespace sonoma::test {
namespace {

struct Case {
  std::vector<std::int64_t> lengths;
  Direction direction = Direction::forward;
  bool fused = false;
  Storage storage = Storage::f32;

  [[nodiscard]] std::int64_t n() const {
    std::int64_t product = 1;
    for (const std::int64_t length : lengths) product *= length;
    return product;
  }
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << to_list(c.lengths) << " " << to_string(c.direction) << (c.fused ? " fused " : " ")
             << to_string(c.storage);
}

Plan plan_of(const Case& c, std::int64_t batch, Placement placement = Placement::out_of_place) {
  FftProblem problem;
  problem.lengths = {c.n()};
  problem.batch = batch;
  problem.direction = c.direction;
  problem.order = Order::transposed;
  problem.placement = placement;
  problem.storage = c.storage;
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning.pass_lengths = c.lengths;
  options.tuning.fused = c.fused;
  return make_plan(problem, options);
}

class Transposed : public testing::TestWithParam<Case> {};

TEST_P(Transposed, MeetsTheProtocol) {
  const PlanTransform transform([](std::int64_t batch) { return plan_of(GetParam(), batch); });
  const auto report = transform.check({.random_transforms = 2});
  EXPECT_TRUE(report.pass()) << summary(report);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    cases.push_back({{64, 32}, direction});
    cases.push_back({{32, 128}, direction});
    cases.push_back({{64, 64}, direction, true});
    cases.push_back({{32, 64, 32}, direction});
    cases.push_back({{30, 42}, direction});
    cases.push_back({{12, 10, 14}, direction});
    cases.push_back({{32, 128}, direction, false, Storage::f16});
    cases.push_back({{64, 64}, direction, true, Storage::bf16});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Lengths, Transposed, testing::ValuesIn(all_cases()));

// Digits reversed: a permutation, and another one than the natural order.
TEST(Order, PlacesAreDigitsReversed) {
  const Plan plan = plan_of({{32, 64, 32}}, 1);
  std::vector<bool> taken(static_cast<std::size_t>(plan.problem().n()));
  for (std::int64_t k = 0; k < plan.problem().n(); ++k) {
    const std::int64_t place = plan.program().place_of(k);
    const std::int64_t k1 = k % 32, k2 = k / 32 % 64, k3 = k / 2048;
    ASSERT_EQ(place, (k1 * 64 + k2) * 32 + k3);
    taken[static_cast<std::size_t>(place)] = true;
  }
  EXPECT_EQ(std::count(taken.begin(), taken.end(), false), 0);
}

// There and back in place with no reordering between: the input times n.
TEST(Order, AnInverseTakesWhatAForwardTransformLeaves) {
  const Case there{{64, 32}}, back{{64, 32}, Direction::inverse};
  const std::int64_t n = there.n();
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<Complex> x(static_cast<std::size_t>(3 * n));
  for (Complex& point : x) point = {normal(random), normal(random)};
  std::vector<Complex> y = x;
  plan_of(there, 3, Placement::in_place).execute(y.data(), y.data());
  plan_of(back, 3, Placement::in_place).execute(y.data(), y.data());
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error += std::norm(y[i] / static_cast<float>(n) - x[i]), norm += std::norm(x[i]);
  }
  EXPECT_LT(std::sqrt(error / norm), 8 * 0x1p-24);
}

// The last pass stores rows; in natural order it would stride.
TEST(Order, NoPassStridesForIt) {
  const Program program = plan_of({{64, 32}}, 1).program();
  EXPECT_EQ(program.launches.back().pass.out.stride, 1);
  const Program back = plan_of({{64, 32}, Direction::inverse}, 1).program();
  EXPECT_EQ(back.launches.front().pass.in.stride, 1);
  EXPECT_EQ(back.launches.front().pass.n(), 32);
  EXPECT_TRUE(back.launches.back().pass.goes_back());
}

TEST(Order, IsNaturalWhereOneKernelDoesItAll) {
  FftProblem problem;
  problem.lengths = {4096};
  problem.order = Order::transposed;
  PlanOptions options;
  options.device = Device::cpu;
  const Plan plan = make_plan(problem, options);
  for (const std::int64_t k : {0, 1, 4095}) EXPECT_EQ(plan.program().place_of(k), k);
}

TEST(Order, TransposedEndsAreRefused) {
  FftProblem problem;
  problem.lengths = {1 << 18};
  problem.order = Order::transposed;
  problem.ends.out_length = 100;
  try {
    validate(problem);
    FAIL();
  } catch (const UnsupportedProblem& error) {
    EXPECT_EQ(error.field(), "order");
  }
}

}  // namespace
}  // namespace sonoma::test
