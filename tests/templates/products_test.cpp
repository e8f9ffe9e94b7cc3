// Matrix x tile and tile x matrix, in both forms, against a product in double: every element of
// every layout, the scales' way through it, and the containment of what is not finite. Matrices are
// DFTs but of radix 16: there the real matrix of the folded DFT, whose way to a DFT is tested too.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "primitives.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::test {
namespace {

constexpr unsigned side = 16;
using Matrix = std::vector<std::complex<double>>;  // row-major

/// One block each: a product with groups of points that share a scale.
struct Case {
  unsigned radix;
  bool left;
  unsigned register_mask = 7, lane_mask = 31;
  bool contained = false;
};

// Groups of the second half: columns (left), rows (right), and pairs that share an MMA with others.
const std::vector<Case> cases = {{16, true},
                                 {16, false},
                                 {8, true},
                                 {8, false},
                                 {4, true},
                                 {4, false},
                                 {2, true},
                                 {2, false},
                                 {16, true, 3, 3},
                                 {16, false, 5, 3},
                                 {2, true, 1, 0, true},
                                 {2, false, 1, 0, true},
                                 {4, true, 1, 1, true},
                                 {4, false, 1, 1, true}};

// Row and column of register r of a lane: the operand layout (left, before) or the accumulator's.
std::pair<unsigned, unsigned> place(bool operand, unsigned lane, unsigned r) {
  const unsigned g = lane / 4, t = lane % 4, i0 = r & 1, i1 = r >> 1 & 1, i2 = r >> 2;
  return operand ? std::pair(2 * t + i0 + 8 * i1, g + 8 * i2)
                 : std::pair(g + 8 * i1, 2 * t + i0 + 8 * i2);
}

std::string statements(const Case& c, const TableRange& table) {
  const std::string radix = std::to_string(c.radix), size = c.radix == 16 ? "16" : "8";
  const std::string from = c.left ? "left" : "right",
                    type = c.radix <= 4 ? "SplitTile3" : "SplitTile";
  const std::string contained = c.contained ? "true" : "false";
  const std::string uniform = c.lane_mask == 31 ? "true" : "false";
  return "    const Matrix f = load_matrix(tables + " + std::to_string(table.offset) +
         ");\n    const Scales s = group_scales<" + std::to_string(c.register_mask) + ", " +
         std::to_string(c.lane_mask) + ", " + contained + ">(x);\n    const Product y = " + from +
         size + (c.radix == 16 ? "<3>" : "<" + radix + ", 3>") + "(f, split<" + contained + ", " +
         type + ">(x, s));\n    combine<From::" + from + ", 3, " + contained + ", " + uniform +
         ">(x, y, s);\n";
}

std::string fold_statement(const Case& c) {
  return std::string("    fold<From::") + (c.left ? "left" : "right") + ">(x);\n";
}

/// The matrix of every radix and side, each from a kernel that has it.
struct Matrices {
  std::map<std::pair<unsigned, StepForm>, TableRange> ranges;
  std::vector<std::uint32_t> tables;
};

Matrices matrices_of(MmaForm form, Direction direction) {
  Matrices all;
  FftProblem problem;
  problem.lengths = {4096};
  problem.direction = direction;
  for (const unsigned radix : {16u, 8u, 4u, 2u}) {
    Tuning tuning;
    tuning.radix = radix;
    tuning.mma_form = form;
    tuning.engine = Engine::mma;
    const Generated g = generate(problem, target_for("sm_90"), tuning);
    const auto units = static_cast<std::uint32_t>(all.tables.size() / 4);
    for (const Op& op : g.ir.ops) {
      const auto* matrix = std::get_if<op::LoadMatrix>(&op);
      if (!matrix) continue;
      all.ranges[{radix, matrix->form}] = {units + matrix->table.offset, matrix->table.size};
    }
    all.tables.insert(all.tables.end(), g.source.tables.begin(), g.source.tables.end());
  }
  return all;
}

CudaSource all_cases(MmaForm form, const Matrices& matrices, bool folded) {
  std::string body = "  Tile x;\n  for (int r = 0; r < 8; ++r) x.at[r] = in[8 * thread + r];\n";
  for (std::size_t b = 0; b < cases.size(); ++b) {
    const Case& c = cases[b];
    const auto form_of_case = c.left ? StepForm::left : StepForm::right;
    body += "  if (block_index() == " + std::to_string(b) + ") {\n" +
            (folded && c.radix == 16 ? fold_statement(c) : "") +
            statements(c, matrices.ranges.at({c.radix, form_of_case})) + "  }\n";
  }
  body += "  for (int r = 0; r < 8; ++r) out[256 * block_index() + 8 * thread + r] = x.at[r];\n";
  return kernel(
      primitives({"fold.cuh", "split.cuh", form == MmaForm::ptx ? "mma_ptx.cuh" : "mma_wmma.cuh"}),
      body, 32, 2048);
}

// Of the folded DFT, or of the DFT.
std::complex<double> element(unsigned radix, unsigned k, unsigned t, int sign) {
  if (radix < side) return std::polar(1.0, sign * 2 * std::numbers::pi * (k * t % radix) / radix);
  const double angle = 2 * std::numbers::pi * k * (t % 8 - 7.5) / side;
  return t < 8 ? std::cos(angle) : -sign * std::sin(angle);
}

Matrix expected(const Case& c, const Matrix& x, int sign) {
  Matrix y(x.size());
  for (unsigned row = 0; row < side; ++row) {
    for (unsigned column = 0; column < side; ++column) {
      const unsigned digit = (c.left ? row : column) % c.radix;
      for (unsigned t = 0; t < c.radix; ++t) {
        const unsigned from =
            c.left ? side * (row - digit + t) + column : side * row + column - digit + t;
        y[side * row + column] += x[from] * element(c.radix, digit, t, sign);
      }
    }
  }
  return y;
}

Matrix as_matrix(const std::complex<float>* points, bool operand) {
  Matrix m(side * side);
  for (unsigned p = 0; p < side * side; ++p) {
    const auto [row, column] = place(operand, p / 8, p % 8);
    m[side * row + column] = points[p];
  }
  return m;
}

/// Relative to the largest of the line that is transformed.
double error(const Case& c, const Matrix& y, const Matrix& exact) {
  double worst = 0;
  for (unsigned line = 0; line < side; ++line) {
    double largest = 0, difference = 0;
    for (unsigned i = 0; i < side; ++i) {
      const unsigned at = c.left ? side * i + line : side * line + i;
      largest = std::max(largest, std::abs(exact[at]));
      difference = std::max(difference, std::abs(y[at] - exact[at]));
    }
    worst = std::max(worst, difference / largest);
  }
  return worst;
}

// Points v and v + 8 of a row (column) become sum and -i times difference.
TEST(Fold, SumsAndDifferencesOfEveryPair) {
  const Points in = random_points(256, 23);
  for (const bool left : {true, false}) {
    const std::string body =
        "  Tile x;\n  for (int r = 0; r < 8; ++r) x.at[r] = in[8 * thread + r];\n" +
        fold_statement({16, left}) +
        "  for (int r = 0; r < 8; ++r) out[8 * thread + r] = x.at[r];\n";
    const Points out = run(kernel(primitives({"fold.cuh"}), body), in, 256);
    const Matrix x = as_matrix(in.data(), left), y = as_matrix(out.data(), left);
    for (unsigned p = 0; p < side * side; ++p) {
      const unsigned at = left ? p / side : p % side, half = left ? 8 * side : 8;
      const auto a = std::complex<float>(x[at < 8 ? p : p - half]),
                 b = std::complex<float>(x[at < 8 ? p + half : p]);
      const auto expected = at < 8 ? a + b : std::complex(a.imag() - b.imag(), b.real() - a.real());
      EXPECT_EQ(std::complex<float>(y[p]), expected) << (left ? "left " : "right ") << p;
    }
  }
}

class Products : public testing::TestWithParam<MmaForm> {
 protected:
  Points products(const Points& in, Direction direction = Direction::forward,
                  bool folded = false) const {
    const Matrices matrices = matrices_of(GetParam(), direction);
    return run(all_cases(GetParam(), matrices, folded), in, 256 * cases.size(), matrices.tables,
               cases.size());
  }
};

TEST_P(Products, EqualThoseInDouble) {
  const Points in = random_points(256, 11);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const Points out = products(in, direction);
    for (std::size_t b = 0; b < cases.size(); ++b) {
      const Case& c = cases[b];
      const Matrix exact = expected(c, as_matrix(in.data(), c.left), static_cast<int>(direction));
      EXPECT_LT(error(c, as_matrix(&out[256 * b], false), exact), 8 * 0x1p-24)
          << "radix " << c.radix << (c.left ? " left" : " right");
    }
  }
}

