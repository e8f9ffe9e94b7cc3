// The oracle against the definition of the DFT.
#include "sonoma/verify/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sonoma/verify/inputs.hpp"

namespace sonoma::verification {
namespace {

TEST(Reference, MatchesTheDefinition) {
  for (const auto direction : {Direction::forward, Direction::inverse}) {
    for (const std::int64_t n : {1, 2, 3, 5, 8, 16, 60, 64}) {
      auto x = normal_row(2 * n, 7);  // two rows
      const double scale = 0.3;
      const auto X = reference_dft(x, n, direction, scale);
      for (std::int64_t k = 0; k < 2 * n; ++k) {
        std::complex<long double> sum = 0;
        for (std::int64_t t = 0; t < n; ++t) {
          sum += std::complex<long double>(x[static_cast<std::size_t>(k / n * n + t)]) *
                 root_of_unity(n, k % n * t, direction);
        }
        sum *= static_cast<long double>(0.3f);
        const auto e = std::complex<long double>(X[static_cast<std::size_t>(k)]) - sum;
        EXPECT_LT(std::abs(e), 1e-14L * static_cast<long double>(n)) << "n=" << n << " k=" << k;
      }
    }
  }
}

TEST(Reference, RootsAreExactAtRightAngles) {
  for (const std::int64_t n : {4, 8, 4096}) {
    EXPECT_EQ(rounded_root_of_unity(n, 0, Direction::forward), Complex(1, 0));
    EXPECT_EQ(rounded_root_of_unity(n, n / 4, Direction::forward), Complex(0, -1));
    EXPECT_EQ(rounded_root_of_unity(n, n / 2, Direction::forward), Complex(-1, 0));
    EXPECT_EQ(rounded_root_of_unity(n, -n / 4, Direction::forward), Complex(0, 1));
    EXPECT_EQ(rounded_root_of_unity(n, n / 4 + 5 * n, Direction::inverse), Complex(0, 1));
  }
}

TEST(Reference, RootsAgreeWithSinAndCos) {
  for (const std::int64_t n : {3, 16, 24, 1000, 8192}) {
    for (std::int64_t k = -n; k <= n; ++k) {
      const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(n);
      const auto w = root_of_unity(n, k, Direction::inverse);
      EXPECT_NEAR(static_cast<double>(w.real() - std::cos(angle)), 0, 1e-17) << n << " " << k;
      EXPECT_NEAR(static_cast<double>(w.imag() - std::sin(angle)), 0, 1e-17) << n << " " << k;
    }
  }
}

TEST(Reference, RejectsLengthsThatDoNotFit) {
  EXPECT_THROW((void)reference_dft(std::vector<Complex>(5), 2, Direction::forward),
               std::invalid_argument);
  EXPECT_THROW((void)reference_dft({}, 0, Direction::forward), std::invalid_argument);
}

}  // namespace
}  // namespace sonoma::verification
