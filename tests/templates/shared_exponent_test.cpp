// Points of two 12-bit parts and an exponent, against their definition in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <span>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

using Complex = std::complex<float>;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr double smallest_unit = 0x1p-136, overflow = 0x1p128 - 0x1p116 - 0x1p104;

double larger(Complex z) {
  return std::max(std::abs(double{z.real()}), std::abs(double{z.imag()}));
}

// The first power of two with which the parts round to 2047 at most; where that is by one bit of
// FP32 only, the next one.
double unit_of(Complex z) {
  double unit = smallest_unit;
  while (larger(z) >= unit * (2047.5 - 0x1p-13)) unit *= 2;
  return unit;
}
Complex rounded(Complex z) {
  const double unit = unit_of(z);
  return {static_cast<float>(std::rint(double{z.real()} / unit) * unit),
          static_cast<float>(std::rint(double{z.imag()} / unit) * unit)};
}

std::string text() { return primitives({"storage_shared_exponent.cuh"}, "storage_16.cuh"); }

Points through(const std::string& text, Points points) {
  const std::size_t count = points.size();
  points.resize((count + 31) / 32 * 32);
  Points out = run(kernel(text,
                          "  const unsigned i = 32 * block_index() + thread;\n"
                          "  SharedExponentPoint point;\n  narrow(point, in[i]);\n"
                          "  out[i] = widened(point);"),
                   points, points.size(), {}, points.size() / 32);
  out.resize(count);
  return out;
}

// Every exponent, both parts of like size and one of them much smaller.
Points numbers() {
  Points points;
  for (int exponent = -149; exponent < 128; ++exponent) {
    const Points random = random_points(24, static_cast<unsigned>(exponent + 150));
    for (std::size_t i = 0; i < random.size(); ++i) {
      const float other = i % 3 == 0 ? 1 : i % 3 == 1 ? 0x1p-9f : 0x1p-30f;
      const Complex z(random[i].real() / 4, random[i].imag() / 4 * other);
      points.emplace_back(std::ldexp(z.real(), exponent), std::ldexp(z.imag(), exponent));
      if (i % 2 == 0) points.back() = {points.back().imag(), points.back().real()};
    }
  }
  return points;
}

// What lies in the middle of two neighbours, just below and just above it, and where the exponent
// changes.
Points ties() {
  Points points;
  for (const float power : {0x1p-133f, 0x1p-100f, 1.0f, 0x1p115f}) {
    for (int i = 0; i < 2 * 2048; ++i) {
      const float tie = (static_cast<float>(i) + 0.5f) * power;
      for (const float x : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, infinity)}) {
        points.emplace_back(i % 2 == 0 ? x : -x, 1027.5f * power);
        points.emplace_back(-1500.5f * power, i % 2 == 0 ? x : -x);
      }
    }
  }
  return points;
}

// Points that are not what their definition says.
std::size_t wrong(const std::string& text) {
  Points points = numbers();
  const Points more = ties();
  points.insert(points.end(), more.begin(), more.end());
  points.insert(points.end(), {{0.0f, 0.0f}, {-0.0f, 0.0f}, {0x1p127f, -0x1p127f}});
  const Points out = through(text, points);
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) count += out[i] == rounded(points[i]) ? 0 : 1;
  return count;
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string mutant = text();
  const std::size_t at = mutant.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? mutant : mutant.replace(at, from.size(), to);
}

TEST(SharedExponent, PointsRoundToTheNearest) { EXPECT_EQ(wrong(text()), 0u); }

TEST(SharedExponent, EveryPieceIsNeeded) {
  const std::pair<const char*, const char*> damages[] = {
      {"0x1.001002p0f", "0x1.001p0f"},             // 2047.5 becomes 2048
      {"0x1.001002p0f", "1"},                      // so does what is above
      {"0x1.001002p0f", "0x1.1p0f"},               // too large units
      {"(largest & 0x7f800000u)", "0x3f800000u"},  // no exponent
      {"max_magnitude(a.x, a.y)", "max_magnitude(a.x, a.x)"},
      {"fused_multiply_add(a.x, down, float_of(base))",  // truncation
       "fused_multiply_add(float_of(bits_of(a.x) & 0xffffe000u), down, float_of(base))"},
      {"fused_multiply_add(a.y, down,",
       "fused_multiply_add(float_of(bits_of(a.y) & 0xffffe000u), down,"},
      {"(bits_of(a.x) & 0x80000000u) | base", "base"},  // no sign
      {"without_y | 0x800u", "without_y"},
      {"2 * x, 8192 * y", "2 * x, 4096 * y"},
  };
  for (const auto& [from, to] : damages) EXPECT_GT(wrong(replaced(from, to)), 0u) << to;
}