// Columns (left) or rows (right) sixty powers of two apart.
TEST_P(Products, EveryGroupHasItsOwnScale) {
  for (const std::size_t b : {8u, 9u}) {
    const Case& c = cases[b];
    Points in = random_points(256, 13);
    for (unsigned p = 0; p < 256; ++p) {
      const auto [row, column] = place(c.left, p / 8, p % 8);
      in[p] *= std::ldexp(1.0f, static_cast<int>(7 * (c.left ? column : row)) - 60);
    }
    const Points out = products(in);
    const Matrix exact = expected(c, as_matrix(in.data(), c.left), -1);
    EXPECT_LT(error(c, as_matrix(&out[256 * b], false), exact), 8 * 0x1p-24) << b;
  }
}

// Lines whose second half counts backwards (see Layout), folded, times F, times w_16^(15 k / 2).
TEST_P(Products, OfFoldedPointsAndHalfTurnsAreTheDft) {
  const Points in = random_points(256, 19);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const int sign = static_cast<int>(direction);
    const Points out = products(in, direction, true);
    for (const std::size_t b : {0u, 1u}) {
      const Case& c = cases[b];
      const Matrix x = as_matrix(in.data(), c.left);
      Matrix y = as_matrix(&out[256 * b], false), exact(x.size());
      for (unsigned p = 0; p < side * side; ++p) {
        const unsigned k = c.left ? p / side : p % side, line = c.left ? p % side : p / side;
        y[p] *= std::polar(1.0, sign * std::numbers::pi * 15 * k / side);
        for (unsigned i = 0; i < side; ++i) {
          const unsigned v = i < 8 ? i : 23 - i;
          exact[p] += x[c.left ? side * i + line : side * line + i] *
                      std::polar(1.0, sign * 2 * std::numbers::pi * (k * v % side) / side);
        }
      }
      EXPECT_LT(error(c, y, exact), 8 * 0x1p-24) << (c.left ? "left" : "right");
    }
  }
}

