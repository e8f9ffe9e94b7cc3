// How many columns a block of a pass takes where their number, or a pass's length, is no power of
// two.
#include <gtest/gtest.h>

#include "decide.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/schedule.hpp"
#include "support.hpp"

namespace sonoma {
namespace {

using testing::problem_of;

unsigned columns(unsigned n, std::int64_t side_by_side, LastBlock last) {
  return mixed_columns(n, side_by_side, last, 24576, {});
}

TEST(Columns, DivideTheirNumberWhereThatWastesLittle) {
  for (const LastBlock last : {LastBlock::full, LastBlock::fewer}) {
    EXPECT_EQ(columns(100, 200, last), 20u);
    EXPECT_EQ(columns(143, 1573, last), 13u);
    EXPECT_EQ(columns(539, 847, last), 11u);
  }
}

TEST(Columns, LeaveTheLastBlockFewerWhereDivisorsWasteMore) {
  EXPECT_EQ(columns(1001, 338, LastBlock::full), 2u);
  EXPECT_EQ(columns(1001, 338, LastBlock::fewer), 11u);
  EXPECT_EQ(columns(1331, 169, LastBlock::full), 1u);
  EXPECT_EQ(columns(1331, 169, LastBlock::fewer), 8u);
  EXPECT_EQ(columns(100, 1009, LastBlock::fewer), 29u) << "a prime number of them";
}

TEST(Columns, CostLeastOfAll) {
  for (const unsigned n : {77u, 338u, 1000u, 1859u}) {
    for (const std::int64_t all : {5, 64, 169, 338, 1001, 2048}) {
      const unsigned taken = columns(n, all, LastBlock::fewer);
      for (unsigned c = 1; c <= std::min<std::int64_t>({all, 32, std::max(4u, 11264 / n)}); ++c) {
        EXPECT_LE(cost_of_columns(n, all, taken, {}), cost_of_columns(n, all, c, {}))
            << n << " beside " << all << ": " << taken << ", " << c;
      }
    }
  }
}

// 338338 = 338 x 1001: blocks of two columns had half of the speed.
TEST(Columns, OfPassesAreAtLeastASector) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {224939, 338338, 531674, 628342, 399854}) {
    FftProblem problem = problem_of(n);
    problem.batch = (1 << 26) / n;
    const Planned made = plan(problem, target, testing::h200(), Wisdom{});
    ASSERT_EQ(made.taken().launches.size(), 2u) << n;
    for (const Launch& launch : made.taken().launches) {
      EXPECT_GE(launch.shape.block_points, 4 * launch.pass.n()) << n;
      EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.shape)) << n;
    }
  }
}

}  // namespace
}  // namespace sonoma
