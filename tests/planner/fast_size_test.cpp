// Which length is padded to.
#include "sonoma/fast_size.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace sonoma::testing {
namespace {

FastSize found(std::int64_t n, const Wisdom& wisdom = {}) {
  return fast_size(n, Storage::f32, target_for("sm_90"), h200(), wisdom);
}

WisdomEntry measured(std::int64_t n, double eff) {
  WisdomEntry entry = entry_of(Arithmetic::simt, eff);
  entry.subject.lengths = {n};
  return entry;
}

TEST(FastSize, IsAtLeastAsLongAndAtMostTheNextPowerOfTwo) {
  for (const std::int64_t n : {1, 2, 17, 1009, 1024, 5000, 7001, 30011, 65537, 1000003}) {
    const FastSize size = found(n);
    EXPECT_GE(size.n, n);
    EXPECT_LE(size.n, 2 * n);
    EXPECT_TRUE(is_smooth(size.n)) << size.n;
    EXPECT_FALSE(size.measured);
    EXPECT_GT(size.eff, 0);
  }
  EXPECT_EQ(found(4096).n, 4096);
}

TEST(FastSize, TakesTheLeastTimeNotTheShortestLength) {
  Wisdom wisdom;
  wisdom.add(measured(7000, 0.5));
  wisdom.add(measured(7200, 0.6));
  wisdom.add(measured(7680, 0.95));
  const FastSize size = found(7000, wisdom);
  EXPECT_EQ(size, (FastSize{7680, 0.95, true}));
  Wisdom better;
  better.add(measured(7000, 0.99));
  better.add(measured(7680, 0.95));
  EXPECT_EQ(found(7000, better).n, 7000);
  EXPECT_NE(found(7001, better).n, 7000);
}

TEST(FastSize, WhatIsMeasuredOnThisDeviceComesFirst) {
  WisdomEntry elsewhere = measured(7000, 0.99);
  elsewhere.platform.device = "NVIDIA H100";
  Wisdom wisdom;
  wisdom.add(elsewhere);
  EXPECT_EQ(found(7000, wisdom).eff, 0.99);
  wisdom.add(measured(7000, 0.3));
  EXPECT_NE(found(7000, wisdom).n, 7000);
  WisdomEntry older = measured(6999, 0.99);
  older.platform.arch = 80;
  Wisdom other;
  other.add(older);
  EXPECT_NE(found(6999, other).n, 6999) << "another architecture, and 6999 = 3 2333";
}

// Columns, axes, convolutions and real transforms are others.
TEST(FastSize, OfComplexRows) {
  Wisdom wisdom;
  WisdomEntry entry = measured(7000, 0.99);
  entry.subject.side_by_side = 7000;
  wisdom.add(entry);
  entry.subject = {{7000, 2}};
  wisdom.add(entry);
  entry.subject = {{7000}};
  entry.subject.domain = Domain::r2c;
  wisdom.add(entry);
  entry.subject.domain = Domain::c2c, entry.subject.convolution = Convolved::complex;
  wisdom.add(entry);
  EXPECT_EQ(wisdom.entries().size(), 4u);
  EXPECT_FALSE(found(7000, wisdom).measured);
}

TEST(FastSize, StorageAndRange) {
  Wisdom wisdom;
  wisdom.add(measured(7000, 0.99));
  const FastSize half = fast_size(7000, Storage::f16, target_for("sm_90"), h200(), wisdom);
  EXPECT_FALSE(half.measured);
  EXPECT_THROW((void)found(0), UnsupportedProblem);
  EXPECT_THROW((void)found((std::int64_t{1} << 31) + 1), UnsupportedProblem);
}

}  // namespace
}  // namespace sonoma::testing
