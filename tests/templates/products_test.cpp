// Matrix x tile and tile x matrix, by both instructions, against a product in double: every element
// of every layout, the scales' way through it, and the containment of what is not finite. Matrices
// are DFTs but of radix 16: there the real matrix of the folded DFT, whose way to a DFT is tested
// too.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <regex>

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
  unsigned products = 3;
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
                                 {4, false, 1, 1, true},
                                 {16, true, 7, 31, false, 4},
                                 {16, false, 7, 31, false, 4},
                                 {8, true, 7, 31, false, 4},
                                 {8, false, 7, 31, false, 4},
                                 {4, true, 7, 31, false, 4},
                                 {16, true, 7, 31, false, 1},
                                 {16, false, 7, 31, false, 1},
                                 {8, true, 7, 31, false, 1},
                                 {8, false, 7, 31, false, 1},
                                 {2, true, 7, 31, false, 1},
                                 {4, false, 7, 31, false, 1}};

// Row and column of register r of a lane: the operand layout (left, before) or the accumulator's.
std::pair<unsigned, unsigned> place(bool operand, unsigned lane, unsigned r) {
  const unsigned g = lane / 4, t = lane % 4, i0 = r & 1, i1 = r >> 1 & 1, i2 = r >> 2;
  return operand ? std::pair(2 * t + i0 + 8 * i1, g + 8 * i2)
                 : std::pair(g + 8 * i1, 2 * t + i0 + 8 * i2);
}

std::string statements(const Case& c, const TableRange& table) {
  const std::string radix = std::to_string(c.radix), size = c.radix == 16 ? "16" : "8";
  const std::string products = std::to_string(c.products), from = c.left ? "left" : "right";
  const std::string type = c.products == 1 ? "HighTile" : c.radix <= 4 ? "SplitTile3" : "SplitTile";
  const std::string contained = c.contained ? "true" : "false";
  const std::string uniform = c.lane_mask == 31 ? "true" : "false";
  return "    const Matrix f = load_matrix(tables + " + std::to_string(table.offset) +
         ");\n    const Scales s = group_scales<" + std::to_string(c.register_mask) + ", " +
         std::to_string(c.lane_mask) + ", " + contained + ">(x);\n    const Product y = " + from +
         size + "<" + (c.radix == 16 ? "" : radix + ", ") + products + ">(f, split<" + contained +
         ", " + type + ">(x, s));\n    combine<From::" + from + ", " + products + ", " + contained +
         ", " + uniform + ">(x, y, s);\n";
}

std::string fold_statement(const Case& c) {
  return std::string("    fold<From::") + (c.left ? "left" : "right") + ">(x);\n";
}

/// The matrix of every radix and side, each from a kernel that has it.
struct Matrices {
  std::map<std::pair<unsigned, StepForm>, TableRange> ranges;
  std::vector<std::uint32_t> tables;
};

