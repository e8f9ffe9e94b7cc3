// Constants: roots of unity against quadruple precision, FP16 conversion exhaustively.
#include "tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "sonoma/errors.hpp"
#include "table_sizes.hpp"

#if __has_include(<quadmath.h>) && defined(__SIZEOF_FLOAT128__)
#define SONOMA_HAS_QUADMATH 1
#endif

namespace sonoma {
namespace {

TEST(Roots, AxesAndDiagonalsAreExact) {
  const float diagonal = std::sqrt(0.5f);
  const std::pair<int, std::complex<float>> eighths[] = {
      {0, {1, 0}},  {1, {diagonal, diagonal}},   {2, {0, 1}},  {3, {-diagonal, diagonal}},
      {4, {-1, 0}}, {5, {-diagonal, -diagonal}}, {6, {0, -1}}, {7, {diagonal, -diagonal}},
      {8, {1, 0}},  {-1, {diagonal, -diagonal}}, {-2, {0, -1}}};
  for (const auto& [eighth, value] : eighths) EXPECT_EQ(root_of_unity(eighth, 8), value) << eighth;
}

TEST(Roots, AreSymmetricToTheBit) {
  for (const std::int64_t n : {16, 1024, 8192}) {
    for (std::int64_t j = 0; j < n; ++j) {
      const auto w = root_of_unity(j, n);
      EXPECT_EQ(root_of_unity(-j, n), std::conj(w));
      EXPECT_EQ(root_of_unity(j + n, n), w);
      EXPECT_EQ(root_of_unity(2 * j, 2 * n), w);
      EXPECT_EQ(root_of_unity(j + n / 2, n), -w);
      EXPECT_EQ(root_of_unity(j + n / 4, n), std::complex<float>(-w.imag(), w.real()));
      EXPECT_EQ(root_of_unity(n / 4 - j, n), std::complex<float>(w.imag(), w.real()));
    }
  }
}

// The value in 24 bits that is nearest to `exact`, given at least ten more.
template <class Wide>
float nearest(Wide exact) {
  const auto candidate = static_cast<float>(exact);
  float best = candidate;
  for (const float side : {std::nextafter(candidate, -2.0f), std::nextafter(candidate, 2.0f)}) {
    const Wide there = exact - static_cast<Wide>(side), here = exact - static_cast<Wide>(best);
    if ((there < 0 ? -there : there) < (here < 0 ? -here : here)) best = side;
  }
  return best;
}

#ifdef SONOMA_HAS_QUADMATH
using Wide = __float128;
#else
using Wide = long double;
#endif

constexpr Wide pi = static_cast<Wide>(3.14159265358979323846264338327950288L) +
#ifdef SONOMA_HAS_QUADMATH
                    // what 64 bits leave of pi
                    static_cast<Wide>(-5.01655761266833202355732708e-20L);
#else
                    0;
#endif

// exp(i angle) for 0 <= angle <= pi / 4, by its Taylor series.
void series(Wide angle, Wide& cosine, Wide& sine) {
  Wide term = 1;
  cosine = 1, sine = 0;
  for (int k = 1; k < 40; ++k) {
    term *= angle / k;
    Wide& part = k % 2 ? sine : cosine;
    part += k / 2 % 2 ? -term : term;
  }
}

TEST(Roots, AreCorrectlyRounded) {
  constexpr std::int64_t n = 8192;
  for (std::int64_t j = 0; j <= n / 8; ++j) {  // the rest follows by symmetry
    Wide cosine, sine;
    series(2 * pi * j / n, cosine, sine);
    const auto w = root_of_unity(j, n);
    EXPECT_EQ(w.real(), nearest(cosine)) << j;
    EXPECT_EQ(w.imag(), nearest(sine)) << j;
  }
}

TEST(Roots, ManyOfOneDenominatorAreTheSame) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 97, 1000, 2186, 8192, 65537}) {
    const RootsOfUnity root(n);
    for (std::int64_t j = -n; j <= 2 * n; ++j) {
      ASSERT_EQ(root(j), root_of_unity(j, n)) << j << '/' << n;
    }
  }
}

TEST(Half, EveryValueConvertsToItself) {
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    if ((bits & 0x7c00u) == 0x7c00u) continue;  // not finite
    const auto half = static_cast<std::uint16_t>(bits);
    EXPECT_EQ(to_half(from_half(half)), half);
  }
}

