// A few transforms have more blocks than they would have among many, and the same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "plan_transform.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::test {
namespace {

class FewRows : public testing::TestWithParam<std::int64_t> {};

TEST_P(FewRows, HaveTheBitsOfMany) {
  const std::int64_t n = GetParam(), many = 140;
  const auto plan_of = [n](std::int64_t batch) {
    FftProblem problem;
    problem.lengths = {n}, problem.batch = batch;
    PlanOptions options;
    options.device = Device::cpu;
    return make_plan(problem, options);
  };
  EXPECT_NE(plan_of(1).program().launches.at(0).shape,
            plan_of(many).program().launches.at(0).shape);
  const auto in = verification::concatenate(
      verification::random_inputs(n, static_cast<int>(many), 27, Storage::f32));
  std::vector<Complex> one(static_cast<std::size_t>(n)), all(in.size());
  const PlanTransform transform(plan_of);
  transform(in.data(), one.data(), 1);
  transform(in.data(), all.data(), many);
  EXPECT_TRUE(std::ranges::equal(one, std::span(all).first(one.size())));
}

INSTANTIATE_TEST_SUITE_P(Lengths, FewRows,
                         testing::Values(6561, 7744, 7776, 8192, 8918, 9720, 10000));

}  // namespace
}  // namespace sonoma::test
