// A few transforms have more blocks than they would have among many, and the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "plan_transform.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::test {
namespace {

class FewRows : public testing::TestWithParam<std::pair<std::int64_t, std::int64_t>> {};

TEST_P(FewRows, HaveTheBitsOfMany) {
  const auto [n, many] = GetParam();
  const auto plan_of = [n = n](std::int64_t batch) {
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

constexpr std::pair<std::int64_t, std::int64_t> by_clusters[] = {
    {6561, 140}, {7744, 140}, {7776, 140}, {8192, 140}, {8918, 140}, {9720, 140}, {10000, 140}};
INSTANTIATE_TEST_SUITE_P(ByClusters, FewRows, testing::ValuesIn(by_clusters));

// Of many a block takes 80, 24, 7, 4, 3 and 2.
constexpr std::pair<std::int64_t, std::int64_t> in_smaller_blocks[] = {
    {20, 33000}, {96, 10000}, {324, 2800}, {972, 1600}, {1029, 1200}, {480, 800}};
INSTANTIATE_TEST_SUITE_P(InSmallerBlocks, FewRows, testing::ValuesIn(in_smaller_blocks));

// Rader's algorithm, Bluestein's.
constexpr std::pair<std::int64_t, std::int64_t> by_convolutions[] = {
    {191, 4300}, {373, 2200}, {269, 1900}, {587, 600}};
INSTANTIATE_TEST_SUITE_P(ByConvolutions, FewRows, testing::ValuesIn(by_convolutions));

}  // namespace
}  // namespace sonoma::test
