// FP16 in the halves of registers, against sums and products in FP64 that are rounded once.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "primitives.hpp"
#include "tables.hpp"

namespace sonoma::test {
namespace {

std::string packed_primitives() {
  return primitive("instructions.cuh") + primitive("global.cuh") + primitive("packed.cuh");
}

// Of half the numbers any bits, of the others ordinary ones: subnormal, huge, and near ties.
std::vector<std::uint16_t> halves(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint16_t> all(count);
  for (auto& half : all) {
    half = static_cast<std::uint16_t>(random());
    if (random() % 2 == 0) half = static_cast<std::uint16_t>((half & 0x83ffu) | 0x3c00u);
    if ((half & 0x7c00u) == 0x7c00u) half &= 0xbfffu;  // finite
  }
  return all;
}

std::uint16_t rounded(double value) {
  if (std::abs(value) >= 65520) return std::signbit(value) ? 0xfc00u : 0x7c00u;
  return to_half(value);
}

// Each thread has three words in `tables`, two halves each, and leaves two results.
constexpr unsigned threads = 1024;
void expect_halves(const std::string& statement, double (*expected)(double, double, double)) {
  const auto in = halves(std::size_t{8} * threads, 11);
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < in.size(); i += 2) {
    words.push_back(in[i] | static_cast<std::uint32_t>(in[i + 1]) << 16);
  }
  const std::string body =
      "  const uint4 w = load_table(tables + thread);\n  const Halves a = {w.x}, b = {w.y}, c = "
      "{w.z};\n  const Halves r = " +
      statement + ";\n  out[thread] = make_float2(float_of(r.bits), c.bits == 1 ? 1.0f : 0.0f);";
  const Points out =
      run(kernel(packed_primitives(), body, threads), Points(threads), threads, words);
  for (std::size_t t = 0; t < threads; ++t) {
    const auto bits = std::bit_cast<std::uint32_t>(out[t].real());
    for (unsigned half = 0; half < 2; ++half) {
      const auto number = [&](unsigned word) { return from_half(in[8 * t + 2 * word + half]); };
      const std::uint16_t right = rounded(expected(number(0), number(1), number(2)));
      EXPECT_EQ(bits >> 16 * half & 0xffffu, right)
          << statement << " of " << number(0) << ", " << number(1) << ", " << number(2);
    }
  }
}

TEST(PackedHalves, AreRoundedOnce) {
  expect_halves("a + b", [](double a, double b, double) { return a + b; });
  expect_halves("a - b", [](double a, double b, double) { return a - b; });
  expect_halves("a * b", [](double a, double b, double) { return a * b; });
  expect_halves("-a", [](double a, double, double) { return -a; });
  // A product has 22 bits: the sum is exact in FP64, or what it loses is far from any tie.
  expect_halves("fused_multiply_add(a, b, c)",
                [](double a, double b, double c) { return std::fma(a, b, c); });
}

TEST(PackedHalves, ConstantsAreRoundedToNearest) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> words;
  std::vector<float> numbers = {0, 1, -1, 0.5f, 1.00048828125f, 1.00146484375f, 0x1.ffffp-1f};
  while (numbers.size() < 512) {
    numbers.push_back(std::ldexp(1 + static_cast<float>(random() % 65536) / 65536,
                                 static_cast<int>(random() % 20) - 14) *
                      (random() % 2 == 0 ? 1.0f : -1.0f));
  }
  for (const float number : numbers) words.push_back(std::bit_cast<std::uint32_t>(number));
  const Points out = run(
      kernel(
          packed_primitives(),
          "  const float* f = reinterpret_cast<const float*>(tables);\n"
          "  out[thread] = make_float2(float_of(constants(f[2 * thread], f[2 * thread + 1]).bits),"
          " 0.0f);",
          256),
      Points(256), 256, words);
  for (std::size_t t = 0; t < 256; ++t) {
    const auto bits = std::bit_cast<std::uint32_t>(out[t].real());
    EXPECT_EQ(bits, to_half(numbers[2 * t]) | static_cast<unsigned>(to_half(numbers[2 * t + 1]))
                                                  << 16)
        << numbers[2 * t] << " " << numbers[2 * t + 1];
  }
}

}  // namespace
}  // namespace sonoma::test
