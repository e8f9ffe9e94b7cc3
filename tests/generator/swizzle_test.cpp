// Shared-memory positions: permutations, bank conflicts against a brute-force model, the search.
#include "sonoma/swizzle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>

namespace sonoma {
namespace {

// An access whose threads lie `strides` apart (bit by bit) and whose registers follow; neighbours
// in registers go together, up to 16 bytes.
SharedAccess access(std::vector<std::uint32_t> strides, std::vector<std::uint32_t> registers = {},
                    unsigned words_a_point = 2) {
  SharedAccess result{{std::move(strides), std::move(registers)}, 1, 0, words_a_point};
  const auto& bits = result.positions.register_bits;
  for (std::uint32_t stride = 1; stride <= 2 / words_a_point; stride *= 2) {
    for (unsigned bit = 0; bit < bits.size(); ++bit) {
      if (bits[bit] != stride || 1u << bit <= result.vector || result.points != stride) continue;
      result.points *= 2;
      result.vector |= 1u << bit;
    }
  }
  return result;
}

SharedAccess random_access(std::mt19937& random, unsigned point_bits, unsigned registers,
                           unsigned words_a_point = 2) {
  std::vector<std::uint32_t> strides;
  for (unsigned bit = 0; bit < point_bits; ++bit) strides.push_back(1u << bit);
  std::shuffle(strides.begin(), strides.end(), random);
  const auto split = strides.begin() + registers;
  return access({split, strides.end()}, {strides.begin(), split}, words_a_point);
}

// Byte by byte: lanes of one request go to 32 banks of four bytes; a bank serves one word a cycle.
unsigned brute_force(const SharedAccess& access, const Swizzle& swizzle) {
  const auto& map = access.positions;
  const unsigned point_bytes = 4 * access.words_a_point;
  const unsigned bytes = point_bytes * access.points, lanes = 128 / bytes;
  unsigned cycles = 0;
  for (unsigned reg = 0; reg < (1u << map.register_bits.size()); ++reg) {
    if (reg & access.vector) continue;
    for (unsigned first = 0; first < (1u << map.thread_bits.size()); first += lanes) {
      std::map<unsigned, std::set<unsigned>> words_of_bank;
      for (unsigned thread = first; thread < first + lanes; ++thread) {
        const unsigned point = map.of_thread(thread) ^ map.of_register(reg);
        for (unsigned byte = 0; byte < bytes; ++byte) {
          const unsigned address = point_bytes * swizzle(point) + byte;
          words_of_bank[address / 4 % 32].insert(address / 4);
        }
      }
      std::size_t worst = 0;
      for (const auto& [bank, words] : words_of_bank) worst = std::max(worst, words.size());
      cycles += static_cast<unsigned>(worst);
    }
  }
  return cycles;
}

const std::vector<Swizzle> some_swizzles = {{0b1111, {}},     {0b1111, {4}},       {0b1110, {3}},
                                            {0b1111, {4, 8}}, {0b1110, {3, 6, 9}}, {0b1110, {5}}};

TEST(Swizzle, IsAPermutation) {
  for (const Swizzle& swizzle : some_swizzles) {
    std::set<std::uint32_t> places;
    for (std::uint32_t point = 0; point < 8192; ++point) places.insert(swizzle(point));
    EXPECT_EQ(places.size(), 8192u) << to_string(swizzle);
    EXPECT_EQ(*places.rbegin(), 8191u) << to_string(swizzle);
  }
}

TEST(Swizzle, IsLinear) {
  std::mt19937 random(1);
  for (const Swizzle& swizzle : some_swizzles) {
    for (int trial = 0; trial < 100; ++trial) {
      const std::uint32_t a = random() % 8192, b = random() % 8192;
      EXPECT_EQ(swizzle(a ^ b), swizzle(a) ^ swizzle(b));
    }
  }
}

TEST(Swizzle, KeepsPairsTogetherWhereTheMaskDoes) {
  const Swizzle swizzle{0b1110, {3, 7}};
  for (std::uint32_t point = 0; point < 1024; point += 2) {
    EXPECT_EQ(swizzle(point) % 2, 0u);
    EXPECT_EQ(swizzle(point + 1), swizzle(point) + 1);
  }
}

TEST(Swizzle, PrintsAsAnExpression) {
  EXPECT_EQ(to_string(Swizzle{}), "p");
  EXPECT_EQ(to_string(Swizzle{14, {3}}), "p ^ (p >> 3 & 14)");
  EXPECT_EQ(to_string(Swizzle{14, {3, 6}}), "p ^ ((p >> 3 ^ p >> 6) & 14)");
}

TEST(Wavefronts, KnownCases) {
  const auto total = [](const SharedAccess& a) { return count_wavefronts(a, {}).total; };
  const auto minimum = [](const SharedAccess& a) { return count_wavefronts(a, {}).minimum; };
  EXPECT_EQ(total(access({1, 2, 4, 8, 16})), 2u);         // 256 bytes, 128 a cycle
  EXPECT_EQ(total(access({16, 32, 64, 128, 256})), 32u);  // one bank pair: every lane waits
  EXPECT_EQ(minimum(access({16, 32, 64, 128, 256})), 2u);
  EXPECT_EQ(total(access({2, 4, 8, 16, 32})), 4u);       // every other bank pair
  EXPECT_EQ(total(access({2, 4, 8, 16, 32}, {1})), 4u);  // 16 bytes a lane, contiguous
  EXPECT_EQ(total(access({16, 32, 64, 128, 256}, {1})), 32u);
  EXPECT_EQ(minimum(access({16, 32, 64, 128, 256}, {1})), 4u);
  EXPECT_EQ(total(access({1, 2, 4, 8, 16, 32}, {64, 128})), 2u * 2 * 4);  // warps x registers
}

TEST(Wavefronts, EqualABruteForceModel) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const SharedAccess a = random_access(random, 10, 4, 1 + trial % 2);
    for (const Swizzle& swizzle : some_swizzles) {
      if (!swizzle.shifts.empty() && (swizzle.mask & (a.points - 1)) != 0) continue;
      ASSERT_EQ(count_wavefronts(a, swizzle).total, brute_force(a, swizzle)) << to_string(swizzle);
      EXPECT_GE(count_wavefronts(a, swizzle).total, count_wavefronts(a, swizzle).minimum);
    }
  }
}

