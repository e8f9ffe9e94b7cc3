#include "norm_bound.hpp"

#include <cmath>
#include <cstddef>

namespace sonoma {
namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix transposed(const Matrix& rows) {
  Matrix columns(rows.front().size(), std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j][i] = rows[i][j];
  }
  return columns;
}

// The products of the columns with each other. The inner loop is a vector's, and of butterflies
// half of the numbers are zero.
Matrix gram_of_columns(const Matrix& rows) {
  const std::size_t size = rows.front().size();
  Matrix product(size, std::vector<double>(size));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < size; ++i) {
      if (row[i] == 0) continue;
      for (std::size_t j = 0; j < size; ++j) product[i][j] += row[i] * row[j];
    }
  }
  return product;
}

// The products of the rows, or of the columns, with each other: the smaller one.
Matrix gram(const Matrix& rows) {
  return gram_of_columns(rows.size() <= rows.front().size() ? transposed(rows) : rows);
}

}  // namespace

// The trace of G^256, G being the matrix times its transpose, is the sum of the 512th powers of all
// singular values. Each power is divided by its trace, whose logarithm is kept.
double norm_bound(const std::vector<std::vector<double>>& rows) {
  if (rows.empty()) return 0;
  Matrix power = gram(rows);
  double logarithm = 0;
  constexpr int squarings = 8;
  for (int i = 0;; ++i) {
    double trace = 0;
    for (std::size_t k = 0; k < power.size(); ++k) trace += power[k][k];
    if (trace == 0) return 0;
    logarithm = 2 * logarithm + std::log(trace);
    if (i == squarings) return std::exp(logarithm / (2 << squarings));
    for (auto& row : power) {
      for (double& value : row) value /= trace;
    }
    power = gram(power);
  }
}

}  // namespace sonoma
