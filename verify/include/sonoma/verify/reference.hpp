// The oracle: transforms of float input in double precision, by FFTW; or in long double, by FFTW or
// by MPFR.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma::verification {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;
using ComplexL = std::complex<long double>;

/// Who says what is right: FFTW in double precision, in long double, or MPFR with 256 bits, from
/// the definitions. The latter takes n times the sum of n's prime factors products of each row (of
/// cosine and sine transforms n^2), so it is for small n.
enum class Oracle { fftw, fftw_long, mpfr };
/// fftw, fftw-long, mpfr
[[nodiscard]] std::string to_string(Oracle oracle);
[[nodiscard]] std::optional<Oracle> parse_oracle(std::string_view word);
/// Throws std::invalid_argument where the problem is too long for the oracle: 2^24 products of
/// MPFR.
void require_in_reach(Oracle oracle, const FftProblem& problem);

/// A batch of transforms of one fixed length: in, out are `batch` rows, contiguous, 16-byte
/// aligned, disjoint. It may be called with any batch >= 1. Of a convolution that sums channels a
/// row of `in` is its signals, one after the other.
using TransformFn = std::function<void(const Complex* in, Complex* out, std::int64_t batch)>;

/// The same as a plan sees it: bytes that pack() of sonoma/storage.hpp gives.
using PackedTransformFn =
    std::function<void(const std::byte* in, std::byte* out, std::int64_t batch)>;

/// Converts at both edges of a transform of length n, to and from these storages. `out` holds what
/// the caller's `out` does when `transform` is called, so that a missing store can be seen. Rows of
/// the input have `channels` times n points.
[[nodiscard]] TransformFn unpacked(Storage in_storage, Storage out_storage, std::int64_t n,
                                   const PackedTransformFn& transform, std::int64_t channels = 1);

/// X[b, k] = float(scale) * sum_t x[b, t] exp(sign * 2 pi i k t / n) for any n >= 1.
/// Its own error, some 2^-53 * sqrt(log2 n) relative to |X|_2, is 2^-29 of what it judges.
/// The factor is rounded to float first: that is what an FftProblem asks for.
/// x.size() is a multiple of n. Safe to call from many threads. Throws std::invalid_argument.
[[nodiscard]] std::vector<ComplexD> reference_dft(const std::vector<Complex>& x, std::int64_t n,
                                                  Direction direction, double scale = 1.0);
/// The same over several axes, the slowest first.
[[nodiscard]] std::vector<ComplexD> reference_dft(const std::vector<Complex>& x,
                                                  const std::vector<std::int64_t>& lengths,
                                                  Direction direction, double scale = 1.0);

/// What `problem`, without ends, makes of rows of its points: reference_dft(), or, of real numbers,
/// FFTW's cosine and sine transforms. The batch does not matter.
[[nodiscard]] std::vector<ComplexD> reference(const std::vector<Complex>& x,
                                              const FftProblem& problem,
                                              Oracle oracle = Oracle::fftw);
/// The same with the bits of long double, of fftw_long or mpfr. Of fftw_long some 2^-64 sqrt(log2
/// n) are wrong, of mpfr all that is wrong is a rounding along each axis, and one of the scale.
[[nodiscard]] std::vector<ComplexL> reference_in_long_double(const std::vector<Complex>& x,
                                                             const FftProblem& problem,
                                                             Oracle oracle);

/// exp(sign * 2 pi i k / n), each component within 2^-63, from long double after reduction to an
/// octant; rounding it to float or double gives the correctly rounded twiddle.
[[nodiscard]] std::complex<long double> root_of_unity(std::int64_t n, std::int64_t k,
                                                      Direction direction);

/// The correctly rounded FP32 twiddle.
[[nodiscard]] Complex rounded_root_of_unity(std::int64_t n, std::int64_t k, Direction direction);

}  // namespace sonoma::verification
