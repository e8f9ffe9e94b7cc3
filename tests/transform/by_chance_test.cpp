// Other requests in every run: any kind, laid out at random, with fields of a tuning at random, on
// the emulated device beside FFTW in double precision, between guards, on poisoned memory. What is
// refused is refused by name; what is accepted is right. What was tried is printed with the words
// that repeat it.
#include "by_chance.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <string>

#include "../setting.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

using Clock = std::chrono::system_clock;

// False where it is refused.
bool try_one(std::int64_t seed, std::int64_t number) {
  Chance chance(seed, number);
  const FftProblem problem = chance.problem();
  PlanOptions options;
  options.device = Device::cpu;
  std::string asked;
  try {
    options.tuning = chance.tuning(problem);
    options.target = target_for(chance.arch());
    asked = to_string(problem) + " " + to_string(options.tuning) + " " + arch_name(*options.target);
    const Plan plan = make_plan(problem, options);
    std::cout << "number " << number << ": " << asked << std::endl;  // also where it ends here
    SCOPED_TRACE("SONOMA_RANDOM_SEED=" + std::to_string(seed) +
                 " SONOMA_RANDOM_FIRST=" + std::to_string(number) +
                 " SONOMA_RANDOM_SECONDS=0 build/tests/bin/transform_random_test "
                 "--gtest_filter=ByChance.* repeats it: " +
                 asked);
    expect_as_fftw(plan);
    return true;
  } catch (const UnsupportedProblem& refusal) {
    EXPECT_NE(refusal.field(), "") << asked;
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "seed " << seed << ", number " << number << ": " << asked << "\n"
                  << error.what();
    return true;
  }
}

TEST(ByChance, WhatIsAcceptedIsThatOfFftw) {
  const std::int64_t seed = setting("SONOMA_RANDOM_SEED", seed_of_today());
  const std::int64_t seconds = setting("SONOMA_RANDOM_SECONDS", 8);
  std::int64_t number = setting("SONOMA_RANDOM_FIRST", 0), right = 0;
  std::cout << "seed " << seed << ": SONOMA_RANDOM_SEED=" << seed << " repeats it\n";
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  do {
    if (try_one(seed, number++)) ++right;
  } while (Clock::now() < end);
  std::cout << right << " of " << number << " combinations were accepted\n";
  EXPECT_TRUE(right > 0 || seconds == 0);
}

}  // namespace
}  // namespace sonoma::test
