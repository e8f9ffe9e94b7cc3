#include "half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace {

using sonoma_emulator::float_bits;
using sonoma_emulator::float_from_bits;
using sonoma_emulator::float_from_half;
using sonoma_emulator::half_from_float;

// From the definition of the format.
double value_of(unsigned half) {
  const double sign = (half & 0x8000u) != 0 ? -1.0 : 1.0;
  const int field = static_cast<int>(half >> 10 & 31u);
  const int fraction = static_cast<int>(half & 0x3ffu);
  if (field == 31) return fraction != 0 ? std::nan("") : sign * INFINITY;
  if (field == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, field - 25);
}

TEST(Half, EveryHalfIsReadExactly) {
  for (unsigned half = 0; half < 65536; ++half) {
    const float value = float_from_half(static_cast<unsigned short>(half));
    if (std::isnan(value_of(half))) {
      ASSERT_TRUE(std::isnan(value)) << half;
    } else {
      ASSERT_EQ(static_cast<double>(value), value_of(half)) << half;
      ASSERT_EQ(std::signbit(value), (half & 0x8000u) != 0) << half;
      ASSERT_EQ(half_from_float(value), half);
    }
  }
}

// The midpoint of every two neighbours goes to the even one; a float beside it to the nearer one.
TEST(Half, RoundsToNearestEven) {
  for (unsigned half = 0; half < 0x7bff; ++half) {
    const auto middle = static_cast<float>((value_of(half) + value_of(half + 1)) / 2);
    ASSERT_EQ(half_from_float(middle), half % 2 == 0 ? half : half + 1) << half;
    ASSERT_EQ(half_from_float(-middle), 0x8000u + (half % 2 == 0 ? half : half + 1)) << half;
    ASSERT_EQ(half_from_float(float_from_bits(float_bits(middle) - 1)), half) << half;
    ASSERT_EQ(half_from_float(float_from_bits(float_bits(middle) + 1)), half + 1) << half;
  }
}

TEST(Half, OverflowAndNan) {
  EXPECT_EQ(half_from_float(65519.996f), 0x7bff);
  EXPECT_EQ(half_from_float(65520.0f), 0x7c00);
  EXPECT_EQ(half_from_float(-1e30f), 0xfc00);
  EXPECT_EQ(half_from_float(-INFINITY), 0xfc00);
  EXPECT_EQ(half_from_float(-std::nanf("")), 0x7fff);
  EXPECT_EQ(half_from_float(1e-40f), 0);
  EXPECT_EQ(half_from_float(-0.0f), 0x8000);
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) unsigned short hardware_half(float value) {
  using Halves = short __attribute__((vector_size(16)));
  using Floats = float __attribute__((vector_size(16)));
  const Halves halves = __builtin_ia32_vcvtps2ph(Floats{value, 0, 0, 0}, 0);
  return static_cast<unsigned short>(halves[0]);
}

TEST(Half, EqualsTheHostsInstruction) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the processor is older than F16C";
  std::mt19937 random(3);
  for (int i = 0; i < 1'000'000; ++i) {
    const float value = float_from_bits(static_cast<unsigned>(random()));
    if (std::isnan(value)) continue;
    ASSERT_EQ(half_from_float(value), hardware_half(value)) << value;
  }
}
#endif

}  // namespace
