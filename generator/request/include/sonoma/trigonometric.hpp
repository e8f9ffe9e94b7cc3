// Cosine and sine transforms of real numbers, in FFTW's definitions, as DFTs between other ends.
//
// Of n numbers x[j] on either side, k = 0, ..., n - 1 (sums over all j = 0, ..., n - 1):
//
//   dct1  y[k] = x[0] + (-1)^k x[n-1] + 2 sum of x[j] cos(pi j k / (n - 1)), 0 < j < n - 1; REDFT00
//   dct2  y[k] = 2 sum of x[j] cos(pi (j + 1/2) k / n)                                      REDFT10
//   dct3  y[k] = x[0] + 2 sum of x[j] cos(pi j (k + 1/2) / n), j > 0                        REDFT01
//   dct4  y[k] = 2 sum of x[j] cos(pi (j + 1/2) (k + 1/2) / n)                              REDFT11
//   dst1  y[k] = 2 sum of x[j] sin(pi (j + 1) (k + 1) / (n + 1))                            RODFT00
//   dst2  y[k] = 2 sum of x[j] sin(pi (j + 1/2) (k + 1) / n)                                RODFT10
//   dst3  y[k] = (-1)^k x[n-1] + 2 sum of x[j] sin(pi (j + 1) (k + 1/2) / n), j < n - 1     RODFT01
//   dst4  y[k] = 2 sum of x[j] sin(pi (j + 1/2) (k + 1/2) / n)                              RODFT11
//
// Each is a DFT of dft_length() complex points: what its points are of the numbers, and the results
// of its frequencies, is a value of each side (Numbers), and happens as they are loaded and stored.
// (FFTW manual, "1d Real-even DFTs" and "1d Real-odd DFTs"; J. Makhoul, "A fast cosine transform in
// one and two dimensions", IEEE Trans. ASSP 28, 1980; S. C. Chan, K. L. Ho, "Fast algorithms for
// computing the discrete cosine transform", IEEE Trans. CAS II 39, 1992.)
#pragma once

#include <cstdint>
#include <string>

#include "sonoma/problem.hpp"

namespace sonoma {

/// dct1 to dst4.
[[nodiscard]] constexpr bool is_trigonometric(Domain domain) { return domain > Domain::c2r; }
[[nodiscard]] constexpr bool is_sine(Domain domain) { return domain >= Domain::dst1; }
/// 1 to 4.
[[nodiscard]] constexpr int type_of(Domain domain) {
  return (static_cast<int>(domain) - static_cast<int>(Domain::dct1)) % 4 + 1;
}
/// The transform back: type 3 of type 2 and the reverse, of the others themselves.
[[nodiscard]] Domain inverse_of(Domain domain);

/// Points of the DFT behind `n` numbers along an axis: type 1: the n numbers and their mirror
/// images; type 4 of an even number: half as many; all others: n.
[[nodiscard]] std::int64_t dft_length(Domain domain, std::int64_t n);

/// What a transform and the one back multiply n numbers by: 2 n, of type 1 2 (n - 1) of cosines and
/// 2 (n + 1) of sines; of those that are not trigonometric n.
[[nodiscard]] std::int64_t gain_of(Domain domain, std::int64_t n);

/// How n numbers x[i] of a side are the N points of the DFT.
enum class Numbers {
  /// Point t of the input is x[t] and, behind them, the mirror image; a result is the real part of
  /// frequency k. Of sines: x[t - 1], the mirror image with another sign, and the imaginary part of
  /// frequency k + 1 with another sign.
  extended,
  /// Point t is x[2 t], those behind the middle x[2 n - 1 - 2 t]: the even ones, then the odd ones
  /// backwards; of sines the odd ones with another sign. (Makhoul 1980, eq. 20)
  interleaved,
  /// With w = exp(-2 pi i / (4 n)): point k is w^k (x[k] + i x[n - k]), x[n] being 0; a result is
  /// 2 Re(w^k X[k]). Of sines in the reverse order. (Makhoul 1980, eq. 29)
  turned,
  /// With w = exp(-2 pi i / (8 n)): point j is w^(4 j + 1) (x[2 j] + i x[n - 1 - 2 j]); of c =
  /// w^(4 k) X[k] the results are y[2 k] = 2 Re c and y[n - 1 - 2 k] = -2 Im c. Of sines x[i] in
  /// the reverse order, and the odd results with another sign. For even n. (Chan and Ho 1992)
  paired,
  /// With a = 8 t + n^2 point t is x[(a - 1) / 2], of the odd numbers modulo 8 n with which a
  /// cosine stays or changes its sign, a, 4 n - a, ..., the one that is below 2 n. Frequency k is
  /// that b = k modulo n which is 1 modulo 8; the result 2 Re(exp(-pi i n / 4) X[k]). For odd n:
  /// a b = 8 t b + n^2 b, so that cos(2 pi a b / (8 n)) is the real part of a term of a DFT.
  scattered,
};
[[nodiscard]] Numbers numbers_of(Domain domain, std::int64_t n, bool input);

/// Frequencies of the DFT that results are made of, the first ones.
[[nodiscard]] std::int64_t frequencies_of(Domain domain, std::int64_t n);

/// Products with factors on the way of a point, beside those of the DFT.
[[nodiscard]] unsigned products_of(Domain domain, std::int64_t n);

/// Throws UnsupportedProblem for an inverse one, and for another domain that is `orthogonal`.
void validate_trigonometric(const FftProblem& problem);

[[nodiscard]] std::string to_string(Numbers numbers);

}  // namespace sonoma