TEST(Half, ValuesAreThoseOfTheFormat) {
  EXPECT_EQ(from_half(0x0000), 0.0);
  EXPECT_TRUE(std::signbit(from_half(0x8000)));
  EXPECT_EQ(from_half(0x0001), 0x1p-24);
  EXPECT_EQ(from_half(0x03ff), 0x1p-14 - 0x1p-24);
  EXPECT_EQ(from_half(0x0400), 0x1p-14);
  EXPECT_EQ(from_half(0x3c00), 1.0);
  EXPECT_EQ(from_half(0xbc01), -1.0 - 0x1p-10);
  EXPECT_EQ(from_half(0x7bff), 65504.0);
}

TEST(Half, BetweenTwoValuesTheNearestIsTaken) {
  for (std::uint16_t low = 0; low < 0x7bff; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const double a = from_half(low), b = from_half(high), middle = (a + b) / 2;
    ASSERT_EQ(to_half(middle), low % 2 == 0 ? low : high) << middle;  // ties to even
    ASSERT_EQ(to_half(std::nextafter(middle, a)), low);
    ASSERT_EQ(to_half(std::nextafter(middle, b)), high);
    ASSERT_EQ(to_half(-std::nextafter(middle, b)), high | 0x8000u);
  }
  EXPECT_EQ(to_half(0x1p-25), 0);
  EXPECT_EQ(to_half(std::nextafter(0x1p-25, 1.0)), 1);
  EXPECT_EQ(to_half(std::nextafter(65520.0, 0.0)), 0x7bff);
}

TEST(Half, WhatDoesNotFitIsAnError) {
  for (const double value :
       {65520.0, -65520.0, 1e30, static_cast<double>(INFINITY), std::nan("")}) {
    EXPECT_THROW((void)to_half(value), InternalError) << value;
  }
}

TEST(TableUnits, FollowFromTheFragments) {
  EXPECT_EQ(matrix_units, 2 * 32u);  // a fragment of 16 bytes a lane, hi and lo
  const std::vector<Digit> bits(4);
  op::Twiddle op;
  op.layout.registers = {0, 1, 2, 3};
  op.register_mask = 0b1011, op.stride = 32;
  EXPECT_EQ(twiddle_units(bits, op), 4 * 32u);
  op.register_mask = 0;
  EXPECT_EQ(twiddle_units(bits, op), 32u);
}

// Registers t1 (10 values: 2 x 5), b; the factor 1 of t1 = 0 takes no entry of a mixed tile.
TEST(TableUnits, OfMixedTilesLeaveOutTheFactorOne) {
  const auto digits = make_digits(Decomposition{{10, 3}}, 2);
  op::Twiddle op;
  op.layout.registers = {1, 2, 3};
  op.register_mask = op.unity_mask = 0b011, op.stride = 3;
  const std::vector<int> of_one = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int> expected = of_one;
  expected.insert(expected.end(), of_one.begin(), of_one.end());
  EXPECT_EQ(twiddle_entries(digits, op), expected);
  EXPECT_EQ(twiddle_units(digits, op), 5 * 3u);
  op.register_mask = 0b111;  // as if another step's digit stood in b
  expected = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, -1, 9, 10, 11, 12, 13, 14, 15, 16, 17};
  EXPECT_EQ(twiddle_entries(digits, op), expected);
  op.unity_time_mask = 0b100;
  expected = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(twiddle_entries(digits, op), expected);
}

op::Twiddle of_radix_ten(Twiddles from) {
  op::Twiddle op;
  op.layout.registers = {1, 2, 3};
  op.register_mask = 0b111, op.unity_mask = 0b011, op.stride = 3, op.from = from;
  return op;
}

// Of the ten factors of either value of the other digit; the entries that a thread has of one.
void expect_parts(const op::Twiddle& op, int of_one,
                  const std::function<FactorParts(int k, int first)>& expected) {
  const auto parts = twiddle_parts(make_digits(Decomposition{{10, 3}}, 2), op);
  ASSERT_EQ(parts.size(), 20u);
  for (int reg = 0; reg < 20; ++reg) {
    const FactorParts of = parts[static_cast<std::size_t>(reg)],
                      wanted = expected(reg % 10, reg / 10 * of_one);
    EXPECT_EQ(of.near, wanted.near) << reg;
    EXPECT_EQ(of.power, wanted.power) << reg;
    EXPECT_EQ(of.far, wanted.far) << reg;
    EXPECT_EQ(of.near_constant, wanted.near_constant) << reg;
    EXPECT_EQ(of.far_constant, wanted.far_constant) << reg;
  }
}

