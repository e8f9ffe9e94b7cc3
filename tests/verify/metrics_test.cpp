#include "sonoma/verify/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

TEST(Metrics, LimitsAreTheContract) {
  EXPECT_DOUBLE_EQ(e2_limit(4096), 1.5 * std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(e2_alarm(2), 1.1);
  EXPECT_DOUBLE_EQ(einf_limit(16), 6);
  EXPECT_DOUBLE_EQ(adversarial_limit(8192), 26);
}

}  // namespace
}  // namespace sonoma::verification
