#include "sonoma/verify/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sonoma/storage.hpp"

namespace sonoma::verification {
namespace {

TEST(Metrics, AreWhatTheyAreCalled) {
  const std::vector<Complex> x = {{1, 0}, {0, 0}, {3, 0}, {0, 0}};
  const std::vector<ComplexD> X = {{4, 0}, {-2, 0}, {4, 0}, {-2, 0}};
  std::vector<Complex> y = {{4, 0}, {-2, 0}, {4, 0}, {-2, 0}};
  y[1] = {-2, 0x1p-20f};
  const auto m = measure(x, y, X, 1.0);
  EXPECT_NEAR(m.e2, 16 / std::sqrt(40.0), 1e-12);
  EXPECT_NEAR(m.einf, 16 / 4.0, 1e-12);
  EXPECT_NEAR(m.adversarial, 16 / 4.0, 1e-12);
  EXPECT_EQ(m.bias, 0);
  y = {{4, 0}, {-2, 0}, {4 - 0x1p-20f, 0}, {-2, 0}};
  EXPECT_NEAR(measure(x, y, X, 1.0).bias, -16 * 4 / 40.0, 1e-12);
}

TEST(Metrics, NonFiniteOutputIsAnInfiniteError) {
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    const auto m =
        measure(std::vector<Complex>{{1, 0}, {1, 0}}, std::vector<Complex>{{2, 0}, {0, bad}},
                std::vector<ComplexD>{{2, 0}, {0, 0}}, 1.0);
    EXPECT_FALSE(m.finite);
    EXPECT_TRUE(std::isinf(m.e2) && std::isinf(m.einf) && std::isinf(m.adversarial));
  }
}

TEST(Metrics, ZerosMustStayZeros) {
  const std::vector<Complex> zeros(4);
  const std::vector<ComplexD> X(4);
  EXPECT_EQ(measure(zeros, zeros, X, 1.0).e2, 0);
  std::vector<Complex> y(4);
  y[3] = {0x1p-149f, 0};  // no floor for a transform of zeros
  EXPECT_TRUE(std::isinf(measure(zeros, y, X, 1.0).e2));
}

TEST(Metrics, TheFloorForgivesOneQuantumAndNotAFlush) {
  constexpr float q = 0x1p-149f;
  const std::vector<Complex> x = {{100 * q, 0}, {1 * q, 0}};
  const std::vector<ComplexD> X = {{101.0 * q, 0}, {99.0 * q, 0}};
  EXPECT_EQ(measure(x, std::vector<Complex>{{101 * q, q}, {99 * q, 0}}, X, 1.0).e2, 0);
  EXPECT_GT(measure(x, std::vector<Complex>(2), X, 1.0).e2, 1e6);
}

TEST(Metrics, TheFloorIsNothingForOrdinaryNumbers) {
  for (const std::int64_t n : {2, 8192}) {
    EXPECT_LT(subnormal_floor(n, 1.0).l2, 1e-35);
    EXPECT_GT(subnormal_floor(n, 1.0).l2, subnormal_floor(n, 1.0).max / 2);
    EXPECT_EQ(subnormal_floor(n, 0.01).l2, subnormal_floor(n, 1.0).l2);
    EXPECT_GT(subnormal_floor(n, 10).max, subnormal_floor(n, 1.0).max);
  }
}

Limits limits(std::int64_t n, Storage storage, const Roundings& roundings = {}) {
  return limits_of({.lengths = {n}, .storage = storage}, roundings);
}

TEST(Metrics, LimitsAreTheContract) {
  EXPECT_DOUBLE_EQ(e2_limit(4096), 1.5 * std::sqrt(12.0));
  const Limits f32 = limits(4096, Storage::f32);
  EXPECT_DOUBLE_EQ(f32.stored_e2, e2_limit(4096));
  EXPECT_DOUBLE_EQ(f32.e2, e2_limit(4096));
  EXPECT_DOUBLE_EQ(f32.structured_e2, e2_limit(4096));
  EXPECT_DOUBLE_EQ(f32.einf, 3 * std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(f32.adversarial, 24);
  EXPECT_DOUBLE_EQ(limits(1, Storage::f32).e2, 1.5);  // the factor's rounding
  EXPECT_DOUBLE_EQ(limits(17, Storage::f32).e2, 1.5 * std::sqrt(std::log2(17.0)));
}

TEST(Metrics, StorageAddsToTheStoredErrorOnly) {
  const Limits f32 = limits(4096, Storage::f32);
  for (const Storage storage : {Storage::f16, Storage::bf16}) {
    const double v = format_of(storage).unit_roundoff / kUnitRoundoff;
    const Limits stored = limits(4096, storage);
    EXPECT_NEAR(stored.stored_e2, 1.5 * 0.41 * v, 0.01);
    EXPECT_EQ(stored.e2, f32.e2);
    EXPECT_EQ(stored.einf, f32.einf);
    EXPECT_EQ(stored.adversarial, f32.adversarial);
    EXPECT_NEAR(limits(2, storage).stored_e2, v, 0.01);  // as large as it can be
  }
}

// Rounded to c12e8 before passes of so many points together.
Roundings behind(const std::vector<std::int64_t>& points) { return {.behind_boundaries = points}; }

TEST(Metrics, PointsBetweenPassesAddToAllErrors) {
  const double v = 0x1p-11 / kUnitRoundoff;
  const Limits two = limits(4096, Storage::f16, behind({64}));
  EXPECT_NEAR(two.e2, 1.5 * 0.55 * v, 0.01);
  EXPECT_NEAR(two.stored_e2, 1.5 * v * std::hypot(0.41, 0.55), 0.01);
  EXPECT_NEAR(two.structured_e2, e2_limit(4096) + std::sqrt(2.0) * v, 1e-6);
  EXPECT_NEAR(two.adversarial, 24 + std::sqrt(2.0) * v, 1e-6);
  const Limits three = limits(4096, Storage::bf16, behind({256, 16}));
  EXPECT_NEAR(three.e2, two.e2 * std::sqrt(2.0), 0.01);
}

// The units of those points end at 2^-136.
TEST(Metrics, PointsBetweenPassesHaveAFloor) {
  const auto floor = [](Storage storage, const Roundings& roundings, double scale = 1) {
    return floor_of({.lengths = {4096}, .storage = storage, .scale = scale}, roundings);
  };
  const Floor f32 = floor(Storage::f32, {});
  EXPECT_EQ(f32.l2, subnormal_floor(4096, 1).l2);
  const Floor two = floor(Storage::bf16, behind({64}));
  EXPECT_NEAR((two.l2 - f32.l2) / 0x1p-136, std::sqrt(0.5 * 4096 * 64), 1e-9);
  EXPECT_NEAR((two.max - f32.max) / 0x1p-136, std::sqrt(0.5) * 64, 1e-9);
  const Floor three = floor(Storage::bf16, behind({64, 2}));
  EXPECT_NEAR((three.max - f32.max) / 0x1p-136, std::sqrt(0.5) * (64 + 2), 1e-9);
  EXPECT_NEAR((floor(Storage::bf16, behind({64}), 0.5).max - f32.max) / 0x1p-136,
              std::sqrt(0.5) * 32, 1e-9);
}

// Radix 16 rounds data and matrix, radix 2 data only, and butterflies nothing.
TEST(Metrics, HalfAddsForEveryRounding) {
  const double v = 0x1p-11 / kUnitRoundoff;
  Shape half;
  half.tree = {decompose(512), 0b111};
  half.arithmetic = Arithmetic::half;
  ASSERT_EQ(half.tree.decomposition.radices, (std::vector<unsigned>{16, 16, 2}));
  const Limits of_half = limits(512, Storage::f32, roundings_of(half));
  EXPECT_NEAR(of_half.e2, 1.5 * 0.41 * v * std::sqrt(5), 0.01);
  EXPECT_EQ(of_half.stored_e2, of_half.e2);
  EXPECT_EQ(of_half.einf, 2 * of_half.e2);
  EXPECT_NEAR(of_half.structured_e2, e2_limit(512) + v * (3 + 2.0 / 3), 1e-6);
  EXPECT_NEAR(of_half.adversarial, 18 + v * 5, 1e-6);
  half.tree.tensor_steps = 0b010;
  EXPECT_NEAR(limits(512, Storage::f32, roundings_of(half)).adversarial, 18 + v * 2, 1e-6);
  half.method = Method::bluestein;  // there and back
  EXPECT_NEAR(limits(200, Storage::f32, roundings_of(half)).adversarial, 2 * (2 * 9 + 3) + v * 4,
              1e-6);
  half.arithmetic = Arithmetic::split4;
  EXPECT_EQ(roundings_of(half).half_data, 0u);
  EXPECT_EQ(roundings_of(half).half_matrices, 0u);
}

// A value in the share of the real line that rounds to y is no error; the distance to it is one.
TEST(Metrics, ErrorsBeyondRounding) {
  constexpr auto f16 = Storage::f16, bf16 = Storage::bf16;
  const auto error = [](Storage storage, float y, double X) {
    return error_beyond_rounding(storage, y, X);
  };
  EXPECT_EQ(error(Storage::f32, 1, 1.25), -0.25);
  EXPECT_EQ(error(f16, 1, 1 + 0x1p-11), 0);
  EXPECT_EQ(error(f16, 1, 1 - 0x1p-12), 0);
  EXPECT_EQ(error(f16, 1, 1 + 0x1.8p-11), -0x1p-12);
  EXPECT_EQ(error(f16, 1, 1 - 0x1p-11), 0x1p-12);  // half the spacing below a power of two
  EXPECT_EQ(error(f16, -1, -1 - 0x1.8p-11), 0x1p-12);
  EXPECT_EQ(error(f16, -1, 1), -2 + 0x1p-12);
  EXPECT_EQ(error(bf16, 1, 1 + 0x1p-8), 0);
  EXPECT_EQ(error(bf16, 1, 1 + 0x1.8p-8), -0x1p-9);
}

TEST(Metrics, ErrorsBeyondRoundingAtTheEndsOfTheRange) {
  constexpr auto f16 = Storage::f16, bf16 = Storage::bf16;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto error = [](Storage storage, float y, double X) {
    return error_beyond_rounding(storage, y, X);
  };
  EXPECT_EQ(error(f16, 0, 0x1p-25), 0);
  EXPECT_EQ(error(f16, 0, 0x1p-24), -0x1p-25);
  EXPECT_EQ(error(f16, -0.0f, 0x1p-24), -0x1p-25);
  EXPECT_EQ(error(f16, 0x1p-14f, 0x1p-14 - 0x1p-25), 0);
  EXPECT_EQ(error(bf16, 0x1p-133f, 0x1p-134), 0);
  EXPECT_EQ(error(f16, 65504, 65520), 0);
  EXPECT_EQ(error(f16, 65504, 65600), -80);  // saturated
  EXPECT_EQ(error(f16, infinity, 65520), 0);
  EXPECT_EQ(error(f16, infinity, 1e9), 0);
  EXPECT_EQ(error(f16, infinity, 65500), 20);  // infinite too early
  EXPECT_EQ(error(f16, -infinity, -65500), -20);
  EXPECT_EQ(error(f16, -infinity, 70000), -135520);
  EXPECT_EQ(error(bf16, infinity, 0x1p128), 0);
  EXPECT_TRUE(std::isinf(error(f16, std::nanf(""), 1)));
  EXPECT_TRUE(std::isinf(error(f16, 1 + 0x1p-12f, 1)));  // no number of f16
}

TEST(Metrics, OfStoredNumbers) {
  const std::vector<Complex> x = {{1, 0}, {1, 0}};
  const std::vector<ComplexD> X = {{1 + 0x1p-11, 0}, {0, 1e6}};
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto m = measure(x, std::vector<Complex>{{1, 0}, {0, infinity}}, X, 1.0, Storage::f16);
  EXPECT_TRUE(m.finite);
  EXPECT_EQ(m.e2, 0);
  EXPECT_NEAR(m.stored_e2, 0x1p13 / 1e6, 1e-6);
  const std::vector<Complex> wrong_sign = {{1, 0}, {0, -infinity}};
  EXPECT_TRUE(std::isinf(measure(x, wrong_sign, X, 1.0, Storage::f16).stored_e2));
  EXPECT_GT(measure(x, wrong_sign, X, 1.0, Storage::f16).e2, 1e6);
  const std::vector<Complex> nan = {{1, 0}, {0, std::nanf("")}};
  EXPECT_FALSE(measure(x, nan, X, 1.0, Storage::f16).finite);
}

}  // namespace
}  // namespace sonoma::verification
