// run --domain dct1 to dst4, as scipy's dct, dst, dctn and dstn.
#include <gtest/gtest.h>

#include <cmath>

#include "run_array.hpp"
#include "sonoma/trigonometric.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::tests {
namespace {

using cli::NpyArray;

NpyArray random_array(const Shape& shape) {
  NpyArray x{shape, verification::normal_row(count_of(shape), 37), Storage::f32, Values::real};
  for (auto& v : x.data) v = v.real();
  return x;
}

// Along the last axes, as many as `lengths`, of numbers that were cropped or padded already.
std::vector<ComplexD> expected(const std::vector<ComplexD>& x, Domain domain, const Shape& lengths,
                               Normalization normalization) {
  FftProblem problem;
  problem.lengths = lengths, problem.domain = domain;
  normalize(problem, normalization);
  return verification::reference({x.begin(), x.end()}, problem);
}

void expect_result(const Ran& ran, const Shape& shape, const std::vector<ComplexD>& exact) {
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  EXPECT_EQ(ran.y.values, Values::real);
  ASSERT_EQ(ran.y.shape, shape);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::norm(ComplexD(ran.y.data[i]) - exact[i]), norm += std::norm(exact[i]);
  }
  EXPECT_LE(std::sqrt(error / norm), 6 * 0x1p-24);
}

TEST(RunTrigonometric, CropsAndPadsAnAxis) {
  for (const std::int64_t points : {4, 9}) {
    const NpyArray x = random_array({3, points});
    const auto there = resized({x.data.begin(), x.data.end()}, x.shape, {3, 6});
    expect_result(run("--domain dct2 --n 6 --norm ortho", x), {3, 6},
                  expected(there, Domain::dct2, {6}, Normalization::ortho));
  }
}

TEST(RunTrigonometric, TakesSeveralAxes) {
  const NpyArray x = random_array({2, 5, 4});
  expect_result(
      run("--domain dst1 --axes 2,1 --in-place --norm forward", x), x.shape,
      expected({x.data.begin(), x.data.end()}, Domain::dst1, {5, 4}, Normalization::forward));
}

// As scipy.fft.dctn(x, s=..., axes=...).
TEST(RunTrigonometric, CropsAndPadsTheAxesThatAreNamed) {
  const NpyArray x = random_array({2, 5, 4});
  for (const char* axes : {"--axes 1,2 --shape 3x6", "--axes 2,1 --shape 6x3"}) {
    const auto there = resized({x.data.begin(), x.data.end()}, x.shape, {2, 3, 6});
    expect_result(run(std::string("--domain dct2 ") + axes, x), {2, 3, 6},
                  expected(there, Domain::dct2, {3, 6}, Normalization::backward));
  }
}

TEST(RunTrigonometric, WhatDoesNotGoTogetherIsRefused) {
  const NpyArray real = random_array({4, 8});
  NpyArray complex = real;
  complex.values = Values::complex;
  expect_refused(complex, "--domain dct2", {"--domain dct2", "complex64", "dct2 takes real"});
  expect_refused(real, "--domain dct2 --inverse",
                 {"inverse", "its inverse is dct3, divided by 16"});
  expect_refused(real, "--domain r2c --orthogonal", {"orthogonal", "false for r2c"});
  expect_refused(real, "--domain dct2 --store-code value", {"code of the caller's with dct2"});
}

}  // namespace
}  // namespace sonoma::tests
