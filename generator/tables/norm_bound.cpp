#include "norm_bound.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace sonoma {
namespace {

using Matrix = std::vector<std::vector<double>>;

// The products of the rows, or of the columns, with each other: the smaller one.
Matrix gram(const Matrix& rows) {
  const bool by_rows = rows.size() <= rows.front().size();
  const std::size_t size = by_rows ? rows.size() : rows.front().size();
  Matrix product(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      if (by_rows) {
        sum = std::inner_product(rows[i].begin(), rows[i].end(), rows[j].begin(), 0.0);
      } else {
        for (const auto& row : rows) sum += row[i] * row[j];
      }
      product[i][j] = product[j][i] = sum;
    }
  }
  return product;
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
