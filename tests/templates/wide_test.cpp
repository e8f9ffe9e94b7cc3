// Products of radix 17 to 32 with their fold and what follows, against DFTs in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "primitives.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::test {
namespace {

constexpr unsigned rows = 8, columns = 32, tile_points = 256;
using Values = std::vector<std::complex<double>>;  // row-major

// Row and column of register r of a lane, as values of the step's digit before the step (points, of
// which the upper half counts backwards) or after it.
std::pair<unsigned, unsigned> place(bool before, unsigned lane, unsigned r) {
  const unsigned g = lane / 4, t = lane % 4, i0 = r & 1, i1 = r >> 1 & 1, i2 = r >> 2;
  const unsigned low = 2 * t + i0 + 8 * i2;
  return {g, i1 == 0 ? low : before ? 31 - low : 16 + low};
}

// Where frequency k stands: see wide.cuh.
unsigned value_of(unsigned k, unsigned radix) {
  return 2 * k <= radix && k <= 16 ? k : 16 + radix - k;
}

Values as_rows(const std::complex<float>* points, bool before) {
  Values values(tile_points);
  for (unsigned p = 0; p < tile_points; ++p) {
    const auto [row, column] = place(before, p / 8, p % 8);
    values[columns * row + column] = points[p];
  }
  return values;
}

const char* const load = "  Tile x;\n  for (int r = 0; r < 8; ++r) x.at[r] = in[8 * thread + r];\n";
const char* const store = "  for (int r = 0; r < 8; ++r) out[8 * thread + r] = x.at[r];\n";

std::string wide_primitives() {
  return primitives({"fold.cuh", "split.cuh", "mma_ptx.cuh", "wide.cuh"});
}

/// The matrix of a radix, from the kernel that has it, and what it was divided by: its part of DC.
struct Matrix {
  std::vector<std::uint32_t> words;
  double divisor;
};

Matrix matrix_of(unsigned radix, Direction direction) {
  FftProblem problem;
  problem.lengths = {radix};
  problem.direction = direction;
  Tuning tuning;
  tuning.engine = Engine::mma;
  tuning.decomposition = Decomposition{{radix}};
  const Generated g = generate(problem, target_for("sm_90"), tuning);
  // The twiddle of k = 0 is no root of unity, but the divisor.
  for (const Op& op : g.ir.ops) {
    if (const auto* twiddle = std::get_if<op::Twiddle>(&op)) {
      const std::uint32_t word = g.source.tables.at(std::size_t{4} * twiddle->table.offset);
      return {g.source.tables, static_cast<double>(std::bit_cast<float>(word))};
    }
  }
  return {};
}

Points product(unsigned radix, unsigned products, const Matrix& matrix, const Points& in) {
  const std::string count = std::to_string(products);
  const std::string type = products == 1 ? "HighTile" : "SplitTile";
  const std::string body =
      load +
      ("  const Matrix32 f = load_matrix32(tables);\n  fold32(x);\n"
       "  const Scales s = group_scales<7, 31, false>(x);\n"
       "  const Product y = right32<" +
       count + ">(f, split<false, " + type + ">(x, s));\n" + "  combine<From::right, " + count +
       ", false, true>(x, y, s);\n" + "  unfold32<" + std::to_string(radix) + ">(x);\n" + store);
  return run(kernel(wide_primitives(), body), in, tile_points, matrix.words);
}

// Random points, zeros from the radix on.
Points padded_points(unsigned radix, unsigned seed) {
  Points in = random_points(tile_points, seed);
  for (unsigned p = 0; p < tile_points; ++p) {
    if (place(true, p / 8, p % 8).second >= radix) in[p] = 0;
  }
  return in;
}

std::vector<unsigned> wide_radices() {
  std::vector<unsigned> radices;
  for (unsigned radix = 17; radix <= 32; ++radix) {
    if (is_smooth(radix)) radices.push_back(radix);
  }
  return radices;
}

/// Relative to the largest of all: frequency k where it stands, without its factor w^(31 k / 2).
double worst_error(unsigned radix, int sign, double divisor, const Points& in, const Points& out) {
  const Values x = as_rows(in.data(), true), y = as_rows(out.data(), false);
  double worst = 0, largest = 0;
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned k = 0; k < radix; ++k) {
      std::complex<double> exact = 0;
      for (unsigned v = 0; v < radix; ++v) {
        const double half_turns = (2.0 * v - 31) * k / radix;
        exact += x[columns * row + v] * std::polar(1.0, sign * std::numbers::pi * half_turns);
      }
      const auto found = y[columns * row + value_of(k, radix)] * divisor;
      worst = std::max(worst, std::abs(found - exact));
      largest = std::max(largest, std::abs(exact));
    }
  }
  return worst / largest;
}

