#include "mma_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <random>

#include "mma_reference.hpp"

namespace {

using sonoma::emulator::mma_m16n8k16;
using sonoma::emulator::MmaOperands;
using sonoma::testing::Halves;
using sonoma::testing::reference_dot;

struct Matrices {
  std::array<Halves, 16> a;  ///< rows
  std::array<Halves, 8> b;   ///< columns
  std::array<std::array<std::uint32_t, 8>, 16> c;
};

std::uint32_t pair(const Halves& from, unsigned k) {
  return from[k] | static_cast<std::uint32_t>(from[k + 1]) << 16;
}

// Bits of A B + C, through the fragment layouts of the PTX ISA.
std::array<std::array<std::uint32_t, 8>, 16> multiply(const Matrices& m) {
  std::array<std::array<float, 4>, 32> d;
  std::array<MmaOperands, 32> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
      d[lane][i] = std::bit_cast<float>(m.c[g + 8 * (i / 2)][2 * t + i % 2]);
    }
    lanes[lane] = {d[lane].data(),
                   {pair(m.a[g], 2 * t), pair(m.a[g + 8], 2 * t), pair(m.a[g], 2 * t + 8),
                    pair(m.a[g + 8], 2 * t + 8)},
                   {pair(m.b[g], 2 * t), pair(m.b[g], 2 * t + 8)}};
  }
  mma_m16n8k16(lanes);
  std::array<std::array<std::uint32_t, 8>, 16> result;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
      result[g + 8 * (i / 2)][2 * t + i % 2] = std::bit_cast<std::uint32_t>(d[lane][i]);
    }
  }
  return result;
}

using Random = std::mt19937;
using HalfMaker = std::function<std::uint16_t(Random&)>;
using WordMaker = std::function<std::uint32_t(Random&)>;

// 128 dot products in each round.
void compare(const HalfMaker& half, const WordMaker& word, int rounds) {
  Random random(2026);
  for (int round = 0; round < rounds; ++round) {
    Matrices m;
    for (auto& row : m.a) std::generate(row.begin(), row.end(), [&] { return half(random); });
    for (auto& column : m.b) {
      std::generate(column.begin(), column.end(), [&] { return half(random); });
    }
    for (auto& row : m.c) std::generate(row.begin(), row.end(), [&] { return word(random); });
    const auto result = multiply(m);
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned j = 0; j < 8; ++j) {
        ASSERT_EQ(result[i][j], reference_dot(m.a[i], m.b[j], m.c[i][j]))
            << "round " << round << " row " << i << " column " << j << " c " << std::hex
            << m.c[i][j];
      }
    }
  }
}

std::uint16_t bits16(Random& random) { return static_cast<std::uint16_t>(random()); }

std::uint16_t finite_half(Random& random) {
  std::uint16_t half;
  do half = bits16(random);
  while ((half & 0x7c00) == 0x7c00);
  return half;
}

// Sign and fraction at random, the exponent field from `low` to `high`.
HalfMaker half_with_exponents(unsigned low, unsigned high) {
  return [=](Random& random) {
    const std::uint32_t field = low + static_cast<std::uint32_t>(random()) % (high - low + 1);
    return static_cast<std::uint16_t>((random() & 0x83ffu) | field << 10);
  };
}

std::uint32_t finite_word(Random& random) {
  std::uint32_t word;
  do word = static_cast<std::uint32_t>(random());
  while ((word & 0x7f800000u) == 0x7f800000u);
  return word;
}

WordMaker word_with_exponents(unsigned low, unsigned high) {
  return [=](Random& random) {
    const std::uint32_t field = low + static_cast<std::uint32_t>(random()) % (high - low + 1);
    return static_cast<std::uint32_t>(random() & 0x807fffffu) | field << 23;
  };
}

std::uint32_t zero_word(Random&) { return 0; }

// Mostly zeros of both signs.
std::uint16_t sparse_half(Random& random) {
  const auto sign = static_cast<std::uint16_t>(random() & 0x8000u);
  return random() % 8 == 0 ? finite_half(random) : sign;
}

constexpr int rounds = 1000;

