// Convolution and correlation with a filter whose spectrum is given when a plan is executed.
//
// y = scale * F^-1 (S F x), F the DFT of n points, F^-1 its inverse without the factor 1 / n:
//
//   y[t] = scale * sum over k of S[k] X[k] exp(2 pi i k t / n),
//
// which with S = F h and scale = 1 / n is the circular convolution with the filter h,
// y[t] = sum over s of h[s] x[(t - s) mod n]; with conj(S) in the place of S the circular
// correlation, y[t] = sum over s of conj(h[s]) x[(t + s) mod n]. (T. G. Stockham, "High-speed
// convolution and correlation", Spring Joint Computer Conference, 1966.)
//
// Linear convolution of L points with a filter of T taps: n >= L + T - 1, Ends::in_length = L (what
// is missing reads as zero), Ends::out_length = as many results as are wanted. Another first
// result, c instead of 0: a filter rotated by c, h'[s] = h[(s + c) mod n]. So frames of n points
// that overlap by T - 1 (DataLayout::in_dist = n - T + 1), a filter rotated by T - 1 and
// out_length = out_dist = n - T + 1 filter a long signal in one launch ("overlap-save").
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

struct FftProblem;
struct Loop;

/// Signals that a result sums: y = scale * F^-1 (sum over c of S[c] F x[c]), as a layer of a
/// convolutional network does. Several results of the same channels are a loop that reads them at
/// distance 0, with spectra of its own.
struct Channels {
  std::int64_t count = 1;  ///< signals that a result sums
  /// From one channel's signal to the next, in points of the input. 0: they follow each other, as
  /// far apart as the first axis reaches.
  std::int64_t in_dist = 0;
  /// From one channel's spectrum to the next, in points. 0: all have the same.
  std::int64_t spectrum_dist = 0;

  auto operator<=>(const Channels&) const = default;
};

/// Makes of a transform a convolution, over one axis or several: t, s and k stand for an index
/// along each, n for the product of their lengths. Each length is a product of primes up to 61;
/// direction forward, domain c2c, order natural.
struct Convolution {
  /// Signals and results are real numbers, and so is the filter: of its spectrum memory has the
  /// n / 2 + 1 points of a Hermitian side (along the last axis), as an r2c transform leaves them;
  /// the imaginary parts of S[0] and, n being even, S[n / 2] are ignored, of several axes of
  /// S[k, 0] and S[k, n / 2] what is not the mean of S[k, .] and conj(S[-k, .]). False: all are
  /// complex, and S has n points.
  bool real = false;
  bool correlate = false;  ///< with the conjugate spectrum
  /// From the spectrum for one of the batch to that for the next, in points. 0: all have the same.
  std::int64_t spectrum_dist = 0;
  /// The same for each of DataLayout::loops. Empty: they do not matter. Every signal with every one
  /// of f filters: a loop {f, 0, n}, of which all read the same signal, and spectrum_strides {n}.
  std::vector<std::int64_t> spectrum_strides = {};
  /// From one frequency (of the last axis) to the next. The axes before it follow in C order.
  std::int64_t spectrum_stride = 1;
  /// Out of place, and without load_code, which could not tell them apart, more than one.
  Channels channels = {};

  auto operator<=>(const Convolution&) const = default;
};

/// A loop over filters, all of which meet the same signals: it reads them at distance 0.
[[nodiscard]] bool is_of_filters(const FftProblem& problem, const Loop& loop);
/// There are not as many signals as results: their frequencies do not lie in each other's place.
[[nodiscard]] bool keeps_signals_apart(const FftProblem& problem);

/// Points of a spectrum in memory.
[[nodiscard]] std::int64_t spectrum_length(const FftProblem& problem);
/// From one to the next along each axis.
[[nodiscard]] std::vector<std::int64_t> spectrum_axes(const FftProblem& problem);
/// From the first point of all spectra of a convolution to behind the last one.
[[nodiscard]] std::int64_t spectrum_points(const FftProblem& problem);

/// The transform that makes the spectrum from a filter of so many `taps` along each axis, FP32: out
/// of place, c2c or r2c, for as many filters as the batch of `problem`, with its loops and
/// channels, has spectra, one after the other.
[[nodiscard]] FftProblem spectrum_problem(const FftProblem& problem,
                                          const std::vector<std::int64_t>& taps);
/// The same of one axis.
[[nodiscard]] FftProblem spectrum_problem(const FftProblem& problem, std::int64_t taps);

/// Throws UnsupportedProblem where the problem is no convolution that there is.
void validate_convolution(const FftProblem& problem);

/// " convolution real", or nothing.
[[nodiscard]] std::string describe_convolution(const FftProblem& problem);

}  // namespace sonoma
