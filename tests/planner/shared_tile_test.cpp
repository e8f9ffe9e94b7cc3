// Two passes of a length that is no power of two, in one launch or in two.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "axes.hpp"
#include "for_batch.hpp"
#include "pass_lengths.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/wisdom.hpp"
#include "support.hpp"

namespace sonoma {
namespace {

using testing::problem_of;

const Target& sm_90() {
  static const Target target = target_for("sm_90");
  return target;
}

FftProblem batch_of(std::int64_t n, std::int64_t batch = 0) {
  FftProblem problem = problem_of(n);
  problem.batch = batch > 0 ? batch : std::max<std::int64_t>(1, (1 << 26) / n);
  return problem;
}

Planned planned(const FftProblem& problem, const Wisdom& wisdom = {}, const Tuning& wish = {},
                WorkspacePolicy policy = WorkspacePolicy::fast) {
  return plan(problem, sm_90(), testing::h200(), wisdom, wish, policy);
}

// Of both passes, however they are launched.
std::vector<Decomposition> steps_of(const Program& program) {
  std::vector<Decomposition> steps;
  for (const Launch& launch : program.launches) {
    steps.push_back(launch.shape.tree.decomposition);
    if (launch.fusion) steps.push_back(launch.fusion->shape.tree.decomposition);
  }
  return steps;
}

// Throws where a pass cannot be made.
void schedule_all(const Program& program, const Target& target = sm_90()) {
  for (const Launch& launch : program.launches) {
    (void)schedule(launch.pass, target, launch.shape);
    if (launch.fusion) (void)schedule(launch.fusion->pass, target, launch.fusion->shape);
  }
}

TEST(SharedTile, PassesShareALaunchWhereThatIsPredictedToBeFaster) {
  for (const std::int64_t n : {34749, 52650, 65219, 85995}) {
    const Planned many = planned(batch_of(n));
    ASSERT_TRUE(share_a_launch(many.taken())) << n;
    const Launch& launch = many.taken().launches.front();
    EXPECT_EQ(launch.shape.block_points, launch.fusion->shape.block_points);
    EXPECT_EQ(n % launch.shape.block_points, 0);
    EXPECT_GE(launch.fusion->slots, 8u) << n;
    EXPECT_NE(many.choice.reason.find("predicted"), std::string::npos) << many.choice.reason;
    EXPECT_NO_THROW(schedule_all(many.taken()));
  }
}

TEST(SharedTile, OthersDoNot) {
  const auto shares = [](const FftProblem& problem, const Tuning& wish = {}) {
    return share_a_launch(planned(problem, {}, wish).taken());
  };
  constexpr std::int64_t odd = 65219;
  ASSERT_TRUE(shares(batch_of(odd)));
  EXPECT_FALSE(shares(batch_of(100000))) << "whole sectors";
  EXPECT_FALSE(shares(batch_of(29890))) << "a factor of 61";
  EXPECT_FALSE(shares(batch_of(121121))) << "one launch gains less the longer they are";
  EXPECT_FALSE(shares(batch_of(307461))) << "its tile would have three columns of one pass";
  EXPECT_FALSE(shares(batch_of(25410))) << "a tile of 2310 points";
  EXPECT_FALSE(shares(batch_of(644204))) << "longer than an eighth of the ring";
  EXPECT_FALSE(shares(batch_of(odd, 100))) << "a small batch";
  FftProblem other = batch_of(odd);
  other.storage = Storage::f16;
  EXPECT_FALSE(shares(other)) << "not measured";
  other = batch_of(odd);
  other.layout.in_stride = 2;
  EXPECT_FALSE(shares(other));
  Tuning wish;
  wish.columns = 11;
  EXPECT_FALSE(shares(batch_of(odd), wish)) << "as asked for";
}

// 11319 points as 77 x 147 would waste least in a tile that a block of 64 KB does not hold.
TEST(SharedTile, FitsTheBlockOfEachGpu) {
  for (const int arch : known_archs()) {
    const Target target = target_for(std::to_string(arch));
    for (const std::int64_t n : {11319, 65219, 121121}) {
      const Planned made = plan(batch_of(n), target, testing::h200(), Wisdom{});
      EXPECT_NO_THROW(schedule_all(made.taken(), target)) << n << " on " << arch;
    }
  }
}

// The same bits whatever the batch and the workspace. Of the choices that are shipped 78 of 538 had
// other steps for a small batch.
TEST(SharedTile, StepsDependOnNeitherBatchNorWorkspace) {
  std::vector<FftProblem> problems = {batch_of(65219), batch_of(121121), batch_of(342225),
                                      batch_of(338338)};
  for (const WisdomEntry& entry : shipped_wisdom().entries()) {
    const auto& [lengths, storage, arithmetic, domain, side_by_side, convolution] = entry.subject;
    const bool rows = lengths.size() == 1 && domain == Domain::c2c && side_by_side == 0 &&
                      convolution == Convolved::no;
    if (!rows || !entry.tuning.fused.value_or(false) || is_power_of_two(lengths[0])) continue;
    problems.push_back(batch_of(lengths[0]));
    problems.back().storage = storage;
  }
  ASSERT_GT(problems.size(), 300u);
  for (const FftProblem& many : problems) {
    const Wisdom wisdom = shipped_wisdom_for(many);
    FftProblem few = many;
    few.batch = 1;
    const auto steps = steps_of(planned(many, wisdom).taken());
    const Program one = planned(few, wisdom).taken();
    EXPECT_EQ(steps_of(one), steps) << many.n();
    EXPECT_FALSE(share_a_launch(one)) << many.n();
    EXPECT_NO_THROW(schedule_all(one));
    const Program small = planned(many, wisdom, {}, WorkspacePolicy::minimal).taken();
    EXPECT_EQ(steps_of(small), steps) << many.n() << " in a small workspace";
    EXPECT_LE(small.transforms_together, 2) << many.n();
  }
}

TEST(SharedTile, FewTransformsTakeMoreBlocks) {
  const auto blocks_of = [](const Program& program, std::int64_t batch) {
    std::int64_t fewest = 1 << 30;
    for (const Launch& launch : program.launches) {
      fewest = std::min(fewest, program.problem.n() * batch / launch.shape.block_points);
    }
    return fewest;
  };
  FftProblem half = batch_of(44032, 1);  // 128 x 344: four columns of 128 are a tile of bits
  half.storage = Storage::f16;
  EXPECT_NO_THROW(schedule_all(planned(half).taken()));
  for (const std::int64_t n : {30030, 63888, 100000, 250000}) {
    const Planned one = planned(batch_of(n, 1));
    ASSERT_TRUE(one.few) << n;
    EXPECT_GE(blocks_of(*one.few, 1), 2 * blocks_of(planned(batch_of(n, 200)).taken(), 1)) << n;
    EXPECT_EQ(steps_of(*one.few), steps_of(one.program)) << n;
    EXPECT_NO_THROW(schedule_all(*one.few));
  }
  Tuning columns;
  columns.columns = 20;
  EXPECT_FALSE(planned(batch_of(100000, 1), {}, columns).few) << "as asked for";
}

// A transform that has a block for itself, where others would leave multiprocessors idle.
TEST(FewRows, GoOverClusters) {
  const auto blocks_of = [](std::int64_t n, std::int64_t batch, const Tuning& wish = {}) {
    return planned(batch_of(n, batch), {}, wish).taken().launches.at(0).shape.shares.cluster;
  };
  for (const std::int64_t n : {6561, 7776, 8192, 9720, 15625, 18000, 24500, 26460, 27000}) {
    EXPECT_GE(blocks_of(n, 1), 3u) << n;
    EXPECT_LE(blocks_of(n, 1), 10u) << n;
    EXPECT_LE(blocks_of(n, 20) * 20, 2 * 132u) << n;
    EXPECT_EQ(blocks_of(n, 132), 1u) << n;
    const Planned one = planned(batch_of(n, 1));
    EXPECT_EQ(steps_of(one.taken()), steps_of(planned(batch_of(n, 132)).taken())) << n;
    EXPECT_NO_THROW(schedule_all(one.taken())) << n;
  }
  EXPECT_EQ(blocks_of(28561, 1), 13u);
  EXPECT_EQ(blocks_of(28561, 20), 13u) << "two of them an SM: no fewer blocks have whole steps";
  EXPECT_EQ(blocks_of(28561, 50), 1u) << "five of them";
  EXPECT_EQ(blocks_of(7744, 1), 11u) << "by 4 a block moves three times as much";
  const Planned portable =
      plan(batch_of(28561, 1), target_for("sm_120"), testing::h200(), Wisdom{});
  EXPECT_LE(portable.taken().launches.at(0).shape.shares.cluster, 8u);
  EXPECT_EQ(blocks_of(5000, 1), 1u);
  Tuning asked;
  asked.cluster = 1;
  EXPECT_EQ(blocks_of(9720, 1, asked), 1u) << "as asked for";
}

// As they were measured: see FewRules::several_digits.
TEST(FewPlanes, OfRealNumbersPreferBlocksOfOneDigit) {
  using Case = std::pair<std::vector<std::int64_t>, unsigned>;
  for (const auto& [lengths, blocks] :
       {Case{{540, 48}, 12}, Case{{45, 324}, 9}, Case{{27, 14, 48}, 6}, Case{{210, 120}, 10}}) {
    FftProblem one;
    one.lengths = lengths, one.domain = Domain::r2c, one.batch = 1;
    EXPECT_EQ(planned(one).taken().launches.at(0).shape.shares.cluster, blocks) << to_list(lengths);
  }
}

}  // namespace
}  // namespace sonoma
