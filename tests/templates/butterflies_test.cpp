// DFTs of every radix in registers, both directions, against a DFT in double: those of
// templates/, and those that the generator unrolls.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "pass_text.hpp"
#include "primitives.hpp"
#include "sonoma/decomposition.hpp"
#include "tables.hpp"

namespace sonoma::test {
namespace {

constexpr std::size_t registers = 64;

std::vector<unsigned> all_radices() {
  std::vector<unsigned> radices;
  for (unsigned radix = 2; radix <= largest_radix; ++radix) {
    if (is_radix(radix)) radices.push_back(radix);
  }
  return radices;
}

// Blocks 2 i and 2 i + 1 transform the first of their points by radix number i, forward and
// inverse.
const std::vector<unsigned> radices = all_radices();
const std::size_t blocks = 2 * radices.size();
unsigned radix_of(std::size_t block) { return radices[block / 2]; }
int sign_of(std::size_t block) { return block % 2 == 0 ? -1 : 1; }

Spelling fused() {
  Spelling spelling = spelling_of(Sums::fp32);
  spelling.form = ButterflyForm::fused;
  return spelling;
}

// Points of the second half, and some of the first, are known to be zero.
std::vector<bool> zeros_of(unsigned radix) {
  std::vector<bool> zeros;
  for (unsigned i = 0; i < radix; ++i) zeros.push_back(2 * i >= radix || i % 7 == 5);
  return zeros;
}

CudaSource every_butterfly(const Spelling& spelling, bool padded = false) {
  Functions functions;
  std::string body =
      "  float2 x[64];\n  for (int r = 0; r < 64; ++r) x[r] = in[64 * block_index() + r];\n";
  for (std::size_t block = 0; block < blocks; ++block) {
    std::string arguments;
    Spelling own = spelling;
    if (padded) own.zeros = zeros_of(radix_of(block));
    for (unsigned r = 0; r < radix_of(block); ++r) {
      arguments += (r ? ", x[" : "x[") + std::to_string(r) + "]";
    }
    body += "  if (block_index() % " + std::to_string(blocks) + " == " + std::to_string(block) +
            ") " + butterfly(functions, radix_of(block), sign_of(block), own) + "(" + arguments +
            ");\n";
  }
  body += "  if (thread == 0) for (int r = 0; r < 64; ++r) out[64 * block_index() + r] = x[r];\n";
  return kernel(
      primitives({"butterflies.cuh", "fused_butterflies.cuh", "fp64.cuh"}) + functions.text(),
      body);
}

// Of all radices, any number of times.
Points transformed(const Points& in, const Spelling& spelling = spelling_of(Sums::fp32)) {
  return run(every_butterfly(spelling), in, in.size(), {}, in.size() / registers);
}

// In u, of the points of one block.
double relative_error(const std::complex<float>* in, const std::complex<float>* out, unsigned radix,
                      int sign) {
  double error = 0, size = 0;
  for (unsigned k = 0; k < radix; ++k) {
    std::complex<double> exact;
    for (unsigned t = 0; t < radix; ++t) {
      exact += std::complex<double>(in[t]) *
               std::polar(1.0, sign * 2 * std::numbers::pi * (k * t % radix) / radix);
    }
    error += std::norm(std::complex<double>(out[k]) - exact);
    size += std::norm(exact);
  }
  return std::sqrt(error / size) / 0x1p-24;
}

void expect_dfts(const Spelling& spelling) {
  const Points in = random_points(registers * blocks * 10, 1);
  const Points out = transformed(in, spelling);
  for (std::size_t i = 0; i < in.size() / registers; ++i) {
    const unsigned radix = radix_of(i % blocks);
    const auto *x = &in[registers * i], *y = &out[registers * i];
    EXPECT_LT(relative_error(x, y, radix, sign_of(i % blocks)), 1.1 * std::sqrt(std::log2(radix)))
        << "radix " << radix;
    for (unsigned r = radix; r < registers; ++r) EXPECT_EQ(y[r], x[r]);
  }
}

TEST(Butterflies, AreDftsWithinTheContract) { expect_dfts(spelling_of(Sums::fp32)); }

TEST(Butterflies, FusedAreDftsWithinTheContract) { expect_dfts(fused()); }

// Half a unit in the last place of each part, but for numbers so near to the middle of two that
// FP64 is too short.
TEST(Butterflies, InFp64AreRoundedOnce) {
  const Points in = random_points(registers * blocks * 10, 2);
  const Points out = transformed(in, spelling_of(Sums::fp64));
  const auto expect_rounded = [](float rounded, double exact, double size, unsigned radix) {
    const float next = std::nextafter(std::fabs(rounded), INFINITY);
    const double unit = next - std::fabs(rounded);
    EXPECT_LE(std::fabs(rounded - exact), 0.5 * unit + 0x1p-48 * size) << "radix " << radix;
  };
  for (std::size_t i = 0; i < in.size() / registers; ++i) {
    const unsigned radix = radix_of(i % blocks);
    const auto *x = &in[registers * i], *y = &out[registers * i];
    for (unsigned k = 0; k < radix; ++k) {
      std::complex<long double> exact;
      long double size = 0;
      for (unsigned t = 0; t < radix; ++t) {
        exact +=
            std::complex<long double>(x[t]) * exact_root(sign_of(i % blocks) * int(k * t), radix);
        size += std::abs(x[t]);
      }
      expect_rounded(y[k].real(), double(exact.real()), double(size), radix);
      expect_rounded(y[k].imag(), double(exact.imag()), double(size), radix);
    }
    for (unsigned r = radix; r < registers; ++r) EXPECT_EQ(y[r], x[r]);
  }
}

// The largest error of a single result, where one wrong factor among many would hide in the sum.
void expect_roots(const Spelling& spelling, double most) {
  Points in(registers * blocks * registers);
  for (std::size_t i = 0; i < blocks * registers; ++i)
    in[registers * i + i / blocks] = {1.0f, 0.0f};
  const Points out = transformed(in, spelling);
  for (std::size_t i = 0; i < blocks * registers; ++i) {
    const unsigned radix = radix_of(i % blocks), t = static_cast<unsigned>(i / blocks);
    for (unsigned k = 0; t < radix && k < radix; ++k) {
      const auto exact =
          std::polar(1.0, sign_of(i % blocks) * 2 * std::numbers::pi * (k * t % radix) / radix);
      EXPECT_LT(std::abs(std::complex<double>(out[registers * i + k]) - exact), most)
          << "radix " << radix << " point " << t << " frequency " << k;
    }
  }
}

TEST(Butterflies, OfOnePointAreItsRoots) { expect_roots(spelling_of(Sums::fp32), 0x1.8p-23); }

// Of 27 points, three levels of factors of two roundings each.
TEST(Butterflies, FusedOfOnePointAreItsRoots) { expect_roots(fused(), 0x1.9p-23); }

void expect_zero_off_dc(const Spelling& spelling) {
  const Points out = transformed(Points(registers * blocks, {0.5f, -2.0f}), spelling);
  for (std::size_t block = 0; block < blocks; ++block) {
    const unsigned radix = radix_of(block);
    if ((radix & (radix - 1)) != 0) continue;
    for (unsigned k = 0; k < radix; ++k) {
      const auto value = k == 0 ? std::complex(0.5f, -2.0f) * static_cast<float>(radix) : 0.0f;
      EXPECT_EQ(out[registers * block + k], value) << radix;
    }
  }
}

TEST(Butterflies, OfPowersOfTwoAndAConstantAreExactlyZeroOffDc) {
  expect_zero_off_dc(spelling_of(Sums::fp32));
  expect_zero_off_dc(fused());
}

// Points whose magnitudes sum to `most`, together or in one of them.
void expect_finite(const Spelling& spelling, float most) {
  const std::complex<float> phases[] = {{1.0f, 0.0f}, {0.7f, 0.7f}, {0.0f, -1.0f}};
  Points in;
  for (const std::complex<float> phase : phases) {
    for (std::size_t i = 0; i < registers * blocks; ++i) {
      in.push_back(most / static_cast<float>(radix_of(i / registers)) * phase);
    }
    for (std::size_t point = 0; point < registers; ++point) {  // one alone
      for (std::size_t i = 0; i < registers * blocks; ++i) {
        in.push_back(i % registers == point ? most * phase : 0.0f);
      }
    }
  }
  for (const auto& value : transformed(in, spelling)) {
    EXPECT_TRUE(std::isfinite(value.real()) && std::isfinite(value.imag()));
  }
}

TEST(Butterflies, LeaveOutTheSumsOfPaddingAlone) {
  Points in = random_points(registers * blocks, 3);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::vector<bool> zeros = zeros_of(radix_of(block));
    for (unsigned i = 0; i < zeros.size(); ++i) {
      if (zeros[i]) in[registers * block + i] = 0;
    }
  }
  const Points whole = transformed(in, fused());
  EXPECT_EQ(run(every_butterfly(fused(), true), in, in.size(), {}, blocks), whole);
}

// Sums go over the points of one DFT: what does not overflow exactly does not here.
TEST(Butterflies, OverflowNowhereThatTheResultDoesNot) {
  expect_finite(spelling_of(Sums::fp32), 3.3e38f);
  expect_finite(spelling_of(Sums::fp64), 3.3e38f);
  expect_finite(fused(), 2.4e38f);
}

}  // namespace
}  // namespace sonoma::test
