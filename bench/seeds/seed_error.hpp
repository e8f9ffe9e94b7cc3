// The error that the seeds print, and why it is read so.
//
// Seed 001 has it in section 6, equation (10):
//
//   Error = sum over k of abs(XF32(k) - XF(k)) / norm,  -norm <= X(k) <= norm      (11)
//
// over all N B points of a launch, XF32 being cuFFT's FP32 transform and XF the one that is judged.
// The printed figures cannot be such sums: they do not grow with B. They are means over the points.
// That those of three axes are divided by the batch once more shows in Table 9: from 32k to 2048k
// points the same 8 x 8 x 8 errs 1/8 as much whenever the batch is 8 times as large. abs() is |re|
// + |im|: seed 000, Table 1, where FP16 has nothing left of data in [-1e-9, 1e-9], prints 14.68 as
// the error, which is the mean of all of |re| + |im| at N = 256: 2 sqrt(N / 3) sqrt(2 / pi)
// = 14.74.
//
// Here XF32 is the transform in double precision: what is judged gets no credit for an error that
// cuFFT makes too.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "seed_row.hpp"

namespace sonoma::bench {

struct SeedError {
  /// Equation (10) as it is printed: the sum of moduli over norm.
  double sum = 0;
  /// As the figures are: the mean of |re| + |im| over norm, and over SeedRow::divisor().
  double error = 0;
  /// The same, where the terms are added in FP32 one after the other. The printed figures of the
  /// largest launches look so: 2^26 terms of 7.8e-7 do not get beyond 32, where half a unit in the
  /// last place is more than one of them.
  double error_f32 = 0;
  /// |y - X|_2 / |X|_2 of the worst transform.
  double rel_l2 = 0;

  bool operator==(const SeedError&) const = default;
};

/// Of each of `outputs`, all of the transforms of `input` by `row`'s lengths: whole transforms, not
/// necessarily `row.batch` of them. In double precision, by all threads of the machine. An output
/// that is not finite has infinite errors.
[[nodiscard]] std::vector<SeedError> seed_errors(
    const SeedRow& row, std::span<const std::complex<float>> input,
    const std::vector<std::vector<std::complex<float>>>& outputs);

}  // namespace sonoma::bench
