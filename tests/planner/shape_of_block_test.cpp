// Shapes of blocks are judged without looking at all of them: nothing is lost by that.
#include "shape_of_block.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/target.hpp"
#include "trees.hpp"

namespace sonoma::testing {
namespace {

constexpr double rounding = 1e-12;

TEST(Norm, IsNoLessThanItsTangent) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> busy(0, 3), power(1.01, 4);
  for (int repetition = 0; repetition < 1000; ++repetition) {
    const double p = power(random);
    Norm norm, other;
    const Busy here = {busy(random), busy(random), busy(random), repetition % 3 ? 0 : busy(random)};
    EXPECT_NEAR(norm.of(here, p), norm.at_least(here, p), 1e-12);
    for (int k = 0; k < 5; ++k) {
      const Busy there = {busy(random), busy(random), busy(random), k % 2 ? 0 : busy(random)};
      EXPECT_LE(norm.at_least(there, p), other.of(there, p) * (1 + rounding));
      EXPECT_GE(norm.at_least(there, p), 0);
    }
  }
  Norm unknown;
  EXPECT_DOUBLE_EQ(unknown.at_least({3, 4, 0, 0}, 2), 5);
  EXPECT_DOUBLE_EQ(unknown.at_least({1, 1, 1, 0}, 1), 3);  // of another power
}

struct Case {
  Decomposition tree;
  MixedKernel kernel;
  unsigned block;
  Tuning wish;
};

Case case_by_chance(std::mt19937& random) {
  const auto number = [&](unsigned below) { return static_cast<unsigned>(random()) % below; };
  const char* const archs[] = {"sm_75", "sm_80", "sm_86", "sm_90", "sm_120"};
  Case one{{}, {target_for(archs[number(5)])}, 0, {}};
  const bool opposite = number(4) == 0;
  one.kernel.laps = number(4) > 0, one.kernel.filters = number(3) == 0;
  one.kernel.other_registers = 8 * number(3), one.kernel.of_pass = !opposite && number(3) == 0;
  one.kernel.powers = number(2) == 0, one.kernel.coprime = !opposite && number(5) == 0;
  if (number(5) == 0) one.kernel.sums = Sums::fp64_last;
  if (opposite) one.kernel.opposite = number(2) ? OppositePhase::first : OppositePhase::last;
  std::vector<Decomposition> trees;
  while (trees.empty())
    trees = mixed_trees(20 + number(number(2) ? 500 : 16000), one.kernel.opposite);
  one.tree = trees[number(static_cast<unsigned>(trees.size()))];
  const auto n = static_cast<unsigned>(one.tree.n());
  one.block = n * (opposite ? 1 : 1 + number(std::max(1u, 2048 / n)));
  return one;
}

// All shapes, one after the other.
std::optional<JudgedShape> best_of_all(const Case& one, unsigned most_points) {
  std::optional<JudgedShape> best;
  for (unsigned points = largest_of(one.tree); points <= most_points; ++points) {
    if (!may_fill(one.tree, points)) continue;
    MixedShape shape{points, one.block, {}, 0, one.kernel.opposite, one.kernel.coprime};
    const Fillings fillings(work_of(one.tree, shape), points);
    std::vector<unsigned> counts;
    count_threads(counts, fillings, shape, one.kernel);
    for (const unsigned threads : counts) {
      shape.threads = threads;
      const double cycles = expected_of(one.tree, shape, one.kernel).cycles;
      if (!best || cycles < 0.99 * best->cycles) best = {shape, cycles};
    }
  }
  return best;
}

TEST(BlockJudge, FindsWhatAllShapesHave) {
  std::mt19937 random(5);
  for (int repetition = 0; repetition < 2000; ++repetition) {
    const Case one = case_by_chance(random);
    const unsigned most_points = std::max(usual_points, largest_of(one.tree));
    const auto all = best_of_all(one, most_points);
    BlockJudge judge(one.wish, one.kernel);
    const auto found = judge.best(one.tree, one.block, most_points);
    ASSERT_TRUE(all && found);
    EXPECT_EQ(found->shape, all->shape) << to_string(one.tree) << " in " << one.block;
    EXPECT_NEAR(found->cycles, all->cycles, rounding * all->cycles);
    // What it does not look at is no better.
    for (const double share : {0.5, 0.9, 0.999, 1.001, 1.1}) {
      const double below = share * all->cycles;
      const auto bounded = judge.best(one.tree, one.block, most_points, below);
      EXPECT_TRUE(bounded ? bounded->shape == all->shape : below <= all->cycles) << share;
    }
  }
}

TEST(Expecting, NoThreadsTakeLessThanItsBound) {
  std::mt19937 random(9);
  int close = 0, all = 0;
  for (int repetition = 0; repetition < 2000; ++repetition) {
    const Case one = case_by_chance(random);
    Norms norms = {};
    Expecting expected(one.tree, one.kernel, norms);
    for (unsigned points = largest_of(one.tree); points <= usual_points; ++points) {
      MixedShape shape{points, one.block, {}, 0, one.kernel.opposite, one.kernel.coprime};
      const Fillings fillings(work_of(one.tree, shape), points);
      const double bound = expected.at_least(fillings, shape);
      double least = impossible_cycles;
      std::vector<unsigned> counts;
      count_threads(counts, fillings, shape, one.kernel);
      for (const unsigned threads : counts) {
        shape.threads = threads;
        least = std::min(least, expected_of(one.tree, shape, one.kernel).cycles);
      }
      EXPECT_LE(bound, least * (1 + rounding)) << to_string(one.tree) << ", " << points;
      if (least < impossible_cycles) ++all, close += bound > 0.8 * least;
    }
  }
  EXPECT_GT(close, all / 2);  // else it would be of little use
}

}  // namespace
}  // namespace sonoma::testing
