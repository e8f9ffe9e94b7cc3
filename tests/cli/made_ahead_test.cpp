// Candidates of several searches, found and made by other threads.
#include "made_ahead.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace sonoma::bench {
namespace {

// Of registers `first`, `first` + 1, ...
std::vector<Tuning> candidates_from(unsigned first, std::size_t count) {
  std::vector<Tuning> found(count);
  for (Tuning& one : found) one.registers = first++;
  return found;
}

CompiledKernels kernels_with(const Tuning& tuning) {
  CompiledKernels kernels;
  kernels.candidate.tuning = tuning;
  return kernels;
}

TEST(MadeAhead, GivesTheKernelsOfEachSearchInTheOrderOfItsCandidates) {
  std::vector<SearchWork> work;
  for (unsigned i = 0; i < 20; ++i) {
    work.push_back({[i] { return candidates_from(100 * i, i + 1); }, kernels_with});
  }
  MadeAhead ahead(std::move(work), 3);
  for (unsigned i = 0; i < 20; ++i) {
    const auto made = ahead.get(i);
    ASSERT_EQ(made.size(), i + 1);
    for (unsigned k = 0; k <= i; ++k) {
      EXPECT_EQ(made[k].candidate.tuning.registers, 100 * i + k);
    }
  }
  EXPECT_EQ(ahead.count().made, 210u);
  EXPECT_EQ(ahead.count().all, 210u);
}

TEST(MadeAhead, WhenTheTimeIsOverTheFirstOnesAreMade) {
  const auto slowly = [](const Tuning& tuning) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return kernels_with(tuning);
  };
  MadeAhead ahead({{[] { return candidates_from(32, 10000); }, slowly}}, 2);
  const auto made = ahead.get(0, 0.02);
  EXPECT_LT(made.size(), 10000u);
  ASSERT_GE(made.size(), 1u);
  EXPECT_EQ(made.front().candidate.tuning.registers, 32u);
  MadeAhead late({{[] { return candidates_from(32, 10000); }, slowly}}, 2);
  EXPECT_GE(late.get(0, -1).size(), 1u) << "the first one always";
}

TEST(MadeAhead, WhatFailsFailsAlone) {
  const auto fails = []() -> std::vector<Tuning> { throw std::runtime_error("it is refused"); };
  const auto cannot = [](const Tuning& tuning) -> CompiledKernels {
    if (tuning.registers == 9) throw std::runtime_error("there is no compiler");
    return kernels_with(tuning);
  };
  MadeAhead ahead({{fails, kernels_with},
                   {[] { return candidates_from(7, 5); }, cannot},
                   {[] { return candidates_from(7, 2); }, kernels_with}},
                  2);
  EXPECT_THROW((void)ahead.get(0), std::runtime_error);
  EXPECT_THROW((void)ahead.get(1), std::runtime_error);
  EXPECT_EQ(ahead.get(2).size(), 2u);
}

TEST(MadeAhead, WhatNobodyWaitsForIsLeft) {
  std::atomic<int> made = 0;
  {
    std::vector<SearchWork> work;
    for (unsigned i = 0; i < 100; ++i) {
      work.push_back({[i] { return candidates_from(i, 10); },
                      [&](const Tuning& tuning) {
                        std::this_thread::sleep_for(std::chrono::milliseconds(2));
                        ++made;
                        return kernels_with(tuning);
                      }});
    }
    MadeAhead ahead(std::move(work), 2);
    (void)ahead.get(0);
  }
  EXPECT_LT(made, 1000);
}

}  // namespace
}  // namespace sonoma::bench