bool finite(const std::complex<double>& z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

// One point of a group that shares MMAs with others: that group alone is lost, and all of it.
TEST_P(Products, WhatIsNotFiniteStaysInItsGroup) {
  const Points good = random_points(256, 17);
  const Points good_out = products(good);
  for (const float bad : {INFINITY, std::numeric_limits<float>::quiet_NaN()}) {
    Points in = good;
    in[83] = {1.0f, bad};
    const Points out = products(in);
    for (std::size_t b = 10; b < cases.size(); ++b) {
      const Case& c = cases[b];
      const auto [bad_row, bad_column] = place(c.left, 83 / 8, 83 % 8);
      const Matrix y = as_matrix(&out[256 * b], false),
                   before = as_matrix(&good_out[256 * b], false);
      for (unsigned p = 0; p < side * side; ++p) {
        const unsigned row = p / side, column = p % side;
        const bool hit = c.left ? row / c.radix == bad_row / c.radix && column == bad_column
                                : row == bad_row && column / c.radix == bad_column / c.radix;
        EXPECT_EQ(finite(y[p]), !hit) << b << ": " << row << ", " << column;
        if (!hit) {
          EXPECT_EQ(y[p], before[p]);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, Products, testing::Values(MmaForm::ptx, MmaForm::wmma),
                         [](const auto& tested) { return to_string(tested.param); });

}  // namespace
}  // namespace sonoma::test
