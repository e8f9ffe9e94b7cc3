// run: arrays of any rank, along axes of the caller's choice, against sums in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "run_array.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::tests {
namespace {

using cli::NpyArray;

NpyArray random_array(const Shape& shape) {
  return {shape, verification::normal_row(count_of(shape), 23)};
}

/// Options, and the axes that they mean.
struct AxesCase {
  Shape shape;
  std::string options;
  std::vector<std::size_t> axes;
  int sign = -1;
  double scale = 1;
};

void PrintTo(const AxesCase& c, std::ostream* out) {
  *out << "rank " << c.shape.size() << " " << c.options;
}

std::vector<ComplexD> reference(const AxesCase& c, const NpyArray& x) {
  std::vector<ComplexD> exact(x.data.begin(), x.data.end());
  for (const std::size_t axis : c.axes) transform_along(exact, c.shape, axis, c.sign);
  for (ComplexD& v : exact) v *= c.scale;
  return exact;
}

class RunAxes : public testing::TestWithParam<AxesCase> {};

TEST_P(RunAxes, AgreesWithTheDefinition) {
  const AxesCase& c = GetParam();
  const NpyArray x = random_array(c.shape);
  const Ran ran = run(c.options, x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  ASSERT_EQ(ran.y.shape, c.shape);
  const auto exact = reference(c, x);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::norm(ComplexD(ran.y.data[i]) - exact[i]);
    norm += std::norm(exact[i]);
  }
  EXPECT_LE(std::sqrt(error / norm), 8 * 0x1p-24);
}

INSTANTIATE_TEST_SUITE_P(
    Arrays, RunAxes,
    testing::Values(AxesCase{{64}, "--axes 0", {0}}, AxesCase{{48}, "--axis -1", {0}},
                    AxesCase{{8, 12}, "--axis 0", {0}}, AxesCase{{8, 12}, "--axes 1", {1}},
                    AxesCase{{8, 12}, "--axes 0,1", {0, 1}},
                    AxesCase{{8, 12}, "--axes -1,-2 --in-place", {0, 1}},
                    AxesCase{{8, 12}, "--shape 8x12 --inverse --norm backward", {0, 1}, 1, 1. / 96},
                    AxesCase{{3, 4, 10}, "", {2}}, AxesCase{{3, 4, 10}, "--batch 12", {2}},
                    AxesCase{{3, 4, 10}, "--shape 10", {2}},
                    AxesCase{{3, 4, 10}, "--shape 4x10 --batch 3", {1, 2}},
                    AxesCase{{3, 4, 10}, "--axes 0", {0}},
                    AxesCase{{3, 4, 10}, "--axes 1 --in-place", {1}},
                    AxesCase{{3, 4, 10}, "--axes 2,0 --norm ortho", {0, 2}, -1, std::sqrt(1. / 30)},
                    AxesCase{{3, 4, 10}, "--axes 0,1,2", {0, 1, 2}},
                    AxesCase{{2, 5, 4, 7}, "--axes 0,2", {0, 2}},
                    AxesCase{{2, 5, 4, 7}, "--axes -3 --batch 56", {1}},
                    AxesCase{{2, 5, 4, 7}, "--axes 1,3 --inverse", {1, 3}, 1},
                    AxesCase{{2, 5, 4, 7}, "--shape 5x4x7 --in-place", {1, 2, 3}},
                    AxesCase{{2, 5, 1, 7}, "--shape 2x5x1x7", {0, 1, 2, 3}}));

TEST(RunAxes, IntegersHaveOneMoreAxisThatIsNotCounted) {
  NpyArray x = random_array({4, 6, 8});
  for (auto& v : x.data) v = {std::round(1000 * v.real()), std::round(1000 * v.imag())};
  x.storage = Storage::i16;
  const Ran ran = run("--axes 0,-1 --scale 0.125 --out-precision i16", x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  EXPECT_EQ(ran.y.storage, Storage::i16);
  ASSERT_EQ(ran.y.shape, x.shape);
  const auto exact = reference({x.shape, "", {0, 2}, -1, 0.125}, x);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LT(std::abs(ran.y.data[i].real() - exact[i].real()), 0.51) << i;
    EXPECT_LT(std::abs(ran.y.data[i].imag() - exact[i].imag()), 0.51) << i;
  }
}

void expect_refused(const Shape& shape, const std::string& options,
                    const std::vector<std::string>& parts) {
  tests::expect_refused(random_array(shape), options, parts);
}

TEST(RunAxes, AxesThatTheArrayLacksAreRefused) {
  for (const std::string axes : {"3", "-4", "0,0", "0,-3", "x", "0,", "0x1"}) {
    expect_refused({2, 3, 4}, "--axes " + axes, {"--axes", "(2, 3, 4)", "0 to 2", "-1 to -3"});
  }
  expect_refused({8, 8}, "--shape 2x8x8", {"--shape 2x8x8", "(8, 8)", "at most 2"});
}

TEST(RunAxes, WhatDoesNotGoTogetherIsRefused) {
  expect_refused({4, 8}, "--axes 0 --shape 4x8", {"--shape 4x8", "for each of --axes 0,"});
  expect_refused({4, 8}, "--axes 0,1 --shape 8",
                 {"--shape 8", "for each of --axes 0,1, in its order"});
  expect_refused({4, 8}, "--axes 0 --shape 8 --n 8", {"--shape", "--n"});
  expect_refused({4, 8}, "--axes 0 --in-stride 2", {"--axes", "--in-stride"});
  expect_refused({4, 8}, "--axes 0,1 --out-length 9", {"ends.out_length = 9", "1 to 8"});
  expect_refused({4, 8}, "--axes 0,1 --out-length 5x8", {"ends.out_lengths[0] = 5", "1 to 4"});
  expect_refused({4, 8}, "--axes 1 --out-length 5x8", {"ends.out_lengths.size() = 1", "0, or"});
  expect_refused({4, 8}, "--shape 4x8 --out-length 5x0", {"--out-length", "lengths of the axes"});
  expect_refused({4, 8}, "--axes 0 --load-code value", {"--load-code value", "the last axes"});
  expect_refused({4, 8}, "--shape 4x8 --in-length 4",
                 {"--in-length 4", "has 8 points along axis 1"});
  expect_refused({4, 8}, "--shape 4x8 --in-length 3x8", {"--in-length 3x8", "has 4 points"});
  expect_refused({4, 8, 2}, "--axes 1 --batch 3", {"--batch 3", "has 8 transforms"});
  expect_refused({4, 8}, "--axes 0,1 --order transposed", {"order", "natural"});
}

TEST(RunAxes, TheLastAxisByItsNumberIsStillCropped) {
  const NpyArray x = random_array({2, 3, 16});
  const Ran ran = run("--axes -1 --out-length 5", x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  EXPECT_EQ(ran.y.shape, (Shape{2, 3, 5}));
}

// As numpy.fft.fft(x, n=N, axis=a).
TEST(RunAxes, AnAxisIsCroppedOrPaddedToN) {
  const NpyArray x = random_array({3, 6, 4});
  for (const auto& [options, n, axis] : {std::tuple{"--n 7", 7, 2},
                                         {"--n 3 --in-place", 3, 2},
                                         {"--axes 1 --n 4", 4, 1},
                                         {"--axes 0 --n 5 --in-place", 5, 0},
                                         {"--axes -2 --n 9 --out-length 9", 9, 1}}) {
    const Ran ran = run(options, x);
    ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
    Shape shape = x.shape;
    shape[static_cast<std::size_t>(axis)] = n;
    ASSERT_EQ(ran.y.shape, shape) << options;
    auto exact = resized({x.data.begin(), x.data.end()}, x.shape, shape);
    transform_along(exact, shape, static_cast<std::size_t>(axis), -1);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_LT(std::abs(ComplexD(ran.y.data[i]) - exact[i]), 1e-5) << options << " " << i;
    }
  }
}

// As numpy.fft.fftn(x, s=...), and of its frequencies the first ones.
TEST(RunAxes, SeveralAxesAreCroppedOrPaddedToTheShape) {
  const NpyArray x = random_array({2, 6, 5});
  for (const auto& [options, lengths, stored] :
       {std::tuple{"--shape 4x8", Shape{2, 4, 8}, Shape{2, 4, 8}},
        {"--shape 9x3 --in-place", {2, 9, 3}, {2, 9, 3}},
        {"--shape 3x4x7 --out-length 2x3x6", {3, 4, 7}, {2, 3, 6}},
        {"--axes 1,2 --n 8 --out-length 4x7 --in-place", {2, 6, 8}, {2, 4, 7}},
        {"--axes 0,1 --in-length 2x6 --n 7", {2, 7, 5}, {2, 7, 5}}}) {
    const Ran ran = run(options, x);
    ASSERT_EQ(ran.result.exit_code, 0) << options << ran.result.err;
    ASSERT_EQ(ran.y.shape, stored) << options;
    auto whole = resized({x.data.begin(), x.data.end()}, x.shape, lengths);
    const bool last = std::string(options).find("--axes 0,1") == std::string::npos;
    if (lengths[0] != 2 || !last) transform_along(whole, lengths, 0, -1);
    transform_along(whole, lengths, 1, -1);
    if (last) transform_along(whole, lengths, 2, -1);
    const auto exact = resized(whole, lengths, stored);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_LT(std::abs(ComplexD(ran.y.data[i]) - exact[i]), 1e-4) << options << " " << i;
    }
  }
}

