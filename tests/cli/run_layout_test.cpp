// run: .npy files as memory that a layout describes, integers, padding, and the caller's code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "run_array.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/metrics.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::tests {
namespace {

using cli::NpyArray;
using Complex = std::complex<float>;

NpyArray random_array(const std::vector<std::int64_t>& shape) {
  return {shape, verification::normal_row(count_of(shape), 11)};
}

struct Side {
  std::size_t stride, dist;
};

/// Arguments and what they mean.
struct LayoutCase {
  std::string options;
  std::size_t n, batch;
  Side in, out;
  std::vector<std::int64_t> in_shape, out_shape;
  bool in_place = false;
};

void PrintTo(const LayoutCase& c, std::ostream* out) { *out << c.options; }

class RunLayout : public testing::TestWithParam<LayoutCase> {};

TEST_P(RunLayout, TransformsWhereThePointsLie) {
  const LayoutCase& c = GetParam();
  const NpyArray x = random_array(c.in_shape);
  const Ran ran = run(split(c.options), x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  ASSERT_EQ(ran.y.shape, c.out_shape);
  std::vector<Complex> rest = c.in_place ? x.data : std::vector<Complex>(ran.y.data.size());
  for (std::size_t b = 0; b < c.batch; ++b) {
    std::vector<Complex> row(c.n), result(c.n);
    for (std::size_t t = 0; t < c.n; ++t) row[t] = x.data.at(b * c.in.dist + t * c.in.stride);
    for (std::size_t k = 0; k < c.n; ++k) {
      const std::size_t place = b * c.out.dist + k * c.out.stride;
      result[k] = rest.at(place) = ran.y.data.at(place);
    }
    const auto n = static_cast<std::int64_t>(c.n);
    const auto exact = verification::reference_dft(row, n, Direction::forward);
    EXPECT_LE(verification::measure(row, result, exact, 1).e2, verification::e2_limit(n)) << b;
  }
  EXPECT_TRUE(ran.y.data == rest) << "points of no transform";
}

std::vector<LayoutCase> layouts() {
  return {
      {"--n 64 --batch 3 --in-dist 70", 64, 3, {1, 70}, {1, 64}, {3, 70}, {3, 64}},
      {"--n 64 --batch 3 --in-dist 70 --out-dist 65", 64, 3, {1, 70}, {1, 65}, {210}, {3, 65}},
      {"--n 60 --batch 2 --in-stride 3", 60, 2, {3, 180}, {1, 60}, {2, 60, 3}, {2, 60}},
      {"--n 32 --batch 5 --in-stride 5 --in-dist 1", 32, 5, {5, 1}, {1, 32}, {32, 5}, {5, 32}},
      {"--n 32 --batch 5 --out-stride 7 --out-dist 1", 32, 5, {1, 32}, {7, 1}, {5, 32}, {222}},
      {"--n 16 --batch 3 --in-stride 4 --in-dist 1 --out-stride 4 --out-dist 1 --in-place",
       16,
       3,
       {4, 1},
       {4, 1},
       {63},
       {63},
       true},
  };
}

INSTANTIATE_TEST_SUITE_P(All, RunLayout, testing::ValuesIn(layouts()));

void expect_failure(const Ran& ran, const std::string& part) {
  EXPECT_EQ(ran.result.exit_code, 2) << ran.result.err;
  EXPECT_NE(ran.result.err.find(part), std::string::npos) << ran.result.err;
}

TEST(RunLayout, MemoryOfAnotherSizeIsRefused) {
  const NpyArray x = random_array({3, 70});
  expect_failure(run(split("--n 64 --batch 3 --in-dist 71"), x), "the layout takes 213 points");
  expect_failure(run(split("--n 64 --in-dist 70"), x), "the layout takes 70 points");
  expect_failure(run(split("--in-dist 70"), x), "--n");
  expect_failure(run(split("--n 64 --batch 0 --in-dist 70"), x), "--batch 0");
  expect_failure(run(split("--batch 2"), x), "has 3 rows");
}

NpyArray integers(const std::vector<std::int64_t>& shape) {
  NpyArray x = random_array(shape);
  for (auto& v : x.data) v = {std::round(1000 * v.real()), std::round(1000 * v.imag())};
  x.storage = Storage::i16;
  return x;
}

TEST(RunIntegers, AreReadAndWrittenAsInt16) {
  const NpyArray x = integers({3, 64});
  const Ran ran = run(split("--scale 0.125 --out-precision i16"), x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  EXPECT_EQ(ran.y.storage, Storage::i16);
  EXPECT_EQ(run(split("--scale 0.125 --in-place"), x).y, ran.y);
  ASSERT_EQ(ran.y.shape, x.shape);
  const auto exact = verification::reference_dft(x.data, 64, Direction::forward, 0.125);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LT(std::abs(ran.y.data[i].real() - exact[i].real()), 0.51) << i;
    EXPECT_LT(std::abs(ran.y.data[i].imag() - exact[i].imag()), 0.51) << i;
  }
}

TEST(RunIntegers, BecomeAndComeFromFloats) {
  const NpyArray x = integers({2, 16});
  const Ran floats = run(split("--n 16"), x);
  ASSERT_EQ(floats.result.exit_code, 0) << floats.result.err;
  EXPECT_EQ(floats.y.storage, Storage::f32);
  const NpyArray spectrum{floats.y.shape, floats.y.data};
  const Ran back = run(split("--out-precision i16 --inverse --norm backward"), spectrum);
  ASSERT_EQ(back.result.exit_code, 0) << back.result.err;
  EXPECT_EQ(back.y, x);
  expect_failure(run(split("--precision f16"), x), "holds int16");
}

// Numbers of a file, for the expressions.
TEST(RunEnds, CodeReadsUserData) {
  const NpyArray x = random_array({3, 64});
  using Words = std::vector<std::string>;
  NpyArray window = random_array({64});
  for (auto& v : window.data) v = v.real();
  window.values = Values::real;
  const TemporaryFolder folder;
  cli::save_npy(folder.file("window.npy"), window);
  const std::string code =
      "make_float2(value.x * static_cast<const float*>(user)[index], "
      "value.y * static_cast<const float*>(user)[index])";
  const Ran ran = run(Words{"--load-code", code, "--user", folder.file("window.npy")}, x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  NpyArray windowed = x;
  for (std::size_t i = 0; i < x.data.size(); ++i) windowed.data[i] *= window.data[i % 64].real();
  EXPECT_EQ(ran.y, run(split("--n 64"), windowed).y);

  expect_failure(run(Words{"--load-code", code}, x), "--user");
  expect_failure(run(Words{"--store-code", code}, x), "--user");
  expect_failure(run(Words{"--user", folder.file("window.npy")}, x), "none of them reads user");
  const Ran other = run(Words{"--load-code", "make_float2(value.x, superuser)"}, x);
  EXPECT_EQ(other.result.exit_code, 3);  // another word: the compiler's to judge
  EXPECT_EQ(run(Words{"--load-code", code, "--user", folder.file("none.npy")}, x).result.exit_code,
            3);
}

TEST(RunEnds, PadCropAndRunCode) {
  const NpyArray x = random_array({2, 40});
  const Ran ran =
      run({"--n", "64", "--in-length", "40", "--out-length", "33", "--load-code",
           "make_float2(2 * value.x, -value.y)", "--store-code", "make_float2(value.y, value.x)"},
          x);
  ASSERT_EQ(ran.result.exit_code, 0) << ran.result.err;
  ASSERT_EQ(ran.y.shape, (std::vector<std::int64_t>{2, 33}));
  for (std::size_t b = 0; b < 2; ++b) {
    std::vector<Complex> row(64);
    for (std::size_t t = 0; t < 40; ++t) {
      row[t] = {2 * x.data[b * 40 + t].real(), -x.data[b * 40 + t].imag()};
    }
    const auto exact = verification::reference_dft(row, 64, Direction::forward);
    for (std::size_t k = 0; k < 33; ++k) {
      const Complex y = ran.y.data[b * 33 + k];
      EXPECT_LT(std::abs(std::complex<double>(y.imag(), y.real()) - exact[k]), 1e-4) << k;
    }
  }
}

}  // namespace
}  // namespace sonoma::tests
