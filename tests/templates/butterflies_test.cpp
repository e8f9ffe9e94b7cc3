// Butterflies of every radix over every set of register bits, both directions, against a DFT in
// double.
#include <gtest/gtest.h>

#include <bit>
#include <numbers>

#include "primitives.hpp"

namespace sonoma::test {
namespace {

constexpr unsigned registers = 32;

struct Case {
  unsigned radix, mask;
  int sign;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (unsigned mask = 1; mask < registers; ++mask) {
    all.push_back({1u << std::popcount(mask), mask, -1});
    all.push_back({1u << std::popcount(mask), mask, 1});
  }
  return all;
}

// Block b transforms 32 points by case b.
CudaSource all_cases() {
  std::string body = "  float2 x[32];\n  for (int r = 0; r < 32; ++r) x[r] = in[r];\n";
  const auto list = cases();
  for (std::size_t b = 0; b < list.size(); ++b) {
    body += "  if (block_index() == " + std::to_string(b) + ") butterflies" +
            std::to_string(list[b].radix) + "<" + std::to_string(list[b].sign) + ", " +
            std::to_string(list[b].mask) + ">(x);\n";
  }
  body += "  if (thread == 0) for (int r = 0; r < 32; ++r) out[32 * block_index() + r] = x[r];\n";
  return kernel(primitives({"butterflies.cuh"}), body);
}

// The number in the bits of `reg` that the case is over.
unsigned digit(const Case& c, unsigned reg) {
  unsigned value = 0, place = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    if (c.mask >> bit & 1u) value |= (reg >> bit & 1u) << place++;
  }
  return value;
}

std::complex<double> expected(const Case& c, const Points& in, unsigned reg) {
  std::complex<double> sum;
  for (unsigned from = 0; from < registers; ++from) {
    if ((from ^ reg) & ~c.mask) continue;
    const unsigned kt = digit(c, reg) * digit(c, from) % c.radix;
    sum += std::complex<double>(in[from]) *
           std::polar(1.0, c.sign * 2 * std::numbers::pi * kt / c.radix);
  }
  return sum;
}

TEST(Butterflies, AreDfts) {
  const Points in = random_points(registers, 1);
  const auto list = cases();
  const Points out = run(all_cases(), in, registers * list.size(), {}, list.size());
  for (std::size_t b = 0; b < list.size(); ++b) {
    for (unsigned reg = 0; reg < registers; ++reg) {
      const std::complex<double> y(out[registers * b + reg]);
      EXPECT_LT(std::abs(y - expected(list[b], in, reg)), 16 * 0x1p-23)
          << "radix " << list[b].radix << " mask " << list[b].mask << " sign " << list[b].sign
          << " register " << reg;
    }
  }
}

TEST(Butterflies, OfAConstantAreExactlyZeroOffDc) {
  const auto list = cases();
  const Points out =
      run(all_cases(), Points(registers, {0.5f, -2.0f}), registers * list.size(), {}, list.size());
  for (std::size_t b = 0; b < list.size(); ++b) {
    const auto radix = static_cast<float>(list[b].radix);
    for (unsigned reg = 0; reg < registers; ++reg) {
      const bool dc = (reg & list[b].mask) == 0;
      const std::complex<float> value = dc ? std::complex(0.5f, -2.0f) * radix : 0.0f;
      EXPECT_EQ(out[registers * b + reg], value);
    }
  }
}

}  // namespace
}  // namespace sonoma::test
