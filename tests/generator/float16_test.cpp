// Every 16-bit number, and the floats around the middle of every two neighbours, against the
// definitions of the formats.
#include "sonoma/float16.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace sonoma {
namespace {

struct Format {
  const char* name;
  int fraction_bits, exponent_bits;
  unsigned short (*from_float)(float);
  float (*to_float)(unsigned short);

  unsigned infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }

  // From the definition of the format.
  double value_of(unsigned number) const {
    const double sign = (number & 0x8000u) != 0 ? -1.0 : 1.0;
    const int top = (1 << exponent_bits) - 1, bias = top / 2;
    const int field = static_cast<int>(number >> fraction_bits) & top;
    const int one = 1 << fraction_bits, fraction = static_cast<int>(number) & (one - 1);
    if (field == top) return fraction != 0 ? std::nan("") : sign * INFINITY;
    if (field == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp(one + fraction, field - bias - fraction_bits);
  }

  // Like value_of(infinity) would be if the format went on.
  double next_value(unsigned number) const {
    return number + 1 == infinity() ? 2 * value_of(number) - value_of(number - 1)
                                    : value_of(number + 1);
  }
};

std::ostream& operator<<(std::ostream& stream, const Format& format) {
  return stream << format.name;
}

class Float16 : public testing::TestWithParam<Format> {
 protected:
  const Format& format_ = GetParam();
};

TEST_P(Float16, EveryNumberIsReadExactly) {
  for (unsigned number = 0; number < 65536; ++number) {
    const float value = format_.to_float(static_cast<unsigned short>(number));
    if (std::isnan(format_.value_of(number))) {
      ASSERT_TRUE(std::isnan(value)) << number;
      ASSERT_EQ(format_.from_float(value), 0x7fff) << number;
    } else {
      ASSERT_EQ(static_cast<double>(value), format_.value_of(number)) << number;
      ASSERT_EQ(std::signbit(value), (number & 0x8000u) != 0) << number;
      ASSERT_EQ(format_.from_float(value), number);
    }
  }
}

// The midpoint of every two neighbours goes to the even one; a float beside it to the nearer one.
TEST_P(Float16, RoundsToNearestEven) {
  for (unsigned number = 0; number < format_.infinity(); ++number) {
    const double exact = (format_.value_of(number) + format_.next_value(number)) / 2;
    const auto middle = static_cast<float>(exact);
    ASSERT_EQ(static_cast<double>(middle), exact);
    const unsigned even = number % 2 == 0 ? number : number + 1;
    ASSERT_EQ(format_.from_float(middle), even) << number;
    ASSERT_EQ(format_.from_float(-middle), 0x8000u + even) << number;
    ASSERT_EQ(format_.from_float(float_from_bits(float_bits(middle) - 1)), number) << number;
    ASSERT_EQ(format_.from_float(float_from_bits(float_bits(middle) + 1)), number + 1) << number;
  }
}

// Any float lies between two neighbours, of which none is nearer than the one it becomes.
TEST_P(Float16, RandomFloatsGoToTheNearest) {
  std::mt19937 random(11);
  for (int i = 0; i < 200'000; ++i) {
    const float value = float_from_bits(static_cast<unsigned>(random()));
    if (std::isnan(value)) continue;
    const unsigned number = format_.from_float(value), magnitude = number & 0x7fffu;
    ASSERT_EQ((number & 0x8000u) != 0, std::signbit(value)) << value;
    const double exact = std::abs(static_cast<double>(value));
    const double below =
        magnitude == 0 ? 0
                       : (format_.value_of(magnitude - 1) + format_.next_value(magnitude - 1)) / 2;
    ASSERT_GE(exact, below) << value;
    if (magnitude == format_.infinity()) continue;
    ASSERT_LE(exact, (format_.value_of(magnitude) + format_.next_value(magnitude)) / 2) << value;
  }
}

TEST_P(Float16, InfinityAndNan) {
  const unsigned infinity = format_.infinity();
  EXPECT_EQ(format_.from_float(INFINITY), infinity);
  EXPECT_EQ(format_.from_float(-INFINITY), 0x8000u + infinity);
  EXPECT_EQ(format_.from_float(std::numeric_limits<float>::max()), infinity);
  EXPECT_EQ(format_.from_float(std::nanf("")), 0x7fff);
  EXPECT_EQ(format_.from_float(-std::nanf("")), 0x7fff);
  EXPECT_EQ(format_.from_float(float_from_bits(0x7f800001u)), 0x7fff);  // no fraction bit is kept
  EXPECT_EQ(format_.from_float(-0.0f), 0x8000);
}

INSTANTIATE_TEST_SUITE_P(Both, Float16,
                         testing::Values(Format{"half", 10, 5, half_from_float, float_from_half},
                                         Format{"bfloat", 7, 8, bfloat_from_float,
                                                float_from_bfloat}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Half, Overflow) {
  EXPECT_EQ(half_from_float(65519.996f), 0x7bff);
  EXPECT_EQ(half_from_float(65520.0f), 0x7c00);
  EXPECT_EQ(half_from_float(-1e30f), 0xfc00);
  EXPECT_EQ(half_from_float(1e-40f), 0);
}

TEST(Bfloat, Overflow) {
  EXPECT_EQ(bfloat_from_float(0x1.fep127f), 0x7f7f);
  EXPECT_EQ(bfloat_from_float(0x1.fefffep127f), 0x7f7f);
  EXPECT_EQ(bfloat_from_float(0x1.ffp127f), 0x7f80);
  EXPECT_EQ(bfloat_from_float(-0x1.ffp127f), 0xff80);
  EXPECT_EQ(bfloat_from_float(0x1p-134f), 0);
  EXPECT_EQ(bfloat_from_float(0x1.0002p-134f), 1);
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
}  // namespace sonoma
