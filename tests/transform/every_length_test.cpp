// Every length by its default plan on the emulated device: all up to 4200 and a random sample to
// 2^20. That takes 13 minutes on two cores, so that a run covers a sample of them;
// SONOMA_EVERY_LENGTH=1 covers all (the preset nightly sets it).
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "parallel.hpp"
#include "plan_transform.hpp"

namespace sonoma::test {
namespace {

constexpr std::int64_t last_of_all = 4200;

bool all_are_wanted() {
  const char* wanted = std::getenv("SONOMA_EVERY_LENGTH");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

// Up to 20 points all; each further one with a probability that leaves about `count`.
std::vector<std::int64_t> lengths_to(std::int64_t last, int count) {
  std::mt19937_64 random(20);
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 1; n <= last; ++n) {
    const bool drawn = random() % static_cast<std::uint64_t>(last) < static_cast<unsigned>(count);
    if (n <= 20 || drawn || all_are_wanted()) lengths.push_back(n);
  }
  return lengths;
}

// As many of each octave.
std::vector<std::int64_t> long_lengths(int of_an_octave) {
  std::mt19937_64 random(21);
  std::vector<std::int64_t> lengths;
  for (std::int64_t octave = 8192; octave < 1 << 20; octave *= 2) {
    for (int i = 0; i < of_an_octave; ++i) {
      lengths.push_back(octave +
                        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(octave)));
    }
  }
  return lengths;
}

// Empty if it meets its limits. The direction alternates.
std::string faults_of(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  problem.direction = n % 2 == 0 ? Direction::forward : Direction::inverse;
  PlanOptions options;
  options.device = Device::cpu;
  const PlanTransform transform([&](std::int64_t batch) {
    FftProblem whole = problem;
    whole.batch = batch;
    return make_plan(whole, options);
  });
  verification::CheckOptions check;
  check.random_transforms = 1;
  check.adversarial = check.bit_exact = n <= 256;
  check.properties = n <= last_of_all;
  const auto report = transform.check(check);
  return report.pass() ? "" : summary(report);
}

std::string faults_of(const std::vector<std::int64_t>& lengths) {
  return in_parallel(
      lengths, [](std::int64_t n) { return "n = " + std::to_string(n); },
      [](std::int64_t n) { return faults_of(n); });
}

TEST(EveryLength, ToFourThousand) { EXPECT_EQ(faults_of(lengths_to(last_of_all, 40)), ""); }

TEST(EveryLength, ToAMillion) { EXPECT_EQ(faults_of(long_lengths(all_are_wanted() ? 8 : 1)), ""); }

}  // namespace
}  // namespace sonoma::test
