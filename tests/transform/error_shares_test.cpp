// The parts that estimates of errors are made of: butterflies are traced as they are, and what was
// measured is measured again.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include "butterfly_error.hpp"
#include "butterfly_plan.hpp"
#include "factor_error.hpp"
#include "mma_model.hpp"
#include "norm_bound.hpp"
#include "product_error.hpp"
#include "sonoma/decomposition.hpp"
#include "symmetric_butterfly.hpp"
#include "tables.hpp"

namespace sonoma::test {
namespace {

void expect_dft(unsigned radix, ButterflyForm form) {
  const auto matrix = butterfly_matrix(radix, form);
  // A factor is the sum of three rounded ones where halves are split by three.
  const bool by_three =
      is_symmetric(radix) && symmetric_butterfly(radix).even.split == Split::by_three;
  const double limit = by_three ? 2.1 : 2;
  for (unsigned k = 0; k < radix; ++k) {
    for (unsigned t = 0; t < radix; ++t) {
      const std::complex<double> w(exact_root(-std::int64_t{k} * t, radix));
      EXPECT_LT(std::abs(matrix[k][t] - w), limit * u)
          << radix << " form " << static_cast<int>(form) << ": " << k << ", " << t;
    }
  }
}

TEST(ErrorShares, TracedButterfliesAreDfts) {
  for (unsigned radix = 2; radix <= largest_radix; ++radix) {
    if (!is_radix(radix)) continue;
    expect_dft(radix, ButterflyForm::plain);
    expect_dft(radix, ButterflyForm::fused);
    if (takes_halves({{radix, radix}}, radix)) expect_dft(radix, ButterflyForm::halved);
  }
}

// A sum is one rounding; two levels of them are two.
TEST(ErrorShares, OfShortButterfliesAreKnown) {
  EXPECT_NEAR(butterfly_share(2).worst, 1, 0.02);
  EXPECT_NEAR(butterfly_share(4).worst, 2, 0.04);
  EXPECT_DOUBLE_EQ(butterfly_share(2).mean_square, rounding_square);
  EXPECT_DOUBLE_EQ(butterfly_share(4).mean_square, 2 * rounding_square);
  EXPECT_LT(butterfly_share(8).bias, 0);  // of sqrt(1/2), which is rounded down
}

// The longest butterfly errs less than 2^-23 of a rounding to FP32 before it is rounded.
TEST(ErrorShares, OfFp64AreARoundingToFp32) {
  double worst = 0;
  for (unsigned radix = 2; radix <= largest_radix; ++radix) {
    if (!is_radix(radix)) continue;
    worst = std::max(worst, butterfly_share(radix).worst);
  }
  EXPECT_LE(1 + 0x1p-29 * worst, fp64_butterfly_share.worst);
  EXPECT_LT(fp64_butterfly_share.worst, butterfly_share(3).worst);
}

TEST(ErrorShares, NormsAreNotTooSmall) {
  EXPECT_NEAR(norm_bound({{3, 4}}), 5, 0.01);
  EXPECT_NEAR(norm_bound({{1, 0}, {0, -2}, {0, 0}}), 2, 0.02);
  EXPECT_GE(norm_bound({{1, 0}, {0, 1}}), 1);
  EXPECT_EQ(norm_bound({{0, 0}}), 0);
  EXPECT_EQ(norm_bound({}), 0);
}

struct Matrices {
  double a[16][16], b[16][8];
  float d[16][8];
};

// See templates/instructions.cuh.
void multiply(Matrices& m) {
  std::array<emulator::MmaOperands, 32> lanes;
  float d[32][4] = {};
  const auto pair = [](double low, double high) {
    return std::uint32_t{to_half(low)} | std::uint32_t{to_half(high)} << 16;
  };
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned g = lane / 4, t = lane % 4;
    lanes[lane].d = d[lane];
    for (unsigned r = 0; r < 4; ++r) {
      const double* from = &m.a[g + 8 * (r % 2)][2 * t + 8 * (r / 2)];
      lanes[lane].a[r] = pair(from[0], from[1]);
    }
    for (unsigned r = 0; r < 2; ++r) {
      lanes[lane].b[r] = pair(m.b[2 * t + 8 * r][g], m.b[2 * t + 8 * r + 1][g]);
    }
  }
  emulator::mma_m16n8k16(lanes);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      m.d[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2] = d[lane][i];
    }
  }
}

