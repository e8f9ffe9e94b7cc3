// What was measured on a GPU, and what others get of it.
#include "profile.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

TEST(Profile, OnlyWhatWasMeasuredIsSpreadAndTight) {
  for (const int arch : known_archs()) {
    const Target target = target_for(std::to_string(arch));
    const DeviceProfile& profile = profile_of(target);
    const bool measured = arch == 90;
    EXPECT_EQ(!profile.spread.empty(), measured) << arch;
    EXPECT_EQ(profile.products.has_value(), measured) << arch;
    EXPECT_EQ(profile.passes.rounds_of_long_passes, measured) << arch;
    EXPECT_FALSE(profile.steps.empty()) << arch;
  }
}

TEST(Profile, StepsMultiplyToTheirLength) {
  const Target target = target_for("sm_90");
  const DeviceProfile& profile = profile_of(target);
  for (const auto& [of, length, steps] : profile.steps) {
    EXPECT_EQ(steps.n(), length);
    ASSERT_NE(profile.steps_of(of, length), nullptr);
    EXPECT_EQ(*profile.steps_of(of, length), steps) << "a second list";
  }
  EXPECT_EQ(profile.steps_of(FastSteps::Of::in_block, 4096), nullptr);
}

TEST(Profile, WhatIsSpreadIsMadeInOneLaunch) {
  const Target target = target_for("sm_90");
  const auto shares = [&](const FftProblem& problem, const Tuning& wish) {
    const Program program = make_program(problem, target, wish);
    return program.launches.size() == 1 ? program.launches.front().shape.shares : Shares{};
  };
  Tuning shaped;
  shaped.radix = 16;
  for (const Spread& spread : profile_of(target).spread) {
    FftProblem problem = problem_of(spread.length);
    EXPECT_EQ(shares(problem, {}), spread.open) << spread.length;
    EXPECT_EQ(shares(problem, shaped), spread.shaped) << spread.length;
    problem.storage = Storage::f16;
    EXPECT_EQ(shares(problem, {}), spread.half_open) << spread.length;
    EXPECT_EQ(shares(problem, shaped), spread.half_shaped) << spread.length;
  }
}

// What was tried of a length in parts once took seconds: every order of every product of radices.
TEST(SharedOut, LengthsThatCannotBeAreRefusedAtOnce) {
  const auto refusal = [](std::int64_t n, unsigned cluster, unsigned rounds) {
    Tuning wish;
    wish.engine = Engine::simt, wish.cluster = cluster, wish.rounds = rounds;
    try {
      return to_string(resolve(wish, problem_of(n), target_for("sm_90")).tree.decomposition);
    } catch (const UnsupportedProblem& error) {
      return error.field();
    }
  };
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(46080, 9, 2), "rounds");
  EXPECT_EQ(refusal(46080, 7, 1), "cluster");
  EXPECT_EQ(refusal(90090, 4, 2), "rounds");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 1) << "of three refusals, each of which takes a few milliseconds";
  EXPECT_EQ(refusal(46080, 6, 2), "(gs 12 (gs 16 (gs 16 (dft 15))))");
}

}  // namespace
}  // namespace sonoma::testing