TEST(WideProducts, GiveEveryFrequencyOfEveryRadix) {
  for (const unsigned radix : wide_radices()) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const Matrix matrix = matrix_of(radix, direction);
      const Points in = padded_points(radix, radix);
      for (const unsigned products : {1u, 3u, 4u}) {
        const Points out = product(radix, products, matrix, in);
        const double error =
            worst_error(radix, static_cast<int>(direction), matrix.divisor, in, out);
        EXPECT_LT(error, products == 1 ? 4 * 0x1p-11 : 8 * 0x1p-24) << radix << " " << products;
        if (products == 1) {
          EXPECT_GT(error, 0x1p-15) << "low halves are not left out";
        }
      }
    }
  }
}

TEST(WideProducts, TheFourthIsThere) {
  const Matrix matrix = matrix_of(25, Direction::forward);
  const Points in = padded_points(25, 5);
  EXPECT_NE(product(25, 3, matrix, in), product(25, 4, matrix, in));
}

// Lines do not meet: what is not finite takes its own and no other.
TEST(WideProducts, WhatIsNotFiniteStaysInItsLine) {
  const Matrix matrix = matrix_of(27, Direction::forward);
  Points in = padded_points(27, 3);
  const Values good = as_rows(product(27, 3, matrix, in).data(), false);
  in[8 * 13] = {1.0f, std::numeric_limits<float>::infinity()};  // of row 3
  // Scales of its own for each line, as where they belong to different transforms.
  const std::string body =
      load +
      std::string(
          "  const Matrix32 f = load_matrix32(tables);\n  fold32(x);\n"
          "  const Scales s = group_scales<7, 3, false>(x);\n"
          "  const Product y = right32<3>(f, split<false, SplitTile>(x, s));\n"
          "  combine<From::right, 3, false, false>(x, y, s);\n  unfold32<27>(x);\n") +
      store;
  const Points out = run(kernel(wide_primitives(), body), in, tile_points, matrix.words);
  const Values y = as_rows(out.data(), false);
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned k = 0; k < 27; ++k) {
      const auto value = y[columns * row + value_of(k, 27)];
      const bool finite = std::isfinite(value.real()) && std::isfinite(value.imag());
      EXPECT_EQ(finite, row != 3) << row << " " << k;
      if (row != 3) {
        EXPECT_LT(std::abs(value - good[columns * row + value_of(k, 27)]), 0x1p-18);
      }
    }
  }
}

// Points v and 31 - v become their sum and -i times their difference, to the bit.
TEST(WideFold, SumsAndDifferencesOfEveryPair) {
  const Points in = random_points(tile_points, 29);
  const Points out =
      run(kernel(wide_primitives(), load + std::string("  fold32(x);\n") + store), in, tile_points);
  const Values x = as_rows(in.data(), true), y = as_rows(out.data(), true);
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned v = 0; v < 16; ++v) {
      const std::complex<float> a(x[columns * row + v]), b(x[columns * row + 31 - v]);
      EXPECT_EQ(std::complex<float>(y[columns * row + v]), a + b);
      EXPECT_EQ(std::complex<float>(y[columns * row + 31 - v]),
                std::complex(a.imag() - b.imag(), b.real() - a.real()));
    }
  }
}

}  // namespace
}  // namespace sonoma::test
