// Digits, layouts and the maps between places and indices.
#include "sonoma/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>

namespace sonoma {
namespace {

// Every index once: linear over GF(2) and of full rank.
bool is_bijection(const LinearMap& map) {
  std::set<std::uint32_t> values;
  const std::uint32_t threads = 1u << map.thread_bits.size();
  const std::uint32_t registers = 1u << map.register_bits.size();
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    for (std::uint32_t reg = 0; reg < registers; ++reg) {
      values.insert(map.of_thread(thread) ^ map.of_register(reg));
    }
  }
  return values.size() == std::size_t{threads} * registers &&
         *values.rbegin() == threads * registers - 1;
}

Layout some_layout(std::size_t digits, std::size_t registers) {
  std::vector<DigitId> ids(digits);
  std::iota(ids.begin(), ids.end(), 0u);
  std::reverse(ids.begin(), ids.end());
  std::rotate(ids.begin(), ids.begin() + 3, ids.end());
  const auto split = ids.begin() + static_cast<std::ptrdiff_t>(registers);
  return {{ids.begin(), split}, {split, ids.end()}};
}

TEST(Digits, StridesNumberEveryPointOnceOnBothSides) {
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    for (const std::uint32_t transforms : {1u, 2u, 16u}) {
      for (const unsigned radix : {2u, 4u, 8u, 16u}) {
        const auto digits = make_digits(decompose(n, radix), transforms);
        std::uint32_t time = 0, frequency = 0;
        for (const Digit& digit : digits) {
          EXPECT_TRUE(std::has_single_bit(digit.time_stride) && !(time & digit.time_stride));
          EXPECT_TRUE(std::has_single_bit(digit.freq_stride) && !(frequency & digit.freq_stride));
          time |= digit.time_stride;
          frequency |= digit.freq_stride;
        }
        EXPECT_EQ(time, n * transforms - 1);
        EXPECT_EQ(frequency, n * transforms - 1);
        EXPECT_TRUE(std::is_sorted(digits.begin(), digits.end(), [](const auto& a, const auto& b) {
          return a.time_stride < b.time_stride;
        }));
      }
    }
  }
}

TEST(Digits, TheFirstStepIsMostSignificantInTime) {
  const std::vector<Digit> expected = {{1, 1, 1, 4, 2, 1, 4},
                                       {1, 2, 2, 8, 2, 2, 8},
                                       {0, 1, 4, 1, 2, 4, 1},
                                       {0, 2, 8, 2, 2, 8, 2},
                                       {-1, 1, 16, 16, 2, 16, 16}};
  const auto digits = make_digits(Decomposition{{4, 4}}, 2);
  EXPECT_EQ(digits, expected);
  EXPECT_EQ(digits_text(digits, {1}), "t2/2");
  EXPECT_EQ(digits_text(digits, {1}, 2), "k2/2");
  EXPECT_EQ(digits_text(digits, {4}), "b");
}

TEST(Layouts, AnyPermutationOfTheDigitsIsOne) {
  const auto digits = make_digits(decompose(2048), 1);
  for (const std::size_t registers : {0u, 1u, 4u, 6u}) {
    const Layout layout = some_layout(digits.size(), registers);
    EXPECT_EQ(check_layout(layout, digits), "");
    EXPECT_TRUE(is_bijection(index_map(digits, layout, Side::time)));
    EXPECT_TRUE(is_bijection(index_map(digits, layout, Side::frequency)));
  }
}

// Rows of an operand layout of 16 x 16: t1 = 2t + i0 + 8 i1.
const Layout operand_256{{4, 7, 3}, {5, 6, 0, 1, 2}};

Layout folded(Layout layout, const std::vector<unsigned>& steps) {
  layout.folded = steps;
  return layout;
}

TEST(FoldedLayouts, AreBijections) {
  for (const std::int64_t n : {256, 2048, 4096}) {
    const auto digits = make_digits(decompose(n), 1);
    for (const std::vector<unsigned>& steps : {std::vector{0u}, {1u}, {0u, 1u}}) {
      for (const std::size_t registers : {0u, 1u, 3u}) {
        const Layout layout = folded(some_layout(digits.size(), registers), steps);
        EXPECT_TRUE(is_bijection(index_map(digits, layout, Side::time)));
        EXPECT_TRUE(is_bijection(index_map(digits, layout, Side::frequency)));
      }
    }
  }
}