TEST(MmaModel, RandomBitPatterns) { compare(finite_half, finite_word, rounds); }
TEST(MmaModel, ProductsAlone) { compare(finite_half, zero_word, rounds); }
TEST(MmaModel, EqualMagnitudes) {
  compare(half_with_exponents(15, 15), word_with_exponents(125, 131), rounds);
}
TEST(MmaModel, SplitLikeOperands) {
  compare(half_with_exponents(10, 29), word_with_exponents(120, 150), rounds);
}
TEST(MmaModel, LargestHalvesAgainstTheirSum) {
  const auto largest = [](Random& random) {
    return static_cast<std::uint16_t>(0x7bffu | (random() & 0x8000u));
  };
  compare(largest, word_with_exponents(155, 165), rounds);
}
TEST(MmaModel, AllLargestAndPositive) {
  compare([](Random&) { return std::uint16_t{0x7bff}; }, word_with_exponents(157, 163), 100);
}
TEST(MmaModel, SubnormalHalves) {
  compare(half_with_exponents(0, 1), word_with_exponents(79, 103), rounds);
}
TEST(MmaModel, SubnormalTimesLarge) {
  const auto mixed = [](Random& random) {
    return half_with_exponents(0, 0)(random) | (random() % 2 == 0 ? 0x7000 : 0);
  };
  compare([=](Random& random) { return static_cast<std::uint16_t>(mixed(random)); },
          word_with_exponents(90, 125), rounds);
}
TEST(MmaModel, SparseOperands) { compare(sparse_half, finite_word, rounds); }
TEST(MmaModel, SparseOperandsAndZeroAccumulator) { compare(sparse_half, zero_word, rounds); }
TEST(MmaModel, ZeroProductsKeepEveryAccumulator) {
  const auto zero = [](Random& random) { return static_cast<std::uint16_t>(random() & 0x8000u); };
  compare(zero, finite_word, 200);
  compare(zero, word_with_exponents(0, 0), 200);
  compare(zero, word_with_exponents(20, 30), 200);
  compare(
      zero, [](Random& random) { return static_cast<std::uint32_t>(random() & 1u) << 31; }, 10);
}
TEST(MmaModel, SubnormalAccumulators) {
  compare(half_with_exponents(0, 3), word_with_exponents(0, 2), 200);
}
TEST(MmaModel, HugeAccumulators) { compare(finite_half, word_with_exponents(250, 254), 200); }
TEST(MmaModel, InfinitiesAndNans) {
  const auto rare = [](Random& random) {
    return random() % 100 == 0 ? bits16(random) | 0x7c00 : finite_half(random);
  };
  const auto infinite = [](Random& random) {
    const auto sign = random() & 0x8000u;
    return random() % 200 == 0 ? sign | 0x7c00u : random() % 50 == 0 ? sign : finite_half(random);
  };
  const auto word = [](Random& random) {
    const auto bits = static_cast<std::uint32_t>(random());
    return random() % 100 == 0 ? bits & 0xff800000u : bits;
  };
  compare([=](Random& random) { return static_cast<std::uint16_t>(rare(random)); }, word, rounds);
  compare([=](Random& random) { return static_cast<std::uint16_t>(infinite(random)); }, finite_word,
          rounds);
}

// c cancels the exact sum but for its last bits.
TEST(MmaModel, Cancellation) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    Matrices m;
    const auto half = half_with_exponents(12, 16);
    for (auto& row : m.a) std::generate(row.begin(), row.end(), [&] { return half(random); });
    for (auto& column : m.b) {
      std::generate(column.begin(), column.end(), [&] { return half(random); });
    }
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned j = 0; j < 8; ++j) {
        const std::uint32_t sum = reference_dot(m.a[i], m.b[j], 0);
        m.c[i][j] = (sum ^ 0x80000000u) + static_cast<std::uint32_t>(random() % 3) - 1;
      }
    }
    const auto result = multiply(m);
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned j = 0; j < 8; ++j) {
        ASSERT_EQ(result[i][j], reference_dot(m.a[i], m.b[j], m.c[i][j]));
      }
    }
  }
}

// The reference itself, against values worked out by hand.
TEST(MmaReference, KnownValues) {
  Halves a{}, b{};
  a[0] = 0x3c00;  // 1
  b[0] = 0x3c00;
  EXPECT_EQ(reference_dot(a, b, 0x3f800000u), 0x40000000u);  // 1 + 1
  EXPECT_EQ(reference_dot(a, b, 0x32800000u), 0x3f800000u);  // 1 + 2^-26
  EXPECT_EQ(reference_dot(a, b, 0xb3000000u), 0x3f7fffffu);  // 1 - 2^-25
  EXPECT_EQ(reference_dot(a, b, 0xb2800000u), 0x3f800000u);  // 1 - 2^-26: lost
  EXPECT_EQ(reference_dot(a, b, 0xbf800000u), 0u);           // 1 - 1
  b[0] = 0x7c00;
  EXPECT_EQ(reference_dot(a, b, 0xff800000u), 0x7fffffffu);  // Inf - Inf
  a[0] = 0;
  EXPECT_EQ(reference_dot(a, b, 0), 0x7fffffffu);  // 0 Inf
}

}  // namespace