// Of radix 10 the table has w, w^2, w^3, w^4 and w^8; w^5 is w w^4.
TEST(TableUnits, OfMixedTilesMayLeaveOutProducts) {
  const auto digits = make_digits(Decomposition{{10, 3}}, 2);
  const op::Twiddle op = of_radix_ten(Twiddles::products);
  EXPECT_EQ(twiddle_entries(digits, op), (std::vector<int>{-1, 0, 1, 2, 3, -1, -1, -1, 4, -1,  //
                                                           -1, 5, 6, 7, 8, -1, -1, -1, 9, -1}));
  EXPECT_EQ(twiddle_units(digits, op), 5 * 3u);
  expect_parts(op, 5, [](int k, int first) {
    return FactorParts{k % 4 == 0 ? -1 : first + k % 4 - 1, 1, k < 4 ? -1 : first + 2 + k / 4};
  });
}

// Of radix 10 it has w, w^4 and w^8; w^7 is w^3 w^4.
TEST(TableUnits, OfMixedTilesMayLeaveOutPowers) {
  const auto digits = make_digits(Decomposition{{10, 3}}, 2);
  const op::Twiddle op = of_radix_ten(Twiddles::powers);
  EXPECT_EQ(twiddle_entries(digits, op), (std::vector<int>{-1, 0, -1, -1, 1, -1, -1, -1, 2, -1,  //
                                                           -1, 3, -1, -1, 4, -1, -1, -1, 5, -1}));
  EXPECT_EQ(twiddle_units(digits, op), 3 * 3u);
  expect_parts(op, 3, [](int k, int first) {
    const auto near = static_cast<unsigned>(k % 4);
    return FactorParts{near == 0 ? -1 : first, std::max(near, 1u), k < 4 ? -1 : first + k / 4};
  });
}

// It has them once; where the other digit is 1 they are times what registers 11, 14 and 18 have
// beside their thread.
TEST(TableUnits, OfMixedTilesMayLeaveOutConstants) {
  const auto digits = make_digits(Decomposition{{10, 3}}, 2);
  op::Twiddle op = of_radix_ten(Twiddles::constants);
  EXPECT_EQ(twiddle_entries(digits, op),
            (std::vector<int>{-1, 0,  -1, -1, 1,  -1, -1, -1, 2,  -1,  //
                              -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(twiddle_units(digits, op), 2 * 3u);
  expect_parts(op, 1, [](int k, int other) {
    const auto near = static_cast<unsigned>(k % 4);
    return FactorParts{near == 0 ? -1 : 0, std::max(near, 1u), k < 4 ? -1 : k / 4,
                       near == 0 || other == 0 ? -1 : 11,
                       k < 4 || other == 0 ? -1 : 10 + k / 4 * 4};
  });
  op.unity_time_mask = 0b100;  // no other digits
  EXPECT_EQ(twiddle_units(digits, op), 0u);
  expect_parts(op, 1, [](int k, int other) {
    return FactorParts{-1, 1, -1, k == 0 || other == 0 ? -1 : 10 + k, -1};
  });
}

// Where the other digits, all of them in registers, are 0 the factors are 1.
TEST(TableUnits, PowersOfOneAreLeftOut) {
  const auto digits = make_digits(Decomposition{{10, 3}}, 2);
  op::Twiddle op = of_radix_ten(Twiddles::powers);
  op.unity_time_mask = 0b100;
  EXPECT_EQ(twiddle_entries(digits, op),
            (std::vector<int>{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,  //
                              -1, 0,  -1, -1, 1,  -1, -1, -1, 2,  -1}));
  const auto parts = twiddle_parts(digits, op);
  for (std::size_t reg = 0; reg < 10; ++reg)
    EXPECT_LT(std::max(parts[reg].near, parts[reg].far), 0);
  EXPECT_EQ(parts[17].near, 0);
  EXPECT_EQ(parts[17].power, 3u);
  EXPECT_EQ(parts[17].far, 1);
}

TEST(TableUnits, PartsOfAPowerMakeIt) {
  for (const Twiddles from : {Twiddles::table, Twiddles::products, Twiddles::powers,
                              Twiddles::constants, Twiddles::cosines}) {
    for (unsigned k = 1; k < 61; ++k) {
      const auto [near, power, far] = parts_of_power(k, from);
      EXPECT_EQ(near * power + far, k) << to_string(from);
      EXPECT_LE(power, 3u) << to_string(from);
    }
  }
}

}  // namespace
}  // namespace sonoma