// Registers r and r + 2 hold v and 15 - v of the first digit, and the same of all others.
TEST(FoldedLayouts, PairEveryValueWithItsMirrorImage) {
  const auto digits = make_digits(Decomposition{{16, 16}}, 1);
  const LinearMap plain = index_map(digits, operand_256, Side::time);
  const LinearMap map = index_map(digits, folded(operand_256, {0}), Side::time);
  EXPECT_EQ(map.thread_bits, plain.thread_bits);
  for (std::uint32_t thread = 0; thread < 32; ++thread) {
    for (std::uint32_t r = 0; r < 8; ++r) {
      const std::uint32_t p = map.of_thread(thread) ^ map.of_register(r);
      const std::uint32_t before = plain.of_thread(thread) ^ plain.of_register(r);
      EXPECT_EQ(p % 16, before % 16);
      EXPECT_EQ(p / 16, r & 2u ? 23 - before / 16 : before / 16);
      const std::uint32_t mirrored = map.of_thread(thread) ^ map.of_register(r ^ 2u);
      EXPECT_EQ(mirrored / 16, 15 - p / 16);
      EXPECT_EQ(mirrored % 16, p % 16);
    }
  }
}

TEST(FoldedLayouts, LeaveOtherStepsAndTheBatchAsTheyAre) {
  const auto digits = make_digits(Decomposition{{16, 16}}, 2);
  Layout layout = operand_256;
  layout.registers.push_back(8);
  const LinearMap plain = index_map(digits, layout, Side::time);
  const LinearMap first = index_map(digits, folded(layout, {0}), Side::time);
  const LinearMap both = index_map(digits, folded(layout, {0, 1}), Side::time);
  EXPECT_EQ(plain.register_bits, (std::vector<std::uint32_t>{16, 128, 8, 256}));
  EXPECT_EQ(first.register_bits, (std::vector<std::uint32_t>{16, 240, 8, 256}));
  EXPECT_EQ(both.register_bits, (std::vector<std::uint32_t>{16, 240, 15, 256}));
}

TEST(FoldedLayouts, BelongToOtherThreadsOfTheSameWarps) {
  const auto digits = make_digits(Decomposition{{16, 16}}, 1);
  EXPECT_FALSE(same_threads(operand_256, folded(operand_256, {0})));
  EXPECT_TRUE(same_threads(folded(operand_256, {0}), folded(operand_256, {0})));
  EXPECT_TRUE(same_warps(digits, operand_256, folded(operand_256, {0})));
}

TEST(Layouts, OthersAreRejectedWithAReason) {
  const auto digits = make_digits(decompose(2048), 1);
  const Layout good = some_layout(11, 4);
  Layout twice = good, missing = good, outside = good;
  twice.registers[0] = twice.threads[0];
  EXPECT_NE(check_layout(twice, digits).find("stands in two places"), std::string::npos);
  missing.registers.pop_back();
  EXPECT_NE(check_layout(missing, digits).find("stands nowhere"), std::string::npos);
  outside.threads[2] = 11;
  EXPECT_EQ(check_layout(outside, digits), "digit 11 does not exist");
  EXPECT_EQ(check_layout(some_layout(11, 7), digits), "less than one warp of threads");
  EXPECT_EQ(check_layout(folded(good, {0, 2}), digits), "");
  EXPECT_EQ(check_layout(folded(good, {0, 0}), digits), "the folded steps do not ascend");
  EXPECT_EQ(check_layout(folded(good, {1, 0}), digits), "the folded steps do not ascend");
}

TEST(Layouts, OwnersAreComparedByThreadAndByWarp) {
  const auto digits = make_digits(decompose(2048), 1);
  const Layout a = some_layout(11, 4);
  Layout registers = a, lanes = a, warps = a;
  std::swap(registers.registers[0], registers.registers[1]);
  EXPECT_TRUE(same_threads(a, registers));
  std::swap(lanes.threads[0], lanes.registers[0]);
  EXPECT_FALSE(same_threads(a, lanes));
  EXPECT_TRUE(same_warps(digits, a, lanes));
  std::swap(warps.threads[5], warps.threads[0]);
  EXPECT_FALSE(same_warps(digits, a, warps));
}

