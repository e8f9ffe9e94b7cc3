// DFTs of every radix up to 32 in registers, both directions, against a DFT in double.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

std::vector<unsigned> radices() {
  std::vector<unsigned> all;
  for (unsigned radix = 2; radix <= 32; ++radix) all.push_back(radix);
  return all;
}

std::string part(const char* name, unsigned order, bool sine) {
  std::string text =
      std::string("  DEVICE float ") + name + "(unsigned j) {\n    constexpr float of[] = {";
  for (unsigned j = 0; j < order; ++j) {
    const long double angle = 2 * std::numbers::pi_v<long double> * j / order;
    char number[40];
    std::snprintf(number, sizeof number, "%af, ",
                  static_cast<double>(static_cast<float>(sine ? sinl(angle) : cosl(angle))));
    text += number;
  }
  return text + "};\n    return of[j];\n  }\n";
}

// Of all orders that any radix needs.
std::string roots() {
  std::string text;
  for (const unsigned order : {3u, 5u, 7u, 9u, 11u, 13u, 17u, 19u, 23u, 25u, 27u, 29u, 31u, 32u}) {
    text += "template <>\nstruct Roots<" + std::to_string(order) + "> {\n" +
            part("cosine", order, false) + part("sine", order, true) + "};\n";
  }
  return text;
}

// Blocks 2 i and 2 i + 1 transform the first of their 64 points by radix i, forward and inverse.
CudaSource all_radices(unsigned step, const std::string& butterflies) {
  std::string body =
      "  float2 x[64];\n  for (int r = 0; r < 64; ++r) x[r] = in[64 * block_index() + r];\n";
  unsigned block = 0;
  for (const unsigned radix : radices()) {
    for (const int sign : {-1, 1}) {
      body += "  if (block_index() == " + std::to_string(block++) + ") " + butterflies + "<" +
              std::to_string(sign) + ", " + std::to_string(radix) + ", " + std::to_string(step) +
              ", " + std::to_string(step * radix) + ">(x);\n";
    }
  }
  body += "  if (thread == 0) for (int r = 0; r < 64; ++r) out[64 * block_index() + r] = x[r];\n";
  return kernel(primitives({"butterflies.cuh", "mixed_butterflies.cuh"}) + roots(), body);
}

std::size_t blocks() { return 2 * radices().size(); }

Points transformed(const Points& in, unsigned step,
                   const std::string& butterflies = "butterflies") {
  return run(all_radices(step, butterflies), in, in.size(), {}, blocks());
}

// In u, of the points of one block.
double relative_error(const std::complex<float>* in, const std::complex<float>* out, unsigned radix,
                      unsigned step, int sign) {
  double error = 0, size = 0;
  for (unsigned first = 0; first < step; ++first) {
    for (unsigned k = 0; k < radix; ++k) {
      std::complex<double> exact;
      for (unsigned t = 0; t < radix; ++t) {
        exact += std::complex<double>(in[first + step * t]) *
                 std::polar(1.0, sign * 2 * std::numbers::pi * (k * t % radix) / radix);
      }
      error += std::norm(std::complex<double>(out[first + step * k]) - exact);
      size += std::norm(exact);
    }
  }
  return std::sqrt(error / size) / 0x1p-24;
}

TEST(MixedButterflies, AreDftsWithinTheContract) {
  for (const unsigned step : {1u, 2u}) {
    const Points in = random_points(64 * blocks(), step);
    const Points out = transformed(in, step);
    for (std::size_t block = 0; block < blocks(); ++block) {
      const unsigned radix = radices()[block / 2];
      const auto *x = &in[64 * block], *y = &out[64 * block];
      EXPECT_LT(relative_error(x, y, radix, step, block % 2 ? 1 : -1),
                1.1 * std::sqrt(std::log2(radix)))
          << "radix " << radix << " step " << step;
      for (unsigned r = step * radix; r < 64; ++r) EXPECT_EQ(y[r], x[r]);
    }
  }
}

TEST(MixedButterflies, AreTheSameWithNoLoop) {
  for (const unsigned step : {1u, 2u}) {
    const Points in = random_points(64 * blocks(), step);
    EXPECT_EQ(transformed(in, step), transformed(in, step, "long_butterflies"));
  }
}

// Sums go over the points of one DFT: what does not overflow exactly does not here.
TEST(MixedButterflies, OverflowNowhereThatTheResultDoesNot) {
  for (const std::complex<float> phase : {std::complex(1.0f, 0.0f), {0.7f, 0.7f}, {0.0f, -1.0f}}) {
    Points in(64 * blocks());
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = 3.3e38f / static_cast<float>(radices()[i / 128]) * phase;
    }
    for (const auto& value : transformed(in, 1)) {
      EXPECT_TRUE(std::isfinite(value.real()) && std::isfinite(value.imag()));
    }
  }
}

}  // namespace
}  // namespace sonoma::test
