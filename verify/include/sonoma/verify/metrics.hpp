// Error of one transform, and how large it may be. Errors are counted in u.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {

/// Unit roundoff of FP32, 2^-24.
inline constexpr double kUnitRoundoff = 0x1p-24;

/// Errors e = y - X of one transform of length n, in u. Always of a single transform: pooled over a
/// batch, or relative to single elements, they would hide a bad transform or blame a good one.
///
/// What lies below FP32's smallest number is taken off first (see Floor), so that an output that
/// cannot be represented is not counted as an error.
struct Metrics {
  double e2 = 0;           ///< |e|_2 / |X|_2
  double einf = 0;         ///< max|e| / max|X|
  double adversarial = 0;  ///< max|e| / |x|_1: meaningful for any input, however it cancels
  double bias = 0;         ///< Re<e, X> / |X|_2^2, signed: truncation makes it negative
  bool finite = true;      ///< every component of y is finite; if not, the errors are infinite
};

/// x: input, y: output to judge, X: reference; all of one transform, equal sizes.
[[nodiscard]] Metrics measure(std::span<const Complex> x, std::span<const Complex> y,
                              std::span<const ComplexD> X, double scale);

// Limits in u. A floating-point FFT's relative L2 error grows as u*sqrt(log2 n) when roundings are
// independent (G. U. Ramos, "Roundoff error analysis of the fast Fourier transform", Math. Comp.
// 25, 1971) and at most as u*log2 n (W. M. Gentleman, G. Sande, "Fast Fourier transforms: for fun
// and profit", 1966; N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
// theorem 24.2). The constants are Sonoma's contract: cuFFT's FP32 measures 0.9 to 1.5 u*sqrt(log2
// n).

/// 1.5 sqrt(log2 n), on e2 of input without structure that aims at the arithmetic.
[[nodiscard]] double e2_limit(std::int64_t n);
/// 1.1 sqrt(log2 n): above it a result is worth a look, but no failure.
[[nodiscard]] double e2_alarm(std::int64_t n);
/// 3 sqrt(log2 n), on einf of the same input: the largest of n errors of that size.
[[nodiscard]] double einf_limit(std::int64_t n);
/// 2 log2 n, on max|e|/|x|_1 of any input at all: |X| <= |x|_1 bounds every intermediate value, and
/// each of log2 n levels commits at most a complex product and a sum.
[[nodiscard]] double adversarial_limit(std::int64_t n);

/// Absolute error that FP32 cannot avoid where numbers are subnormal, q = 2^-149 being its quantum.
///
/// At each of log2 n levels an element is multiplied at most once by a twiddle: two roundings of at
/// most q/2 in each component, sqrt(2) q together (sums of subnormals are exact). An error made
/// with m levels still to go grows by 2^(m/2) in the 2-norm and by 2^m in the largest element; with
/// the last rounding, of at most q/2 in each component:
///   l2  = q (s sqrt(2 n) (sqrt(n) - 1) / (sqrt(2) - 1) + sqrt(n / 2))
///   max = q (s sqrt(2) (n - 1) + 1 / sqrt(2)),            s = max(1, |scale|)
/// It is worth u only where |X|_2 is below about 2^-122 n. Zero for a transform of zeros.
struct Floor {
  double l2 = 0;
  double max = 0;
};
[[nodiscard]] Floor subnormal_floor(std::int64_t n, double scale);

}  // namespace sonoma::verification
