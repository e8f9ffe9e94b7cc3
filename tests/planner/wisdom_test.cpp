// Which of two measurements is kept.
#include "sonoma/wisdom.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "sonoma/error_limit.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/schedule.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

TEST(Wisdom, KeepsTheBetterOfEqualKeysWhateverTheOrder) {
  const WisdomEntry slow = entry_of(Arithmetic::simt, 0.8, 96);
  const WisdomEntry fast = entry_of(Arithmetic::simt, 0.9, 80);
  WisdomEntry later = fast;
  later.date = "2027-01-01";
  std::vector<WisdomEntry> entries = {slow, fast, later};
  std::sort(entries.begin(), entries.end());
  do {
    Wisdom wisdom;
    for (const auto& entry : entries) wisdom.add(entry);
    EXPECT_EQ(wisdom.entries(), std::vector{later});
  } while (std::next_permutation(entries.begin(), entries.end()));
}

TEST(Wisdom, EveryPartOfTheKeyCounts) {
  const WisdomEntry entry = entry_of(Arithmetic::simt, 0.8);
  std::vector<WisdomEntry> others(7, entry);
  others[0].platform.device = "NVIDIA H100";
  others[1].platform.arch = 100;
  others[2].platform.driver = "12.8";
  others[3].platform.generator = std::string(16, '0');
  others[4].subject.lengths = {2048};
  others[5].subject.storage = Storage::f16;
  others[6].subject.arithmetic = Arithmetic::half;
  Wisdom wisdom;
  wisdom.add(entry);
  for (const auto& other : others) wisdom.add(other);
  EXPECT_EQ(wisdom.entries().size(), 8u);
  EXPECT_TRUE(std::is_sorted(wisdom.entries().begin(), wisdom.entries().end()));
}

TEST(Wisdom, MergingIsSymmetricAndIdempotent) {
  Wisdom a, b;
  a.add(entry_of(Arithmetic::simt, 0.8));
  a.add(entry_of(Arithmetic::split3, 0.7));
  b.add(entry_of(Arithmetic::simt, 0.9));
  b.add(entry_of(Arithmetic::half, 0.95));
  Wisdom ab = a, ba = b;
  ab.merge(b);
  ba.merge(a);
  EXPECT_EQ(ab, ba);
  EXPECT_EQ(ab.entries().size(), 3u);
  ab.merge(ab);
  EXPECT_EQ(ab, ba);
}

TEST(Wisdom, TheGeneratorsVersionIsAHash) {
  const std::string& version = generator_version();
  EXPECT_EQ(version.size(), 16u);
  EXPECT_TRUE(std::all_of(version.begin(), version.end(), [](unsigned char c) {
    return std::isdigit(c) != 0 || (c >= 'a' && c <= 'f');
  }));
}

// Every entry that is shipped can be taken by this generator.
TEST(Wisdom, WhatIsShippedCanBeGenerated) {
  for (const auto& entry : shipped_wisdom().entries()) {
    FftProblem problem = problem_of(entry.subject.lengths.at(0));
    problem.storage = entry.subject.storage;
    const Target target = target_for(std::to_string(entry.platform.arch));
    const Program program = make_program(problem, target, entry.tuning);
    if (!entry.tuning.pass_lengths) {
      EXPECT_EQ(resolve(entry.tuning, problem, target), entry.tuning);
      EXPECT_EQ(program.launches.size(), 1u) << to_string(entry.tuning);
    }
    for (const Launch& launch : program.launches) {
      EXPECT_NO_THROW((void)schedule(launch.pass, target, launch.tuning))
          << to_string(entry.tuning);
    }
    const bool passes = entry.tuning.pass_lengths.has_value();  // between which points are rounded
    const Tuning& judged = passes ? entry.tuning : program.launches.front().tuning;
    EXPECT_LE(entry.rel_l2, error_limit(problem, judged)) << to_string(entry.tuning);
  }
}

}  // namespace
}  // namespace sonoma::testing
