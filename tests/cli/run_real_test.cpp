// run --domain r2c and c2r: real numbers on one side, as numpy's rfft, irfft, rfftn and irfftn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "run_array.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::tests {
namespace {

using cli::NpyArray;

NpyArray random_array(const Shape& shape, Values values) {
  NpyArray x{shape, verification::normal_row(count_of(shape), 31), Storage::f32, values};
  for (auto& v : x.data) v = values == Values::real ? v.real() : v;
  return x;
}

/// Options, the axes that they mean, the halved one last, and its length.
struct RealCase {
  Shape shape;  ///< of the input
  std::string options;
  std::vector<std::size_t> axes;
  std::int64_t n;
  double scale = 1;
  Shape before =
      {};  ///< lengths of the axes before the last, where they are not those of the input
};

void PrintTo(const RealCase& c, std::ostream* out) {
  *out << "rank " << c.shape.size() << " " << c.options;
}

// What is behind n / 2, from what is in front of it.
void complete(std::vector<ComplexD>& x, const Shape& shape, std::size_t axis) {
  std::size_t stride = 1;
  for (std::size_t a = axis + 1; a < shape.size(); ++a) {
    stride *= static_cast<std::size_t>(shape[a]);
  }
  const auto n = static_cast<std::size_t>(shape[axis]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t k = i / stride % n;
    if (k > n / 2) x[i] = std::conj(x[i - (2 * k - n) * stride]);
  }
}

struct Reference {
  Shape shape;
  std::vector<ComplexD> data;
};

Reference reference(const RealCase& c, const NpyArray& x) {
  const bool r2c = x.values == Values::real;
  const std::size_t last = c.axes.back();
  Reference whole{c.shape, {x.data.begin(), x.data.end()}};
  const auto resize = [&](std::int64_t points, std::size_t axis) {
    Shape shape = whole.shape;
    shape[axis] = points;
    whole = {shape, resized(whole.data, whole.shape, shape)};
  };
  for (std::size_t i = 0; i < c.before.size(); ++i) resize(c.before[i], c.axes[i]);
  if (!r2c) resize(c.n / 2 + 1, last);
  for (const std::size_t axis : c.axes) {
    if (axis == last) resize(c.n, last);
    if (axis == last && !r2c) complete(whole.data, whole.shape, axis);
    transform_along(whole.data, whole.shape, axis, r2c ? -1 : 1);
  }
  if (r2c) resize(c.n / 2 + 1, last);
  for (ComplexD& v : whole.data) v = c.scale * (r2c ? v : ComplexD(v.real()));
  return whole;
}

void expect_transform(const RealCase& c, Values values) {
  const NpyArray x = random_array(c.shape, values);
  const Ran ran = run(c.options, x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  EXPECT_EQ(ran.y.values, values == Values::real ? Values::complex : Values::real);
  const auto [shape, exact] = reference(c, x);
  ASSERT_EQ(ran.y.shape, shape);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::norm(ComplexD(ran.y.data[i]) - exact[i]);
    norm += std::norm(exact[i]);
  }
  EXPECT_LE(std::sqrt(error / norm), 8 * 0x1p-24);
}

class RunR2c : public testing::TestWithParam<RealCase> {};
TEST_P(RunR2c, AgreesWithTheDefinition) { expect_transform(GetParam(), Values::real); }

INSTANTIATE_TEST_SUITE_P(
    Arrays, RunR2c,
    testing::Values(
        RealCase{{64}, "--domain r2c", {0}, 64}, RealCase{{3, 15}, "--domain r2c", {1}, 15},
        RealCase{{3, 16}, "--domain r2c --in-place", {1}, 16},
        RealCase{{2, 3, 15}, "--domain r2c --in-place --norm ortho", {2}, 15, 1 / std::sqrt(15)},
        RealCase{{3, 10}, "--domain r2c --n 16", {1}, 16},
        RealCase{{3, 20}, "--domain r2c --n 16", {1}, 16},
        RealCase{{3, 21}, "--domain r2c --n 16 --in-place", {1}, 16},
        RealCase{{3, 4, 10}, "--domain r2c --axes 1", {1}, 4},
        RealCase{{3, 4, 10}, "--domain r2c --axis 0 --n 8", {0}, 8},
        RealCase{{6, 8}, "--domain r2c --axes 0,1", {0, 1}, 8},
        RealCase{{6, 8}, "--domain r2c --axes 1,0", {1, 0}, 6},
        RealCase{{6, 9}, "--domain r2c --shape 6x9 --in-place", {0, 1}, 9},
        RealCase{{6, 9}, "--domain r2c --shape 8x7 --in-place", {0, 1}, 7, 1, {8}},
        RealCase{{2, 6, 9}, "--domain r2c --shape 4x12", {1, 2}, 12, 1, {4}},
        RealCase{{6, 9}, "--domain r2c --axes 0,1 --n 16", {0, 1}, 16},
        RealCase{{3, 4, 10}, "--domain r2c --shape 4x10", {1, 2}, 10},
        RealCase{{3, 4, 10}, "--domain r2c --axes 0,2 --in-place", {0, 2}, 10},
        RealCase{{2, 5, 4, 7}, "--domain r2c --axes 0,2", {0, 2}, 4},
        RealCase{{5, 3, 6}, "--domain r2c --axes 0,2 --shape 4x8", {0, 2}, 8, 1, {4}},
        RealCase{{5, 3, 6}, "--domain r2c --axes 2,0 --shape 5x8", {2, 0}, 8, 1, {5}},
        RealCase{{5, 3, 6}, "--domain r2c --axes 0,2 --shape 6x5 --in-place", {0, 2}, 5, 1, {6}},
        RealCase{{2, 5, 4, 7}, "--domain r2c --axes 3,0,1", {0, 3, 1}, 5}));

class RunC2r : public testing::TestWithParam<RealCase> {};
TEST_P(RunC2r, AgreesWithTheDefinition) { expect_transform(GetParam(), Values::complex); }

INSTANTIATE_TEST_SUITE_P(
    Arrays, RunC2r,
    testing::Values(
        RealCase{{33}, "--domain c2r", {0}, 64}, RealCase{{3, 9}, "--domain c2r --n 17", {1}, 17},
        RealCase{{3, 9}, "--domain c2r --in-place", {1}, 16},
        RealCase{{3, 9}, "--domain c2r --n 17 --in-place --norm backward", {1}, 17, 1. / 17},
        RealCase{{3, 9}, "--domain c2r --n 10", {1}, 10},
        RealCase{{3, 9}, "--domain c2r --n 30", {1}, 30},
        RealCase{{3, 9}, "--domain c2r --n 30 --in-place", {1}, 30},
        RealCase{{2, 1}, "--domain c2r --n 1", {1}, 1},
        RealCase{{3, 4, 10}, "--domain c2r --axes 1", {1}, 6},
        RealCase{{3, 4, 10}, "--domain c2r --axes 1 --n 7", {1}, 7},
        RealCase{{6, 5}, "--domain c2r --axes 0,1", {0, 1}, 8},
        RealCase{{6, 5}, "--domain c2r --axes 1,0 --n 11", {1, 0}, 11},
        RealCase{{6, 5}, "--domain c2r --shape 6x9 --norm backward", {0, 1}, 9, 1. / 54},
        RealCase{{6, 5}, "--domain c2r --shape 6x9 --in-place", {0, 1}, 9},
        RealCase{{6, 5}, "--domain c2r --shape 4x12 --in-place", {0, 1}, 12, 1, {4}},
        RealCase{{6, 5}, "--domain c2r --shape 7x6", {0, 1}, 6, 1, {7}},
        RealCase{{2, 5, 4, 7}, "--domain c2r --axes 0,2", {0, 2}, 6},
        RealCase{{5, 3, 6}, "--domain c2r --axes 0,2 --shape 4x9", {0, 2}, 9, 1, {4}},
        RealCase{{5, 3, 6}, "--domain c2r --axes 2,0 --shape 7x8", {2, 0}, 8, 1, {7}},
        RealCase{{5, 3, 6}, "--domain c2r --axes 1,2 --shape 2x12 --in-place", {1, 2}, 12, 1, {2}},
        RealCase{{2, 5, 4, 7}, "--domain c2r --axes 3,0,1", {0, 3, 1}, 8}));

TEST(RunReal, ThereAndBackAgain) {
  for (const Shape& shape : {Shape{5, 60}, Shape{4, 6, 21}}) {
    const NpyArray x = random_array(shape, Values::real);
    const std::string lengths = std::to_string(shape.back());
    const Ran there = run("--domain r2c", x);
    ASSERT_EQ(there.result.exit_code, 0) << there.result.err;
    const Ran back = run("--domain c2r --norm backward --n " + lengths, there.y);
    ASSERT_EQ(back.result.exit_code, 0) << back.result.err;
    ASSERT_EQ(back.y.shape, x.shape);
    for (std::size_t i = 0; i < x.data.size(); ++i) {
      EXPECT_LT(std::abs(back.y.data[i] - x.data[i]), 1e-5f) << i;
    }
  }
}

TEST(RunReal, AgreesWithFftw) {
  const NpyArray x = random_array({2, 4096}, Values::real);
  const Ran ran = run("--domain r2c --precision f16", x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  ASSERT_EQ(ran.y.shape, (Shape{2, 2049}));
  const auto exact = verification::reference_dft(x.data, 4096, Direction::forward);
  for (std::size_t i = 0; i < ran.y.data.size(); ++i) {
    EXPECT_LT(std::abs(ComplexD(ran.y.data[i]) - exact[i / 2049 * 4096 + i % 2049]), 0.5) << i;
  }
}

TEST(RunReal, IntegersHaveNoMoreAxis) {
  NpyArray x = random_array({3, 16}, Values::real);
  for (auto& v : x.data) v = std::round(1000 * v.real());
  x.storage = Storage::i16;
  const Ran there = run("--domain r2c --out-precision i16", x);
  ASSERT_EQ(there.result.exit_code, 0) << there.result.err;
  EXPECT_EQ(there.y.storage, Storage::i16);
  ASSERT_EQ(there.y.shape, (Shape{3, 9}));
  const auto exact = reference({x.shape, "", {1}, 16}, x).data;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LT(std::abs(there.y.data[i].real() - exact[i].real()), 0.51) << i;
    EXPECT_LT(std::abs(there.y.data[i].imag() - exact[i].imag()), 0.51) << i;
  }
  const Ran back = run("--domain c2r --norm backward --out-precision i16", there.y, Values::real);
  ASSERT_EQ(back.result.exit_code, 0) << back.result.err;
  EXPECT_EQ(back.y.storage, Storage::i16);
  ASSERT_EQ(back.y.shape, x.shape);
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    EXPECT_LE(std::abs(back.y.data[i] - x.data[i]), 1) << i;
  }
}

