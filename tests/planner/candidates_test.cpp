// Properties of the search space.
#include "sonoma/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

constexpr Arithmetic arithmetics[] = {Arithmetic::simt, Arithmetic::split3};

void check_candidate(const Candidate& candidate, const FftProblem& problem, const Target& target,
                     Arithmetic arithmetic, std::set<Schedule>& seen) {
  const Tuning& tuning = candidate.tuning;
  const Shape shape = resolve(tuning, problem, target);
  EXPECT_EQ(tuning_of(shape), tuning);
  EXPECT_EQ(shape.arithmetic, arithmetic);
  const Schedule made = schedule(problem, target, shape);
  EXPECT_TRUE(seen.insert(made).second) << "twice: " << to_string(tuning);
  EXPECT_LE(made.launch.threads, 1024u);
  EXPECT_LE(made.launch.shared_bytes, static_cast<unsigned>(target.shared_bytes));
  EXPECT_GT(candidate.cost.total, 0);
}

TEST(Candidates, AreDistinctResolvedKernelsOfTheirArithmetic) {
  for (const char* arch : {"sm_75", "sm_90"}) {
    for (const std::int64_t n : {2, 64, 4096}) {
      for (const Arithmetic arithmetic : arithmetics) {
        const Target target = target_for(arch);
        const auto found = candidates(problem_of(n), target, arithmetic, Effort::measure);
        std::set<Schedule> seen;
        for (const auto& one : found) check_candidate(one, problem_of(n), target, arithmetic, seen);
        EXPECT_GE(found.size(), 4u) << n;
        EXPECT_LE(found.size(), 129u) << n;
      }
    }
  }
}

TEST(Candidates, OfConvolutionsAreOfSeveralLengths) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {127, 2053, 8191}) {
    const auto found = candidates(problem_of(n), target, Arithmetic::simt, Effort::measure);
    std::set<Schedule> seen;
    std::set<std::int64_t> lengths;
    for (const auto& one : found) {
      check_candidate(one, problem_of(n), target, Arithmetic::simt, seen);
      lengths.insert(convolution_points(one.tuning));
    }
    EXPECT_LE(found.size(), 49u + 24u) << n;              // 24 by the method rader
    EXPECT_GE(lengths.size(), n == 2053 ? 4u : 1u) << n;  // no shorter ones than those of bits
    EXPECT_EQ(found[0].tuning, generate(problem_of(n), target).tuning) << n;
  }
}

TEST(Candidates, OfPrimesAreOfBothConvolutions) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {257, 1009, 12289}) {
    const auto found = candidates(problem_of(n), target, Arithmetic::simt, Effort::measure);
    const auto of = [&](Method method) {
      return std::count_if(found.begin(), found.end(), [&](const Candidate& one) {
        return method_for(one.tuning, problem_of(n), target) == method;
      });
    };
    EXPECT_EQ(found[0].tuning.method, Method::rader) << n;
    EXPECT_GE(of(Method::rader), 4) << n;
    EXPECT_GE(of(Method::bluestein), 4) << n;
  }
}

TEST(Candidates, OfOtherLengthsThanPowersOfTwo) {
  const Target target = target_for("sm_90");
  for (const std::int64_t n : {7, 360, 1000, 12000}) {
    const auto found = candidates(problem_of(n), target, Arithmetic::simt, Effort::measure);
    std::set<Schedule> seen;
    std::set<Decomposition> trees;
    for (const auto& one : found) {
      check_candidate(one, problem_of(n), target, Arithmetic::simt, seen);
      trees.insert(*one.tuning.decomposition);
    }
    EXPECT_GE(found.size(), n == 7 ? 2u : 8u) << n;
    EXPECT_LE(found.size(), n > 6000 ? 50u : 25u) << n;  // and what shares its tile
    EXPECT_GE(trees.size(), n == 7 ? 1u : 3u) << n;
    EXPECT_EQ(found[0].tuning, generate(problem_of(n), target).tuning) << n;
  }
}

