#include "support/poisson.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "command.hpp"
#include "support/picture.hpp"

namespace sonoma::tests {
namespace {

// The stencil of 5 points, applied to what the solver found, is the right side.
TEST(Poisson, SolutionHasTheDifferencesThatWereAskedFor) {
  constexpr std::size_t n = 7;
  const examples::PoissonSolver solver(2, n, Device::cpu);
  const std::vector<double> f = examples::sampled(examples::right_side, 2, n);
  const std::vector<float> u = solver.solve({f.begin(), f.end()});
  const auto value = [&](std::size_t i, std::size_t j) {  // from 1 on; zero on the boundary
    const bool inside = i > 0 && j > 0 && i <= n && j <= n;
    return inside ? static_cast<double>(u[(i - 1) * n + j - 1]) : 0.0;
  };
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      const double sum =
          4 * value(i, j) - value(i - 1, j) - value(i + 1, j) - value(i, j - 1) - value(i, j + 1);
      EXPECT_NEAR(sum * (n + 1) * (n + 1), f[(i - 1) * n + j - 1], 1e-4);
    }
  }
}

TEST(Poisson, ErrorsFallWithTheSquareOfTheDistance) {
  double before = 0;
  for (const std::size_t n : {7, 15}) {
    const double error = examples::relative_error({3, n, Device::cpu}, 3, n);
    EXPECT_TRUE(n == 7 || std::abs(std::log2(before / error) - 2) < 0.1) << error;
    before = error;
  }
}

TEST(Poisson, PictureHasScalesAndTheLargestValue) {
  const std::vector<float> values = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  const examples::Picture picture = examples::draw_square(values, 3);
  EXPECT_EQ(picture.rgb.size(), 3 * picture.width * picture.height);
  EXPECT_EQ(picture.rgb[0], 255);  // paper
  const auto ink = [&](std::size_t i) { return picture.rgb[3 * i] == 40; };
  std::size_t dark = 0;
  for (std::size_t i = 0; i < picture.width * picture.height; ++i) dark += ink(i) ? 1 : 0;
  EXPECT_GT(dark, 4000u);  // two frames, ticks and numbers
}

TEST(Poisson, SaysWhatItCannotDo) {
  const CommandResult result = run_command({POISSON, "tpu"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("auto, gpu or cpu"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sonoma::tests
