// What one operation adds to the error of a transform.
#pragma once

#include <cmath>

namespace sonoma {

/// FP32's unit roundoff. Errors below are in u, relative to the 2-norm of the points at that place.
constexpr double u = 0x1p-24;

/// Mean square of a rounding to nearest, relative to the number and in units of its largest value:
/// the error is uniform within half a unit in the last place, whose square is on average 1 / (2 ln
/// 2) (1 - 1/4) of that of the number, for mantissas as they are where magnitudes are spread (R. W.
/// Hamming, "On the distribution of numbers", 1970).
constexpr double mean_inverse_square = 0.75 / (2 * 0.6931471805599453);
constexpr double rounding_square = mean_inverse_square / 3;

/// Mean square of the error of a root of unity whose parts were rounded: uniform within half a unit
/// in the last place, over all angles. (|part| >= 1/2 on 2/3 of the circle.)
constexpr double root_square = 2 * (0.6667 + 0.1725 / 4 + 0.0803 / 16 + 0.0805 / 64) / 12;
/// And the largest: both parts at least 1/2.
constexpr double root_worst = 0.70711;

struct ErrorShare {
  double worst = 0;        ///< no input makes a larger one
  double mean_square = 0;  ///< of random input, about its mean
  double bias = 0;         ///< its mean along the points, where it has one

  ErrorShare& operator+=(const ErrorShare& other) {
    worst += other.worst, mean_square += other.mean_square, bias += other.bias;
    return *this;
  }
};

/// Of roundings to FP16, of 2^-11, in place of FP32.
constexpr double fp16_in_u = 0x1p-11 / u;
[[nodiscard]] constexpr ErrorShare in_fp16(const ErrorShare& share) {
  return {fp16_in_u * share.worst, fp16_in_u * fp16_in_u * share.mean_square,
          fp16_in_u * share.bias};
}

/// `count` complex numbers rounded for each point.
[[nodiscard]] constexpr ErrorShare roundings(double worst, double count) {
  return {worst, count * rounding_square, 0};
}
/// A complex sum.
constexpr ErrorShare sum_share = roundings(1, 1);

/// Of a butterfly in FP64: its results are rounded to FP32. What it rounds before is 2^-29 of what
/// one in FP32 does, of any radix less than 32 u.
constexpr ErrorShare fp64_butterfly_share = roundings(1 + 0x1p-23, 1);

/// e + w o and e - w o as joined_rotated() of packed.cuh, of points that are as large as each
/// other: the first sum is at most sqrt(2) of the results' norm, on average 3/4 of its square; then
/// the result; half of the points have a factor.
constexpr ErrorShare joined_share = {1.41422 + 1 + root_worst,
                                     1.75 * rounding_square + root_square / 2, 0};

/// A product with a factor of magnitude 1, as complex_product(): the second product is rounded,
/// then each sum. Worst: 2 (C.-P. Jeannerod, P. Kornerup, N. Louvet, J.-M. Muller, "Error bounds on
/// complex floating-point multiplication with an FMA", 2017).
constexpr ErrorShare product_share = roundings(2, 1.5);
/// The same with a root of a table.
constexpr ErrorShare root_product_share = {2 + root_worst, 1.5 * rounding_square + root_square, 0};

}  // namespace sonoma