// One block an SM took .56 of the speed of a copy, three with laps .85.
// Also those whose frequencies meet in registers: all can be made, and the planner's own is first.
TEST(Candidates, OfRealTransformsCanBeMade) {
  const Target target = target_for("sm_90");
  for (const Domain domain : {Domain::r2c, Domain::c2r}) {
    for (const std::int64_t n : {3000, 4096, 13860, 60000}) {
      FftProblem problem = problem_of(n);
      problem.domain = domain;
      const auto found = candidates(problem, target, Arithmetic::simt, Effort::measure);
      std::set<Tuning> seen;
      for (const Candidate& one : found) {
        EXPECT_NO_THROW((void)make_program(problem, target, one.tuning)) << to_string(one.tuning);
        EXPECT_TRUE(seen.insert(one.tuning).second) << "twice: " << to_string(one.tuning);
      }
      const auto opposite = [](const Candidate& one) { return one.tuning.opposite == true; };
      EXPECT_TRUE(std::ranges::any_of(found, opposite)) << n;
      EXPECT_FALSE(std::ranges::all_of(found, opposite)) << n;
    }
  }
}

TEST(Candidates, OfSevenThousandPointsWithSeveralBlocksAnSm) {
  const auto found =
      candidates(problem_of(7000), target_for("sm_90"), Arithmetic::simt, Effort::measure);
  EXPECT_GE(found.at(0).cost.blocks, 2u);
  EXPECT_GE(found.at(1).cost.blocks, 2u);
}

TEST(Candidates, BeginWithTheDefaults) {
  for (const std::int64_t n : {2, 8, 32, 256, 2048}) {
    for (const Arithmetic arithmetic : arithmetics) {
      FftProblem named = problem_of(n);
      named.accuracy.arithmetic = arithmetic;
      const Target target = target_for("sm_90");
      const auto found = candidates(problem_of(n), target, arithmetic, Effort::measure);
      EXPECT_EQ(found.at(0).tuning, generate(named, target).tuning) << n;
    }
  }
}

TEST(Candidates, ThePatientSeeMore) {
  const Target target = target_for("sm_90");
  for (const Arithmetic arithmetic : arithmetics) {
    const auto few = candidates(problem_of(16), target, arithmetic, Effort::measure);
    const auto all = candidates(problem_of(16), target, arithmetic, Effort::patient);
    EXPECT_GT(all.size(), 2 * few.size());
    const auto more_steps = [](const Candidate& one) {
      return one.tuning.decomposition->radices == std::vector<unsigned>{2, 8};
    };
    EXPECT_FALSE(std::any_of(few.begin(), few.end(), more_steps));
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), more_steps));
  }
  const auto of_powers = [](const Candidate& one) {
    return one.tuning.twiddles == Twiddles::powers;
  };
  const auto few = candidates(problem_of(6125), target, Arithmetic::simt, Effort::measure);
  const auto all = candidates(problem_of(6125), target, Arithmetic::simt, Effort::patient);
  EXPECT_TRUE(std::ranges::all_of(few, of_powers));
  EXPECT_FALSE(std::ranges::all_of(all, of_powers));
}

TEST(Candidates, ProductsMayStandBesideButterflies) {
  const auto found =
      candidates(problem_of(256), target_for("sm_90"), Arithmetic::split3, Effort::measure);
  for (const unsigned steps : {1u, 2u, 3u}) {
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Candidate& one) {
      return one.tuning.tensor_steps == steps;
    })) << steps;
  }
}

TEST(Candidates, AreInTheOrderOfTheModelAndReproducible) {
  const auto once =
      candidates(problem_of(32), target_for("sm_90"), Arithmetic::simt, Effort::measure);
  const auto again =
      candidates(problem_of(32), target_for("sm_90"), Arithmetic::simt, Effort::measure);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].tuning, again[i].tuning);
  }
  EXPECT_TRUE(std::is_sorted(once.begin() + 1, once.end(), [](const auto& a, const auto& b) {
    return a.cost.total < b.cost.total;
  }));
}

TEST(Candidates, OfWhatCannotBeServedAreAnError) {
  EXPECT_THROW(
      (void)candidates(problem_of(8209), target_for("sm_90"), Arithmetic::split3, Effort::measure),
      UnsupportedProblem);
}

}  // namespace
}  // namespace sonoma::testing
