// A few real transforms: by more blocks, or in passes of fewer columns, for the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "few_cases.hpp"
#include "sonoma/program.hpp"

namespace sonoma::test {
namespace {

class FewRealRows : public testing::TestWithParam<FewOf> {};
TEST_P(FewRealRows, HaveTheBitsOfMany) { expect_bits_of_many(GetParam()); }

// Threads of fewer points, clusters in place of a block, more blocks in a cluster, fewer columns.
INSTANTIATE_TEST_SUITE_P(
    Lengths, FewRealRows,
    testing::Values(FewOf{Domain::r2c, {1024}, 600}, FewOf{Domain::c2r, {4410}, 300},
                    FewOf{Domain::r2c, {24000}, 70}, FewOf{Domain::r2c, {37044}, 20},
                    FewOf{Domain::c2r, {37044}, 20}, FewOf{Domain::r2c, {65536}, 40},
                    FewOf{Domain::r2c, {117649}, 6}, FewOf{Domain::c2r, {117649}, 6},
                    FewOf{Domain::r2c, {186624}, 9}, FewOf{Domain::c2r, {186624}, 9},
                    FewOf{Domain::r2c, {262144}, 6}, FewOf{Domain::c2r, {262144}, 6}));

class FewRealPasses : public testing::TestWithParam<FewOf> {};

TEST_P(FewRealPasses, AreTransformedAndNothingElse) {
  const auto& [domain, lengths, batch] = GetParam();
  const RealCase c = real_case(domain, lengths, batch);
  const Program program = make_plan(c.problem, c.options).program();
  ASSERT_EQ(program.launches.size(), 2);
  for (const Launch& launch : program.launches) {
    EXPECT_LE(launch.shape.block_points / launch.pass.n(), 8);
  }
  expect_served(c);
}

// 217 columns of 186624 numbers, 4 in a block; and powers of two, and an odd length.
INSTANTIATE_TEST_SUITE_P(
    Lengths, FewRealPasses,
    testing::Values(FewOf{Domain::r2c, {186624}, 1}, FewOf{Domain::c2r, {186624}, 1},
                    FewOf{Domain::r2c, {262144}, 2}, FewOf{Domain::c2r, {262144}, 1},
                    FewOf{Domain::r2c, {117649}, 1}, FewOf{Domain::c2r, {117649}, 1}));

// The kernel that many take, asked for by name, gives few the bits that their own one gives.
TEST(FewByChance, HaveTheBitsOfMany) {
  std::mt19937 random(44);
  const Domain domains[] = {Domain::c2c, Domain::r2c, Domain::c2r};
  int others = 0;
  for (int i = 0; i < 18; ++i) {
    std::int64_t n = domains[i % 3] == Domain::c2c ? 1 : 2;
    while (n < 20) {
      for (const std::int64_t factor : {2, 3, 5, 7, 11, 13}) {
        if (random() % 2 == 0 && n * factor < 4000) n *= factor;
      }
    }
    RealCase few = real_case(domains[i % 3], {n}, 2),
             many = real_case(domains[i % 3], {n}, 1 << 20);
    const Plan plan = make_plan(few.problem, few.options);
    const sonoma::Shape shape =
        make_plan(many.problem, many.options).program().launches.at(0).shape;
    others += plan.program().launches.at(0).shape != shape;
    few.options.tuning = tuning_of(shape);
    const Memory in = random_input(few.problem);
    EXPECT_TRUE(result_of(plan, in) == result_of(make_plan(few.problem, few.options), in))
        << to_string(few.problem);
  }
  EXPECT_GT(others, 12);
}

}  // namespace
}  // namespace sonoma::test