// Rows of 20 real numbers of which 16 are transformed, frequencies side by side.
TEST(RunReal, MemoryIsAsTheLayoutSays) {
  const NpyArray x = random_array({3, 20}, Values::real);
  const Ran ran = run("--domain r2c --n 16 --batch 3 --in-dist 20 --out-stride 3 --out-dist 1", x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  ASSERT_EQ(ran.y.shape, (Shape{27}));
  auto [shape, exact] = reference({x.shape, "", {1}, 16}, random_array({3, 20}, Values::real));
  ASSERT_EQ(shape, (Shape{3, 9}));
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LT(std::abs(ComplexD(ran.y.data[i % 9 * 3 + i / 9]) - exact[i]), 1e-5) << i;
  }
}

TEST(RunReal, InPlaceTheFileHasPaddedRows) {
  NpyArray x = random_array({3, 18}, Values::real);
  const Ran ran = run("--domain r2c --n 16 --batch 3 --in-dist 18 --out-dist 9 --in-place", x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  ASSERT_EQ(ran.y.shape, (Shape{3, 9}));
  const auto exact = reference({x.shape, "", {1}, 16}, x).data;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LT(std::abs(ComplexD(ran.y.data[i]) - exact[i]), 1e-5) << i;
  }
}

TEST(RunReal, WhatDoesNotGoTogetherIsRefused) {
  const NpyArray real = random_array({4, 8}, Values::real),
                 complex = random_array({4, 8}, Values::complex),
                 one = random_array({4, 1}, Values::complex);
  expect_refused(real, "", {"--domain c2c", "float32", "--domain r2c", "complex64"});
  expect_refused(real, "--domain c2r", {"--domain c2r", "float32", "--domain r2c"});
  expect_refused(complex, "--domain r2c", {"--domain r2c", "complex64", "float32"});
  expect_refused(real, "--domain real", {"--domain real", "c2c, r2c, c2r, dct1", "or dst4"});
  expect_refused(real, "--domain r2c --inverse", {"inverse", "forward for r2c"});
  expect_refused(real, "--domain r2c --axes 1,0 --in-place",
                 {"--axes 1,0", "--in-place", "the last one of"});
  expect_refused(one, "--domain c2r", {"--domain c2r", "1 frequency", "--n"});
  expect_refused(real, "--domain r2c --n 8 --in-dist 9", {"takes 9 real numbers"});
  expect_refused(real, "--domain r2c --axes 0,0", {"--axes 0,0", "each once"});
}

}  // namespace
}  // namespace sonoma::tests