// Of any radices and any number of transforms: every point once, on both sides.
TEST(MixedDigits, NumberEveryPointOnceInAnyLayout) {
  std::mt19937 random(3);
  for (const std::vector<unsigned>& radices :
       {std::vector{10u, 10u, 10u}, {7u, 11u, 13u}, {15u}, {9u, 27u}, {2u, 12u, 16u}}) {
    for (const std::uint32_t transforms : {1u, 2u, 6u}) {
      const Decomposition tree{radices};
      const auto digits = make_digits(tree, transforms);
      EXPECT_FALSE(is_binary(digits));
      std::vector<DigitId> ids(digits.size());
      std::iota(ids.begin(), ids.end(), 0u);
      const auto points = static_cast<std::uint32_t>(tree.n()) * transforms;
      EXPECT_EQ(count_of(digits, ids), points);
      std::shuffle(ids.begin(), ids.end(), random);
      for (const std::ptrdiff_t registers : {0, 1, 2}) {
        const Layout layout{{ids.begin(), ids.begin() + registers},
                            {ids.begin() + registers, ids.end()}};
        EXPECT_EQ(check_layout(layout, digits), "");
        for (const Side side : {Side::time, Side::frequency}) {
          const LinearMap map = index_map(digits, layout, side);
          std::set<std::uint32_t> values;
          for (std::uint32_t thread = 0; thread < map.threads(); ++thread) {
            for (std::uint32_t reg = 0; reg < map.registers(); ++reg) {
              values.insert(map.of(thread, reg));
            }
          }
          EXPECT_EQ(values.size(), points);
          EXPECT_EQ(*values.rbegin(), points - 1);
        }
      }
    }
  }
}

TEST(MixedDigits, ArePrimeFactorsWithTheStridesOfTheirStep) {
  const std::vector<Digit> expected = {{1, 1, 1, 6, 5, 1, 6},
                                       {0, 1, 5, 1, 2, 5, 1},
                                       {0, 2, 10, 2, 3, 10, 2},
                                       {-1, 1, 30, 30, 3, 30, 30}};
  EXPECT_EQ(make_digits(Decomposition{{6, 5}}, 3), expected);
}

TEST(MixedDigits, ShareThreadsOnlyWhereTheLayoutIsTheSame) {
  const auto digits = make_digits(Decomposition{{6, 5}}, 3);
  const Layout a{{1, 2}, {0, 3}}, b{{0}, {1, 2, 3}};
  EXPECT_TRUE(same_warps(digits, a, a));
  EXPECT_FALSE(same_warps(digits, a, b));  // though neither has a digit beyond the fifth
}

TEST(MixedDigits, CannotBeFolded) {
  const auto digits = make_digits(Decomposition{{6, 5}}, 3);
  EXPECT_EQ(check_layout(folded({{1, 2}, {0, 3}}, {0}), digits), "a mixed tile is folded");
}

TEST(MixedDigits, PrintAsTheNumbersTheyMakeUp) {
  const auto digits = make_digits(Decomposition{{12, 5}}, 6);
  ASSERT_EQ(digits.size(), 6);  // t2, t1: 2 2 3, b: 2 3
  EXPECT_EQ(to_string(Layout{{1, 2, 3}, {0, 4, 5}}, digits), "registers t1 | threads t2 b");
  EXPECT_EQ(to_string(Layout{{0, 5}, {2, 3, 1, 4}}, digits),
            "registers t2 b/2 | threads t1/2 t1%2 b%2");
  EXPECT_EQ(to_string(Layout{{2}, {1, 3, 0, 4, 5}}, digits),
            "registers t1/2%2 | threads t1%2 t1/4 t2 b");
}

TEST(Layouts, PrintPlacesInOrder) {
  const auto digits = make_digits(Decomposition{{16, 8}}, 1);
  const Layout layout{{6}, {0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(to_string(layout, digits), "registers t1/8 | threads t2 t1%8");
  EXPECT_EQ(to_string(folded(layout, {0, 1}), digits),
            "registers t1/8 | threads t2 t1%8 | folded t1 t2");
}

}  // namespace
}  // namespace sonoma