// As numpy.fft.fftn(x, s=..., axes=...): lengths in the order of the axes.
TEST(RunAxes, LengthsAreThoseOfTheAxesThatAreNamed) {
  const NpyArray x = random_array({5, 3, 6});
  for (const auto& [options, lengths, stored] :
       {std::tuple{"--axes 0,2 --shape 4x8", Shape{4, 3, 8}, Shape{4, 3, 8}},
        {"--axes 2,0 --shape 8x4", {4, 3, 8}, {4, 3, 8}},
        {"--axes -1,-3 --shape 5x7 --in-place", {7, 3, 5}, {7, 3, 5}},
        {"--axes 2,0 --shape 8x4 --out-length 7x3", {4, 3, 8}, {3, 3, 7}},
        {"--axes 2,0 --out-length 2x4", {5, 3, 6}, {4, 3, 2}}}) {
    const Ran ran = run(options, x);
    ASSERT_EQ(ran.result.exit_code, 0) << options << ran.result.err;
    ASSERT_EQ(ran.y.shape, stored) << options;
    auto whole = resized({x.data.begin(), x.data.end()}, x.shape, lengths);
    for (const std::size_t axis : {0u, 2u}) transform_along(whole, lengths, axis, -1);
    const auto exact = resized(whole, lengths, stored);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_LT(std::abs(ComplexD(ran.y.data[i]) - exact[i]), 1e-4) << options << " " << i;
    }
  }
}

TEST(RunAxes, CodeSeesTheIndicesOfAllAxes) {
  const NpyArray x = random_array({3, 4, 5});
  const Ran ran = run({"--shape", "4x5", "--load-code",
                       "make_float2(value.x * (i0 == 1u && i1 == 2u && index == 7u), 0.0f)"},
                      x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  for (std::size_t i = 0; i < ran.y.data.size(); ++i) {
    const float size = std::abs(x.data[i / 20 * 20 + 7].real());
    EXPECT_NEAR(std::abs(ran.y.data[i]), size, 1e-5f * (1 + size)) << i;
  }
}

}  // namespace
}  // namespace sonoma::tests