unsigned sum(const std::vector<SharedAccess>& accesses, const Swizzle& swizzle) {
  unsigned total = 0;
  for (const SharedAccess& a : accesses) total += count_wavefronts(a, swizzle).total;
  return total;
}

TEST(SwizzleSearch, RemovesTheConflictsOfATransposition) {
  const std::vector<SharedAccess> accesses = {access({1, 2, 4, 8, 16}, {32, 64, 128}),
                                              access({8, 16, 32, 64, 128}, {2, 4})};
  const Swizzle found = search_swizzle(accesses, 8, 0);
  for (const SharedAccess& a : accesses) {
    EXPECT_EQ(count_wavefronts(a, found).total, count_wavefronts(a, found).minimum);
  }
  EXPECT_GT(sum(accesses, {}), sum(accesses, found));
}

TEST(SwizzleSearch, IsNeverWorseThanNoneAndKeepsNeighbours) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 80; ++trial) {
    const unsigned words_a_point = 1 + trial % 2;
    const std::vector<SharedAccess> accesses = {random_access(random, 11, 4, words_a_point),
                                                random_access(random, 11, 4, words_a_point)};
    const unsigned together = std::max(accesses[0].points, accesses[1].points);
    const auto kept = static_cast<unsigned>(std::countr_zero(together));
    const Swizzle found = search_swizzle(accesses, 11, kept);
    EXPECT_LE(sum(accesses, found), sum(accesses, {}));
    EXPECT_EQ(found.mask & (together - 1), 0u);
    EXPECT_LT(found.mask, 32u / words_a_point);
    // Bits move down out of those above the mask only: a bijection.
    for (const unsigned shift : found.shifts) EXPECT_LT(found.mask >> kept, 1u << shift);
  }
}

TEST(SwizzleSearch, TakesTheFirstOfEquals) {
  EXPECT_TRUE(search_swizzle({access({1, 2, 4, 8, 16})}, 5, 0).shifts.empty());
}

}  // namespace
}  // namespace sonoma