// Cosines and sines of a step, eight complex points or 16 folded ones.
double element(unsigned radix, unsigned row, unsigned column) {
  const bool folded = radix == 16;
  const unsigned k = folded ? row : row % 8, t = column % 8;
  if (!folded && k / radix != t / radix) return 0;
  const double steps = folded ? k * (t - 7.5) : double(k % radix) * (t % radix);
  const unsigned quarters = column / 8 + (folded ? 0 : 3 * (row / 8));
  const double value = std::cos(2 * std::numbers::pi * (steps / radix + 0.25 * quarters));
  return std::fabs(value) < 1e-12 ? 0 : value;
}

Truncation measured_truncation(unsigned radix) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  double along = 0, square = 0, error2 = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Matrices m;
    const double size = std::exp2(trial % 64 / 64.0);
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned j = 0; j < 16; ++j) m.a[i][j] = from_half(to_half(1024 * element(radix, i, j)));
      for (double& b : m.b[i]) b = from_half(to_half(4000 * size * normal(random)));
    }
    multiply(m);
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned j = 0; j < 8; ++j) {
        double exact = 0;
        for (unsigned k = 0; k < 16; ++k) exact += m.a[i][k] * m.b[k][j];
        const double error = m.d[i][j] - exact;
        along += error * exact, square += exact * exact, error2 += error * error;
      }
    }
  }
  const double bias = along / square / u;
  return {bias, error2 / square / (u * u) - bias * bias};
}

TEST(ErrorShares, TensorCoresTruncateAsMuchAsWasMeasured) {
  for (const unsigned radix : {2u, 4u, 8u, 16u}) {
    const Truncation measured = measured_truncation(radix), known = truncation_of(radix);
    EXPECT_NEAR(measured.bias, known.bias, 0.01) << radix;
    EXPECT_NEAR(measured.mean_square, known.mean_square, 0.01) << radix;
  }
}

namespace device {

struct float2 {
  float x, y;
};
float2 make_float2(float x, float y) { return {x, y}; }
float fused_multiply_add(float a, float b, float c) { return std::fma(a, b, c); }
unsigned bits_of(float x) { return std::bit_cast<unsigned>(x); }
float float_of(unsigned x) { return std::bit_cast<float>(x); }

#define DEVICE [[maybe_unused]] inline
#include "roots.cuh"
#undef DEVICE

}  // namespace device

ErrorShare measured_roots(unsigned stride) {
  ErrorShare measured;
  constexpr unsigned count = 1 << 18;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned turn = i * stride;
    const device::float2 w = device::unit_root(turn);
    const double angle = 2 * std::numbers::pi * turn * 0x1p-32;
    const double re = (w.x - std::cos(angle)) / u, im = (w.y - std::sin(angle)) / u;
    measured.worst = std::max(measured.worst, std::hypot(re, im));
    measured.mean_square += (re * re + im * im) / count;
    measured.bias += (re * std::cos(angle) + im * std::sin(angle)) / count;
  }
  measured.mean_square -= measured.bias * measured.bias;
  return measured;
}

TEST(ErrorShares, RootsWithoutATableErrAsWasMeasured) {
  const auto compare = [](const ErrorShare& measured, const ErrorShare& known) {
    EXPECT_LE(measured.worst, known.worst);
    EXPECT_NEAR(measured.mean_square, known.mean_square, 0.01);
    EXPECT_NEAR(measured.bias, known.bias, 0.01);
  };
  compare(measured_roots(1u << 14), unit_root_share);
  compare(measured_roots(2654435761u), rounded_root_share);
}

// Both parts of all angles.
TEST(ErrorShares, RoundedRootsErrAsIsDerived) {
  double square = 0;
  const RootsOfUnity roots(1 << 20);
  for (std::int64_t j = 0; j < 1 << 20; j += 3) {
    const std::complex<float> rounded = roots(j);
    const auto exact = roots.exact(j);
    const auto re = static_cast<double>((rounded.real() - exact.real()) / u),
               im = static_cast<double>((rounded.imag() - exact.imag()) / u);
    square += re * re + im * im;
    EXPECT_LE(std::hypot(re, im), root_worst);
  }
  EXPECT_NEAR(square / ((1 << 20) / 3.0), root_square, 0.002);
}

}  // namespace
}  // namespace sonoma::test
