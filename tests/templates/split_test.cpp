// Scales of groups, the split into halves and the sum of a product's parts, on every kind of value.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <limits>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

constexpr unsigned lanes = 32, registers = 8;

// Block b: other groups. Per register: (bits of scale, 0), then hi + lo of two, then hi, lo and
// rest.
constexpr const char* body = R"(
  Tile x;
  for (int r = 0; r < 8; ++r) x.at[r] = in[8 * thread + r];
  const Scales s = block_index() == 0 ? group_scales<7, 31, true>(x)
                 : block_index() == 1 ? group_scales<3, 12, true>(x) : group_scales<0, 0, true>(x);
  const SplitTile two = split<true, SplitTile>(x, s);
  const SplitTile3 three = split<true, SplitTile3>(x, s);
  out += 8 * 6 * (32 * block_index() + thread);
  for (int r = 0; r < 8; ++r) {
    const auto value = [r](const unsigned (&words)[4]) {
      return r % 2 ? high_half(words[r / 2]) : low_half(words[r / 2]);
    };
    out[6 * r] = make_float2(float_of(s.exponent[r]), 0.0f);
    out[6 * r + 1] = make_float2(value(two.re_hi), value(two.im_hi));
    out[6 * r + 2] = make_float2(value(two.re_lo), value(two.im_lo));
    out[6 * r + 3] = make_float2(value(three.re_hi), value(three.im_hi));
    out[6 * r + 4] = make_float2(value(three.re_lo), value(three.im_lo));
    out[6 * r + 5] = make_float2(value(three.re_rest), value(three.im_rest));
  })";

constexpr unsigned masks[3][2] = {{7, 31}, {3, 12}, {0, 0}};

/// Largest magnitude of the group of (lane, reg); infinite if any is not finite.
float largest(const Points& in, const unsigned (&mask)[2], unsigned lane, unsigned reg) {
  float result = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    for (unsigned r = 0; r < registers; ++r) {
      if (((l ^ lane) & ~mask[1]) || ((r ^ reg) & ~mask[0])) continue;
      for (const float part : {in[8 * l + r].real(), in[8 * l + r].imag()}) {
        result = std::isfinite(part) ? std::max(result, std::fabs(part)) : INFINITY;
        if (std::isinf(result)) return result;
      }
    }
  }
  return result;
}

void check_part(double x, double hi, double lo, double three) {
  EXPECT_LE(std::fabs(x - hi - lo), std::max(0x1p-23 * std::fabs(x), 0x1p-25)) << x;
  if (std::fabs(x) >= 0.5) {
    EXPECT_EQ(three, x);
  } else {
    EXPECT_LE(std::fabs(x - three), 0x1p-25) << x;
  }
}

void check_point(const std::complex<float>& x, const std::complex<float>* found, float group) {
  const auto exponent = static_cast<int>(std::bit_cast<std::uint32_t>(found[0].real()));
  if (std::isinf(group)) {
    EXPECT_EQ(exponent, 13);
    for (int part = 1; part < 6; ++part) {
      EXPECT_EQ(found[part], std::complex<float>());
    }
    return;
  }
  EXPECT_GE(exponent, 14);
  EXPECT_LE(exponent, 253);
  const double scale = std::ldexp(1.0, exponent - 127);
  EXPECT_LT(group * scale, 0x1p15);
  if (exponent < 253) {
    EXPECT_GE(group * scale, 0x1p14) << group;
  }
  const auto exact = [&](const std::complex<float>& z) { return std::complex<double>(z); };
  const auto three = exact(found[3]) + exact(found[4]) + exact(found[5]);
  check_part(x.real() * scale, found[1].real(), found[2].real(), three.real());
  check_part(x.imag() * scale, found[1].imag(), found[2].imag(), three.imag());
}

void check(const Points& in) {
  static const CudaSource source = kernel(primitives({"fold.cuh", "split.cuh"}), body);
  const Points out = run(source, in, 3 * lanes * registers * 6, {}, 3);
  for (unsigned block = 0; block < 3; ++block) {
    for (unsigned p = 0; p < lanes * registers; ++p) {
      const float group = largest(in, masks[block], p / registers, p % registers);
      check_point(in[p], &out[6 * (lanes * registers * block + p)], group);
    }
  }
}

TEST(Split, EveryMagnitude) {
  Points in = random_points(lanes * registers, 3);
  for (unsigned p = 0; p < in.size(); ++p) {
    in[p] *= std::ldexp(1.0f, static_cast<int>(p * 37 % 250) - 125);
  }
  check(in);
}

TEST(Split, ValuesOfOneMagnitude) {
  const float ones = std::nextafter(2.0f, 0.0f);  // a mantissa of ones
  for (const float factor : {1.0f, 0x1p-113f, 1e-35f, 1e-40f, FLT_MIN}) {
    Points in = random_points(lanes * registers, 5);
    for (auto& x : in) x *= factor;
    check(in);
  }
  for (const float value : {FLT_MAX, ones, -ones, 0x1p-126f, 0x1p-149f, 0.0f, -0.0f}) {
    check(Points(lanes * registers, {value, -value}));
  }
}

TEST(Split, GroupsThatAreNotFiniteBecomeZeroAlone) {
  for (const float bad : {INFINITY, -INFINITY, std::numeric_limits<float>::quiet_NaN()}) {
    Points in = random_points(lanes * registers, 7);
    in[77] = {bad, 1.0f};
    in[130] = {0.0f, bad};
    check(in);
  }
}

// What is not a number leaves the maximum to the others: a transform that has one does not matter,
// but its threads agree. With the flag it is the largest of all.
TEST(MaxOfPoints, PassesOverNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Points values = {{nan, nan}, {1.0f, -2.0f}, {nan, -3.0f}, {0.5f, nan}, {-INFINITY, nan}};
  Points in(2 * lanes);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = values[i * 7 % values.size()];
  const Points out = run(kernel(primitives({"fold.cuh", "split.cuh"}), R"(
    float2 x[2] = {in[2 * thread], in[2 * thread + 1]};
    out[thread] = make_float2(with_point(with_point(0.0f, x[0]), x[1]), float_of(magnitude<true>(x[0])));)"),
                         in, lanes);
  for (std::size_t i = 0; i < lanes; ++i) {
    float largest = 0;
    for (const auto& x : {in[2 * i], in[2 * i + 1]}) {
      largest = std::fmax(std::fmax(largest, std::fabs(x.real())), std::fabs(x.imag()));
    }
    EXPECT_EQ(out[i].real(), largest) << i;
    const auto& first = in[2 * i];
    const bool has_nan = std::isnan(first.real()) || std::isnan(first.imag());
    EXPECT_EQ(std::isnan(out[i].imag()), has_nan) << i;
  }
}

}  // namespace
}  // namespace sonoma::test
