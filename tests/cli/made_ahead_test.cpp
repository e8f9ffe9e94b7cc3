// Candidates of several searches, found and made by other threads.
#include "made_ahead.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace sonoma::bench {
namespace {

std::vector<Candidate> candidates_with(unsigned registers, std::size_t count) {
  std::vector<Candidate> found(count);
  for (Candidate& one : found) one.tuning.registers = registers;
  return found;
}

TEST(MadeAhead, GivesTheCandidatesOfEachSearchWhenTheirKernelsAreMade) {
  std::atomic<std::size_t> made[20] = {};
  std::vector<SearchWork> work;
  for (unsigned i = 0; i < 20; ++i) {
    work.push_back({[i] { return candidates_with(i, i); },
                    [&made, i](const Tuning& tuning) { made[i] += *tuning.registers == i; }});
  }
  MadeAhead ahead(std::move(work));
  for (unsigned i = 0; i < 20; ++i) {
    const auto found = ahead.get(i);
    EXPECT_EQ(found.size(), i);
    if (i > 0) {
      EXPECT_EQ(found.front().tuning.registers, i);
    }
    EXPECT_EQ(made[i], i);
  }
}

TEST(MadeAhead, OfManyCandidatesTheFirstAreMade) {
  std::atomic<std::size_t> made = 0;
  MadeAhead ahead({{[] { return candidates_with(1, 1000); }, [&](const Tuning&) { ++made; }}});
  EXPECT_EQ(ahead.get(0).size(), 1000u);
  EXPECT_LT(made, 1000u);
  EXPECT_GE(made, 32u);
}

TEST(MadeAhead, WhatFailsFailsAlone) {
  const auto fails = []() -> std::vector<Candidate> { throw std::runtime_error("it is refused"); };
  const auto nothing = [](const Tuning&) {};
  MadeAhead ahead({{fails, nothing}, {[] { return candidates_with(7, 2); }, nothing}});
  EXPECT_THROW((void)ahead.get(0), std::runtime_error);
  EXPECT_EQ(ahead.get(1).size(), 2u);
}

TEST(MadeAhead, WhatNobodyWaitsForIsLeft) {
  std::atomic<int> made = 0;
  {
    std::vector<SearchWork> work;
    for (unsigned i = 0; i < 100; ++i) {
      work.push_back({[i] { return candidates_with(i, 10); },
                      [&](const Tuning&) {
                        std::this_thread::sleep_for(std::chrono::milliseconds(2));
                        ++made;
                      }});
    }
    MadeAhead ahead(std::move(work));
    (void)ahead.get(0);
  }
  EXPECT_LT(made, 1000);
}

}  // namespace
}  // namespace sonoma::bench
