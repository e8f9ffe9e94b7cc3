// What sonoma bench times beside a convolution: three calls with cuFFT.
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "sonoma/errors.hpp"
#include "sonoma/verify/convolution.hpp"
#include "sonoma/verify/inputs.hpp"
#include "three_calls.hpp"

namespace sonoma::bench {
namespace {

FftProblem convolution_of(const std::vector<std::int64_t>& lengths, bool real) {
  FftProblem problem;
  problem.lengths = lengths, problem.batch = 3;
  problem.convolution.emplace().real = real;
  return problem;
}

bool has(const ThreeCalls& calls, const std::string& part) {
  return calls.product.text.find(part) != std::string::npos;
}

TEST(BenchThreeCalls, AreATransformAProductAndTheInverse) {
  FftProblem problem = convolution_of({4, 8}, false);
  problem.scale = 0.5;
  const ThreeCalls calls(problem);
  EXPECT_EQ(to_string(calls.forward), "c2c f32 n=4x8 batch=3 forward out-of-place scale=1");
  EXPECT_EQ(to_string(calls.inverse), "c2c f32 n=4x8 batch=3 inverse out-of-place scale=1");
  EXPECT_EQ(calls.spectrum, 32);
  EXPECT_TRUE(has(calls, "0x1p-1f * (x.x")) << calls.product.text;
  EXPECT_TRUE(has(calls, "s.y *= 1.0f"));
  problem.convolution->correlate = true;
  EXPECT_TRUE(has(ThreeCalls(problem), "s.y *= -1.0f"));
  const ThreeCalls real(convolution_of({4, 8}, true));
  EXPECT_EQ(to_string(real.forward), "r2c f32 n=4x8 batch=3 forward out-of-place scale=1");
  EXPECT_EQ(to_string(real.inverse), "c2r f32 n=4x8 batch=3 inverse out-of-place scale=1");
  EXPECT_EQ(real.spectrum, 20);
}

// 16 bytes at a time where rows begin with as many.
TEST(BenchThreeCalls, TakeAlignedPairsOfPoints) {
  EXPECT_TRUE(has(ThreeCalls(convolution_of({64}, false)), "const float4* in"));
  EXPECT_TRUE(has(ThreeCalls(convolution_of({64}, false)), "at % 32u"));
  EXPECT_TRUE(has(ThreeCalls(convolution_of({64}, true)), "const float2* in"));
  EXPECT_TRUE(has(ThreeCalls(convolution_of({64}, true)), "at % 33u"));
  EXPECT_TRUE(has(ThreeCalls(convolution_of({66}, true)), "const float4* in"));
  FftProblem large = convolution_of({1 << 20}, false);
  EXPECT_TRUE(has(ThreeCalls(large), "const unsigned first"));
  large.batch = 4096;
  EXPECT_TRUE(has(ThreeCalls(large), "const unsigned long long first"));
}

TEST(BenchThreeCalls, WhatTheyDoNotServeIsUnsupported) {
  FftProblem padded = convolution_of({8}, false), strided = padded, half = padded, own = padded;
  padded.ends.in_length = 5;
  strided.layout.in_stride = 2;
  half.storage = Storage::f16;
  own.convolution->spectrum_dist = 8;
  FftProblem none = padded;
  none.ends = {}, none.convolution.reset();
  for (const FftProblem& problem : {padded, strided, half, own, none}) {
    EXPECT_THROW((void)ThreeCalls(problem), UnsupportedProblem) << to_string(problem);
  }
}

// The same convolution: what goes is what it ignores.
TEST(BenchThreeCalls, OfRealSignalsTakeAHermitianSpectrum) {
  for (const std::int64_t n : {8, 9, 1, 2}) {
    FftProblem problem = convolution_of({n}, true);
    const auto spectrum = verification::random_spectrum(problem, 3);
    const auto taken = hermitian(problem, spectrum);
    EXPECT_EQ(taken.front().imag(), 0);
    EXPECT_TRUE(n % 2 != 0 || taken.back().imag() == 0);
    auto x = verification::normal_row(3 * n, 5);
    for (auto& value : x) value = value.real();
    EXPECT_EQ(verification::reference_convolution(x, problem, taken),
              verification::reference_convolution(x, problem, spectrum));
  }
  const FftProblem plane = convolution_of({4, 6}, true);
  const auto taken = hermitian(plane, verification::normal_row(4 * 4, 3));
  for (const std::size_t k : {0u, 3u}) {
    for (std::size_t row = 0; row < 4; ++row) {
      EXPECT_EQ(taken[row * 4 + k], std::conj(taken[(4 - row) % 4 * 4 + k]));
    }
  }
  const auto complex = verification::normal_row(24, 3);
  EXPECT_EQ(hermitian(convolution_of({4, 6}, false), complex), complex);
}

}  // namespace
}  // namespace sonoma::bench
