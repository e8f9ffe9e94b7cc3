// Error of one transform, and how large it may be. Errors are counted in u, whatever the storage.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>

#include "sonoma/roundings.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {

/// Unit roundoff of FP32, 2^-24.
inline constexpr double kUnitRoundoff = 0x1p-24;

/// What rounding to the storage does not explain of y being returned for X: the signed distance
/// from X to the nearest real number that rounds to y, 0 if X does itself. Infinity and the largest
/// finite number have their shares of the real line too (f16: both end at 65520), so that a value
/// that is saturated, or becomes infinite too early, shows how far it lies from there. Infinite for
/// NaN and for what the storage does not hold. f32: y - X.
[[nodiscard]] double error_beyond_rounding(Storage storage, float y, double X);
/// Of both components.
[[nodiscard]] ComplexD error_beyond_rounding(Storage storage, Complex y, ComplexD X);

/// Errors of one transform of length n, in u. Always of a single transform: pooled over a batch, or
/// relative to single elements, they would hide a bad transform or blame a good one.
///
/// d = error_beyond_rounding(y, X) leaves what the arithmetic did: 16-bit storage hides errors that
/// are small beside its spacing in most elements, but shows them at full size in the few where X
/// lies near the middle of two neighbours. For f32 d = y - X.
///
/// What lies below FP32's smallest number is taken off d first (see Floor), so that a value that
/// cannot be represented is not counted as an error.
struct Metrics {
  double e2 = 0;           ///< |d|_2 / |X|_2
  double einf = 0;         ///< max|d| / max|X|
  double adversarial = 0;  ///< max|d| / |x|_1: meaningful for any input, however it cancels
  double bias = 0;         ///< Re<d, X> / |X|_2^2, signed: truncation makes it negative
  double stored_e2 = 0;    ///< |y - X|_2 / |X|_2, an infinity for X beyond the range being right
  bool finite = true;      ///< no NaN, in f32 no infinity either; if not, the errors are infinite
};

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

/// x: input, y: output to judge, X: reference; all of one transform, equal sizes, or x the signals
/// of several channels. lowest: by default subnormal_floor(n, scale).
[[nodiscard]] Metrics measure(std::span<const Complex> x, std::span<const Complex> y,
                              std::span<const ComplexD> X, double scale,
                              Storage storage = Storage::f32, std::optional<Floor> lowest = {});

// Limits in u. A floating-point FFT's relative L2 error grows as u*sqrt(log2 n) when roundings are
// independent (G. U. Ramos, "Roundoff error analysis of the fast Fourier transform", Math. Comp.
// 25, 1971) and at most as u*log2 n (W. M. Gentleman, G. Sande, "Fast Fourier transforms: for fun
// and profit", 1966; N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
// theorem 24.2). The constants are Sonoma's contract: cuFFT's FP32 measures 0.9 to 1.5 u*sqrt(log2
// n).

/// 1.5 sqrt(log2 n), on e2 of an FP32 transform.
[[nodiscard]] double e2_limit(std::int64_t n);

/// How often |x|_1 a result may be, but for the scale: 1, of cosine and sine transforms 2 along
/// each axis.
[[nodiscard]] double largest_factor(const FftProblem& problem);

/// The limits of one kernel. Those of an FP32 transform (arithmetic split3, split4 or simt) are
/// those of any structure: 1.5 sqrt(log2 n), 3 sqrt(log2 n), 2 log2 n. The arithmetic `half` rounds
/// data and, from radix 8 on, matrix to FP16 in every step on tensor cores, with relative errors of
/// at most v = 2^-11; points between passes as c12e8 are off by at most sqrt(2) v, at each
/// boundary.
struct Limits {
  /// stored_e2, independent roundings: error_limit(problem, roundings).
  double stored_e2 = 0;
  /// e2, independent roundings: error_limit_unrounded(problem, roundings).
  double e2 = 0;
  /// einf, independent roundings: twice that of e2, for the largest of n errors of its size.
  double einf = 0;
  /// e2 where roundings may all go one way: FP32's, and for each such step v for the data and
  /// v/3 for the matrix (the 2-norm of what rounding leaves of the matrix, over its own, is 0.22 v
  /// for radix 8 and 0.31 v for radix 16). Every step is a multiple of a unitary map, through which
  /// relative errors pass unchanged (Higham, section 24.1).
  double structured_e2 = 0;
  /// adversarial, on any input at all: |X| <= |x|_1 bounds every intermediate value, and each of
  /// log2 n levels commits at most a complex product and a sum, 2u; a rounding of data or matrix in
  /// `half` commits at most v. |X| may be largest_factor() times as large. Levels that FP64 spares
  /// are not taken off: a step commits more than one level, where its factors count.
  double adversarial = 0;
};
[[nodiscard]] Limits limits_of(const FftProblem& problem, const Roundings& roundings);

/// A result above this share of its limit is worth a look, but no failure.
inline constexpr double kAlarm = 1.1 / 1.5;

/// That of a transform. By Bluestein's algorithm, as a convolution over `padded` points (0: not
/// so): the same for each of its two transforms, over m points, the first one's times max|B| /
/// sqrt(m) <= 2.5 sqrt(n / m); and for the products with the chirp, sqrt(2) q in each of n points,
/// before the first transform times sqrt(n), and with the spectrum, of m points, times sqrt(m).
/// (|B| <= 2.5 sqrt(n), B being the spectrum of the chirp: the sum of two Fresnel integrals, each
/// at most 1.17 sqrt(n).) `quantum`: q of another format than FP32.
[[nodiscard]] Floor subnormal_floor(std::int64_t n, double scale, std::int64_t padded = 0,
                                    double quantum = 0x1p-149);
/// The same of a kernel, and of points between its passes as c12e8, which are multiples of q =
/// 2^-136: each is off by at most sqrt(1/2) q, and passes of L points that follow let that grow by
/// sqrt(L) in the 2-norm and by L in the largest element.
[[nodiscard]] Floor floor_of(const FftProblem& problem, const Roundings& roundings);

}  // namespace sonoma::verification
