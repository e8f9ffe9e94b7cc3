#include "product_error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "matrices.hpp"
#include "norm_bound.hpp"
#include "scaling.hpp"
#include "sonoma/decomposition.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

constexpr double half_u = 0x1p-11;  // FP16 unit roundoff

// What FP16 hi + lo leave of the matrix, and lo alone: at most, of random input, and the part along
// the matrix. Over the norm of the matrix.
struct MatrixErrors {
  double worst = 0, rms = 0, along = 0;
};
struct SplitMatrix {
  MatrixErrors left, lo;
};

MatrixErrors errors_of(const std::vector<std::vector<double>>& rows,
                       const std::vector<std::vector<double>>& matrix, double norm) {
  double sum = 0, along = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows.size(); ++column) {
      sum += rows[row][column] * rows[row][column];
      along += rows[row][column] * matrix[row][column];
    }
  }
  const double square = static_cast<double>(rows.size()) * norm * norm;
  return {norm_bound(rows) / norm, std::sqrt(sum / square), along / square};
}

// By row and column the angle, in half steps, of a cosine: of a sine a quarter turn more. Radix 16:
// 8 cosines and 8 sines, folded.
double element(unsigned radix, unsigned row, unsigned column) {
  const bool folded = takes_sixteen(radix);
  const unsigned points = folded ? radix / 2 : radix, rows = folded ? radix : points;
  const unsigned k = row % rows, t = column % points;
  const double half_steps = k * (2.0 * t - (folded ? twice_centre : 0));
  const unsigned quarters = column / points + 3 * (row / rows);
  return std::cos(std::numbers::pi * (half_steps / radix + 0.5 * quarters));
}

// The low half of radix 16 has what is given back on top, see matrices.hpp.
SplitMatrix split_matrix(unsigned radix) {
  const bool folded = takes_sixteen(radix);
  const unsigned size = folded ? radix : 2 * radix;
  constexpr double scale = 1 << matrix_exponent;
  std::vector<std::vector<double>> matrix(size), left(size), lows(size);
  for (unsigned row = 0; row < size; ++row) {
    for (unsigned column = 0; column < size; ++column) {
      const double exact = scale * element(radix, row, column);
      const double wanted = folded ? exact * (1 + given_back) : exact;
      const double hi = from_half(to_half(exact)), lo = from_half(to_half(wanted - hi));
      matrix[row].push_back(exact);
      left[row].push_back(hi + lo - wanted), lows[row].push_back(lo);
    }
  }
  const double norm = scale * std::sqrt(size / 2);
  return {errors_of(left, matrix, norm), errors_of(lows, matrix, norm)};
}

// Products in a sum that are not zero.
unsigned terms_of(unsigned radix) { return radix <= 4 ? radix : 16; }

// An MMA aligns its products and the accumulator to the largest exponent and truncates each below
// 2^-25 of that power of two (Hopper); then the sum to FP32, by less than 2u of it. The largest
// product is not truncated, and not less than that power: a row's error is at most (terms - 1) u/2
// of its largest product, and the squares of those of all rows sum up to at most |F|^2 |x|^2 / 2.
//
// Others truncate below 2^-24, eight products at a time (before sm_80 in two instructions): the
// second half with the first one's sum, which its largest product may not exceed.
double truncation_bound(unsigned radix, const Target& target) {
  const double terms = terms_of(radix);
  if (target.arch == 90) return (terms - 1) / 2 + 2;
  const double eight = std::min(terms, 8.0);
  return (eight - 1) + 2 + std::numbers::sqrt2 * eight + 2;
}

double in_u(double relative) { return relative / u; }
double square(double value) { return value * value; }

}  // namespace

ErrorShare storage_share(double unit_roundoff) {
  const double units = in_u(unit_roundoff);
  return {units, square(units) * rounding_square, 0};
}

// hi leaves at most 2^12 units of the 24th bit, lo of these at most one: where they are more than
// 2^11 and odd, which a quarter of all numbers is. Low halves that are subnormal in FP16 are off by
// 2^-25.
ErrorShare split_share(unsigned parts, std::int64_t points, int target) {
  if (parts == 1) return storage_share(half_u);
  const double count = points == 0 ? 32 : 2.0 * static_cast<double>(points);
  const double subnormal = in_u(0x1p-25 * std::sqrt(count) / std::ldexp(1, target - 1));
  if (parts == 3) return {subnormal, 0, 0};
  return {2 + subnormal, mean_inverse_square, 0};
}

Truncation truncation_of(unsigned radix) {
  if (takes_sixteen(radix)) return {-0.533, 0.228};
  if (radix == 8) return {-0.115, 0.089};
  return {0, 0};
}

ErrorShare mma_share(unsigned radix, unsigned products, const Target& target) {
  const SplitMatrix matrix = split_matrix(radix);
  const Truncation truncation = truncation_of(radix);
  const double given = takes_sixteen(radix) ? in_u(given_back) : 0;
  ErrorShare share = {truncation_bound(radix, target) - given, truncation.mean_square,
                      truncation.bias};
  share.worst += in_u(matrix.left.worst);
  share.mean_square += square(in_u(matrix.left.rms));
  if (products == 1) {
    share.worst += in_u(matrix.lo.worst), share.bias -= in_u(matrix.lo.along);
    share.mean_square += square(in_u(matrix.lo.rms)) - square(in_u(matrix.lo.along));
    return share;
  }
  share.bias += given;
  // Corrections are 2^-11 of the main product, and truncated like it.
  share.worst += 4 * half_u * truncation_bound(16, target);
  if (products == 4 || is_exact_matrix(radix)) return share;
  share.worst += in_u(matrix.lo.worst * half_u);
  share.mean_square += square(in_u(matrix.lo.rms * half_u)) * rounding_square;
  return share;
}

ErrorShare word_product_share(const Target& target) { return mma_share(16, 1, target); }

}  // namespace sonoma