Matrices matrices_of(Direction direction) {
  Matrices all;
  FftProblem problem;
  problem.lengths = {4096};
  problem.direction = direction;
  for (const unsigned radix : {16u, 8u, 4u, 2u}) {
    Tuning tuning;
    tuning.radix = radix;
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

// As the generator does it before sm_80.
std::string products_by_m16n8k8() {
  static const std::regex missing("mma_m16n8k16\\(");
  return primitives({"fold.cuh", "split.cuh", "mma_m16n8k8.cuh"}) +
         std::regex_replace(primitive("mma_ptx.cuh"), missing, "two_mma_m16n8k8(");
}

CudaSource all_cases(unsigned depth, const Matrices& matrices, bool folded) {
  std::string body = "  Tile x;\n  for (int r = 0; r < 8; ++r) x.at[r] = in[8 * thread + r];\n";
  for (std::size_t b = 0; b < cases.size(); ++b) {
    const Case& c = cases[b];
    const auto form_of_case = c.left ? StepForm::left : StepForm::right;
    body += "  if (block_index() == " + std::to_string(b) + ") {\n" +
            (folded && c.radix == 16 ? fold_statement(c) : "") +
            statements(c, matrices.ranges.at({c.radix, form_of_case})) + "  }\n";
  }
  body += "  for (int r = 0; r < 8; ++r) out[256 * block_index() + 8 * thread + r] = x.at[r];\n";
  const std::string products =
      depth == 16 ? primitives({"fold.cuh", "split.cuh", "mma_ptx.cuh"}) : products_by_m16n8k8();
  return kernel(products, body);
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

// Of points times a power of two, to the bit: products and sums are those of two instructions.
TEST(Fold, UnderAScaleIsThatOfTheScaledPoints) {
  Points in = random_points(256, 25);
  for (unsigned p = 0; p < 256; ++p) in[p] *= std::ldexp(1.0f, static_cast<int>(p % 64) - 32);
  for (const char* form : {"left", "right"}) {
    for (const char* scale : {"0x1p20f", "0x1p-40f", "1.0f", "0x1p90f"}) {
      const std::string from = std::string("<From::") + form + ">(x";
      const std::string body =
          "  Tile x;\n  for (int r = 0; r < 8; ++r) x.at[r] = in[8 * thread + r];\n"
          "  if (block_index()) { scaled_fold" +
          from + ", " + scale +
          "); } else {\n    for (int r = 0; r < 8; ++r) x.at[r] = " + "make_float2(x.at[r].x * " +
          scale + ", x.at[r].y * " + scale + ");\n    fold" + from +
          ");\n  }\n  for (int r = 0; r < 8; ++r) out[256 * block_index() + 8 * thread + r] = "
          "x.at[r];\n";
      const Points out = run(kernel(primitives({"fold.cuh"}), body), in, 512, {}, 2);
      for (unsigned p = 0; p < 256; ++p) EXPECT_EQ(out[p], out[256 + p]) << form << scale << p;
    }
  }
}

class Products : public testing::TestWithParam<unsigned> {
 protected:
  Points products(const Points& in, Direction direction = Direction::forward,
                  bool folded = false) const {
    const Matrices matrices = matrices_of(direction);
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
      const double found = error(c, as_matrix(&out[256 * b], false), exact);
      EXPECT_LT(found, c.products == 1 ? 4 * 0x1p-11 : 8 * 0x1p-24)
          << "radix " << c.radix << (c.left ? " left" : " right") << " products " << c.products;
      if (c.products == 1) {
        EXPECT_GT(found, 0x1p-15) << "low halves are not left out";
      }
    }
  }
}

// lo x lo is some 2^-24 of the result: now and then it changes a last bit, and never more.
TEST_P(Products, TheFourthIsThere) {
  const Points out = products(random_points(256, 15));
  for (const auto& [three, four] : {std::pair(0u, 14u), {1u, 15u}, {2u, 16u}, {3u, 17u}}) {
    unsigned differing = 0;
    for (unsigned p = 0; p < 256; ++p) {
      const auto a = out[256 * three + p], b = out[256 * four + p];
      differing += a != b ? 1 : 0;
      EXPECT_LT(std::abs(a - b), 64 * 0x1p-24) << three << ", " << p;
    }
    EXPECT_GT(differing, 0u) << three;
  }
}

// What radix 16 gives back of truncation is less than half a unit of an exact product: row (column)
// 0 of F is cos 0 = 1 for the first eight points, of which one per line is not zero.
TEST_P(Products, ExactResultsStayAsTheyAre) {
  Points x = random_points(side, 21), in(256);
  for (auto& value : x) {
    const auto cut = [](float part) { return std::trunc(std::ldexp(part, 19)) * 0x1p-19f; };
    value = {cut(value.real()), 1.0f - 0x1p-22f};
  }
  for (const std::size_t b : {0u, 1u}) {
    const bool left = cases[b].left;
    for (unsigned p = 0; p < 256; ++p) {
      const auto [row, column] = place(left, p / 8, p % 8);
      const unsigned line = left ? column : row, v = left ? row : column;
      in[p] = v == line % 8 ? x[line] : 0.0f;
    }
    const Matrix y = as_matrix(&products(in)[256 * b], false);
    for (unsigned line = 0; line < side; ++line) {
      const auto found = std::complex<float>(y[left ? line : side * line]);
      EXPECT_EQ(found, x[line]) << (left ? "left " : "right ") << line;
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
      if (!c.contained) continue;
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

INSTANTIATE_TEST_SUITE_P(M16n8k, Products, testing::Values(8u, 16u),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace sonoma::test
