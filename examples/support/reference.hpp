// The same transforms by FFTW in double.
#pragma once

#include <complex>
#include <span>

namespace examples {

/// Largest over the rows of |y - X|_2 / |X|_2 in units of u = 2^-24, where X is FFTW's double
/// precision forward transform of the row of `in` and y the row of `out`. Rows have n elements.
[[nodiscard]] double worst_error_in_u(std::span<const std::complex<float>> in,
                                      std::span<const std::complex<float>> out, std::size_t n);

}  // namespace examples
