// The numbers of Bluestein's algorithm: see docs/convolutions.md.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace sonoma {

/// w(t) = exp(sign pi i t^2 / n) of all t < n, each part correctly rounded to FP32 (as
/// root_of_unity).
[[nodiscard]] std::vector<std::complex<float>> chirp(std::int64_t n, int sign);

/// B(k) / m, B(k) = sum of conj w(t) exp(sign 2 pi i t k / m) over -n < t < n; m smooth, at least
/// 2n - 1. Computed in double: each entry within 2^-45 of the largest.
[[nodiscard]] std::vector<std::complex<double>> chirp_spectrum(std::int64_t n, std::int64_t m,
                                                               int sign);

/// How much a convolution with the chirp may enlarge the relative error, in the 2-norm, of its two
/// transforms over m points: the 2-norm of the way from all frequencies to the n points that count,
/// or, the same, from those to all frequencies, over sqrt(n): from above, of n up to 512 to half a
/// percent. At most the largest |B(k)| / sqrt(n).
/// Of n beyond `largest_gain_computed` `largest_gain`: by stationary phase B(k) is two
/// incomplete Fresnel integrals, each at most 1.17 sqrt(n), and a rest that does not grow with n.
constexpr std::int64_t largest_gain_computed = 16384;
constexpr double largest_gain = 2.5;
[[nodiscard]] double chirp_gain(std::int64_t n, std::int64_t m);

}  // namespace sonoma
