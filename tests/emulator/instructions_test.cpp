// The emulated twins of templates/instructions.cuh that compute something.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "kernel_fixture.hpp"
#include "sonoma/float16.hpp"

namespace {

using sonoma::testing::kernel;
using sonoma::testing::run;

// Thread t makes y[2 t], y[2 t + 1] of the floats a = x[2 t] and b = x[2 t + 1].
std::vector<float> results(const std::string& first, const std::string& second,
                           const std::vector<float>& x) {
  const auto source = kernel(
      "const float a = load_global(x + 2 * t), b = load_global(x + 2 * t + 1);"
      "store_global(y + 2 * t, " +
          first + ");" + "store_global(y + 2 * t + 1, " + second + ");",
      static_cast<unsigned>(x.size() / 2));
  return run(source, x, x.size()).out;
}

const std::vector<float> numbers = {1.0f / 3, -2.0f / 3, 65504,    65520,     1e-7f,       -3e38f,
                                    -0.0f,    1e-40f,    INFINITY, -INFINITY, 1.00390625f, 0.1f};

TEST(Instructions, PairsOfBfloats) {
  const auto y =
      results("low_bfloat(pack_bfloats(a, b))", "high_bfloat(pack_bfloats(a, b))", numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(
        std::bit_cast<unsigned>(y[i]),
        std::bit_cast<unsigned>(sonoma::float_from_bfloat(sonoma::bfloat_from_float(numbers[i]))));
  }
  EXPECT_TRUE(std::isnan(results("low_bfloat(pack_bfloats(b, a))", "a", {1, std::nanf("")})[0]));
  const auto words =
      results("float_of(pack_bfloats(a, b))", "float_of(pack_halves(a, b))", {1, -2});
  EXPECT_EQ(std::bit_cast<unsigned>(words[0]), 0xc0003f80u);
  EXPECT_EQ(std::bit_cast<unsigned>(words[1]), 0xc0003c00u);
}

// As CUDA's fmaxf: what is not a number is left out.
TEST(Instructions, LargerMagnitude) {
  const auto larger = [](float a, float b) {
    const auto y = results("max_magnitude(a, b)", "max_magnitude(b, a)", {a, b});
    EXPECT_EQ(std::bit_cast<unsigned>(y[0]), std::bit_cast<unsigned>(y[1])) << a << " " << b;
    return y[0];
  };
  EXPECT_EQ(larger(1, -2), 2.0f);
  EXPECT_EQ(larger(-1e-44f, 0), 1e-44f);
  EXPECT_EQ(std::bit_cast<unsigned>(larger(-0.0f, -0.0f)), 0u);
  EXPECT_EQ(larger(-INFINITY, 3), INFINITY);
  EXPECT_EQ(larger(std::nanf(""), -3), 3.0f);
  EXPECT_EQ(larger(-std::nanf(""), INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(larger(std::nanf(""), std::nanf(""))));
}

}  // namespace
