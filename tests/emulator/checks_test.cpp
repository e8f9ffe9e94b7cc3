// The conflict counter and the race checker by themselves.
#include <gtest/gtest.h>

#include "race_checker.hpp"
#include "wavefronts.hpp"

namespace {

using sonoma::EmulationReport;
using sonoma::WavefrontCount;
using sonoma::emulator::Accessor;
using sonoma::emulator::count_wavefronts;
using sonoma::emulator::RaceChecker;
using sonoma::emulator::SharedOperation;
using sonoma::emulator::WarpAccess;
using sonoma::emulator::WavefrontLog;

WarpAccess strided(unsigned stride) {
  WarpAccess access;
  access.lanes = ~0u;
  for (unsigned lane = 0; lane < 32; ++lane) access.offsets[lane] = lane * stride;
  return access;
}

TEST(CountWavefronts, FourBytes) {
  EXPECT_EQ(count_wavefronts(strided(4), 4), (WavefrontCount{1, 1}));
  EXPECT_EQ(count_wavefronts(strided(8), 4), (WavefrontCount{2, 1}));
  EXPECT_EQ(count_wavefronts(strided(128), 4), (WavefrontCount{32, 1}));
  EXPECT_EQ(count_wavefronts(strided(132), 4), (WavefrontCount{1, 1}));
  EXPECT_EQ(count_wavefronts(strided(0), 4), (WavefrontCount{1, 1}));  // broadcast
  EXPECT_EQ(count_wavefronts(strided(2), 2), (WavefrontCount{1, 1}));
  EXPECT_EQ(count_wavefronts(strided(8), 2), (WavefrontCount{2, 1}));
}

TEST(CountWavefronts, WiderAccessesGoByPartsOfTheWarp) {
  EXPECT_EQ(count_wavefronts(strided(8), 8), (WavefrontCount{2, 2}));
  EXPECT_EQ(count_wavefronts(strided(16), 8), (WavefrontCount{4, 2}));
  EXPECT_EQ(count_wavefronts(strided(16), 16), (WavefrontCount{4, 4}));
  EXPECT_EQ(count_wavefronts(strided(128), 16), (WavefrontCount{32, 4}));
}

TEST(CountWavefronts, AbsentLanesCostNothing) {
  WarpAccess access = strided(8);
  access.lanes = 0x0000ffffu;
  EXPECT_EQ(count_wavefronts(access, 8), (WavefrontCount{1, 1}));
}

TEST(WavefrontLog, PutsTheLanesCallsTogether) {
  WavefrontLog log;
  constexpr std::uint64_t path = 1;
  for (unsigned lane = 0; lane < 32; ++lane) {
    log.record(lane, path, SharedOperation::store, lane * 4, 4);    // first round
    log.record(lane, path, SharedOperation::store, lane * 128, 4);  // second round
  }
  EmulationReport report;
  log.flush(report);
  EXPECT_EQ(report.stores, (WavefrontCount{33, 2}));
  log.flush(report);
  EXPECT_EQ(report.stores, (WavefrontCount{33, 2}));
}

Accessor lane(unsigned number, unsigned block_epoch = 1, unsigned warp_epoch = 0) {
  return {.warp = number / 32,
          .lane = number % 32,
          .block_epoch = block_epoch,
          .warp_epoch = warp_epoch,
          .collectives = warp_epoch,
          .block = 0};
}

TEST(RaceChecker, UnwrittenWordsMayNotBeRead) {
  RaceChecker checker("shared", 64, 2, false);
  EXPECT_TRUE(checker.load(0, 4, lane(0)));
  EXPECT_FALSE(checker.store(0, 8, lane(0)));
  EXPECT_FALSE(checker.load(4, 4, lane(0)));
  EXPECT_TRUE(checker.load(4, 8, lane(0)));
  checker.reset();
  EXPECT_TRUE(checker.load(0, 4, lane(0)));
}

TEST(RaceChecker, WriteThenRead) {
  RaceChecker checker("shared", 64, 2, false);
  ASSERT_FALSE(checker.store(0, 4, lane(3)));
  EXPECT_FALSE(checker.load(0, 4, lane(3)));
  EXPECT_TRUE(checker.load(0, 4, lane(4)));
  EXPECT_FALSE(checker.load(0, 4, lane(4, 1, 1)));  // after a warp barrier
  EXPECT_TRUE(checker.load(0, 4, lane(35, 1, 1)));  // which does not help another warp
  EXPECT_FALSE(checker.load(0, 4, lane(35, 2, 0)));
}

TEST(RaceChecker, ReadThenWriteFindsEveryReader) {
  RaceChecker checker("shared", 64, 2, false);
  ASSERT_FALSE(checker.store(0, 4, lane(0)));
  ASSERT_FALSE(checker.load(0, 4, lane(1, 2)));
  ASSERT_FALSE(checker.load(0, 4, lane(2, 2)));
  EXPECT_TRUE(checker.store(0, 4, lane(1, 2)));
  EXPECT_TRUE(checker.store(0, 4, lane(2, 2)));
  EXPECT_FALSE(checker.store(0, 4, lane(2, 2, 1)));
}

TEST(RaceChecker, CollectivesOrderReadsBeforeWritesOnly) {
  RaceChecker checker("shared", 64, 2, true);
  Accessor later = lane(1);
  later.collectives = 1;
  ASSERT_FALSE(checker.load(0, 4, lane(0)));
  EXPECT_TRUE(checker.store(0, 4, lane(1)));
  EXPECT_FALSE(checker.store(0, 4, later));
  ASSERT_FALSE(checker.store(8, 4, lane(0)));
  EXPECT_TRUE(checker.load(8, 4, later));
  EXPECT_TRUE(checker.store(8, 4, later));
}

TEST(RaceChecker, ReadersOfSeveralWarps) {
  RaceChecker checker("shared", 64, 2, false);
  ASSERT_FALSE(checker.store(0, 4, lane(0)));
  ASSERT_FALSE(checker.load(0, 4, lane(0, 2)));
  ASSERT_FALSE(checker.load(0, 4, lane(40, 2)));
  ASSERT_FALSE(checker.load(0, 4, lane(0, 2)));
  EXPECT_TRUE(checker.store(0, 4, lane(0, 2)));
  EXPECT_TRUE(checker.store(0, 4, lane(40, 2)));
  EXPECT_FALSE(checker.store(0, 4, lane(40, 3)));
}

TEST(RaceChecker, TwoWriters) {
  RaceChecker checker("shared", 64, 2, false);
  ASSERT_FALSE(checker.store(0, 16, lane(0)));
  EXPECT_TRUE(checker.store(12, 4, lane(64)));
  EXPECT_FALSE(checker.store(16, 4, lane(64)));
}

TEST(RaceChecker, HalvesOfAWordAreApart) {
  RaceChecker checker("shared", 64, 2, false);
  ASSERT_FALSE(checker.store(0, 2, lane(0)));
  EXPECT_FALSE(checker.store(2, 2, lane(1)));
  EXPECT_TRUE(checker.store(2, 2, lane(2)));
}

TEST(RaceChecker, NothingOrdersBlocks) {
  RaceChecker checker("out", 64, 4, true);
  Accessor other = lane(3, 9);
  other.block = 1;
  EXPECT_FALSE(checker.load(0, 8, lane(3)));
  EXPECT_FALSE(checker.load(0, 8, other));
  EXPECT_TRUE(checker.store(0, 4, other));
  EXPECT_TRUE(checker.store(4, 4, lane(3)));
  EXPECT_FALSE(checker.store(8, 4, lane(3)));
  EXPECT_EQ(checker.load(8, 4, other),
            "reads out bytes 8.., which thread 3 of block 0 wrote, with no barrier between");
}

TEST(RaceChecker, NobodyTouchesTheTargetOfACopy) {
  RaceChecker checker("shared", 64, 2, false);
  ASSERT_FALSE(checker.begin_copy(0, 16, lane(0)));
  EXPECT_TRUE(checker.load(0, 4, lane(0)));
  EXPECT_TRUE(checker.store(12, 4, lane(0)));
  ASSERT_FALSE(checker.finish_copy(0, 16, lane(0)));
  EXPECT_FALSE(checker.load(0, 4, lane(0)));
  EXPECT_TRUE(checker.load(0, 4, lane(1)));
}

}  // namespace