TEST(SharedExponent, ErrorsAreSmallBesideTheLargerPart) {
  const Points points = numbers();
  const Points out = through(text(), points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double most = std::max(larger(points[i]) / 2047.5, smallest_unit / 2);
    EXPECT_LE(std::abs(double{out[i].real()} - double{points[i].real()}), most) << points[i];
    EXPECT_LE(std::abs(double{out[i].imag()} - double{points[i].imag()}), most) << points[i];
  }
}

// All pairs of parts of which one needs all its bits; what is stored goes round unchanged.
TEST(SharedExponent, WhatItHoldsIsExact) {
  Points points;
  for (const int exponent : {-136, -135, -126, -37, 0, 90, 116}) {
    for (int x = -2047; x <= 2047; ++x) {
      for (const int y : {-2047, -1024, -5, 0, 1, 1024, 2047}) {
        points.emplace_back(std::ldexp(static_cast<float>(x), exponent),
                            std::ldexp(static_cast<float>(y), exponent));
        points.emplace_back(points.back().imag(), points.back().real());
      }
    }
  }
  EXPECT_EQ(through(text(), points), points);
  const Points some = through(text(), numbers());
  EXPECT_EQ(through(text(), some), some);
}

TEST(SharedExponent, PowersOfTwoGoThrough) {
  const Points points = random_points(4096, 5);
  const Points plain = through(text(), points);
  for (const float power : {0x1p-110f, 0x1p-3f, 0x1p60f, 0x1p120f}) {
    Points scaled = points, expected = plain;
    for (Complex& z : scaled) z *= power;
    for (Complex& z : expected) z *= power;
    EXPECT_EQ(through(text(), scaled), expected) << power;
  }
}

TEST(SharedExponent, WhatIsNotFiniteBecomesNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              odd_nan = std::bit_cast<float>(0x7f800001u);
  Points points;
  for (const float bad : {infinity, -infinity, nan, -nan, odd_nan, FLT_MAX,
                          std::nextafter(static_cast<float>(overflow), infinity)}) {
    for (const float other : {0.0f, -0.0f, 1.0f, -0x1p-149f, 0x1p127f, bad, -bad}) {
      points.emplace_back(bad, other), points.emplace_back(other, bad);
    }
  }
  for (const Complex z : through(text(), points)) {
    EXPECT_TRUE(std::isnan(z.real()) && std::isnan(z.imag())) << z;
  }
  const Complex last(static_cast<float>(overflow) - 0x1p104f, -1);
  EXPECT_EQ(through(text(), {last}).front(), rounded(last));
}

// One point at a time and two, to memory and back.
TEST(SharedExponent, GoesThroughMemory) {
  const Points points = random_points(64, 9);
  const std::string there =
      "  SharedExponentPoint* to = reinterpret_cast<SharedExponentPoint*>(out);\n";
  const auto stored = [&](const std::string& statement) {
    return run(kernel(text(), there + statement), points, 32);
  };
  const Points single = stored(
      "  store_point(to + thread, in[thread]);\n"
      "  store_point(to + thread + 32, in[thread + 32]);");
  const Points pairs = stored("  store_pair(to + 2 * thread, in[2 * thread], in[2 * thread + 1]);");
  EXPECT_TRUE(
      std::ranges::equal(std::as_bytes(std::span(single)), std::as_bytes(std::span(pairs))));
  const auto loaded = [&](const std::string& statement) {
    return run(kernel(text(),
                      "  const SharedExponentPoint* from = "
                      "reinterpret_cast<const SharedExponentPoint*>(in);\n" +
                          statement),
               single, 64);
  };
  const Points expected = through(text(), points);
  EXPECT_EQ(loaded("  out[thread] = load_point(from + thread);\n"
                   "  out[thread + 32] = load_point(from + thread + 32);"),
            expected);
  EXPECT_EQ(loaded("  load_pair(from + 2 * thread, out[2 * thread], out[2 * thread + 1]);"),
            expected);
}

}  // namespace
}  // namespace sonoma::test
