// The same transforms by FFTW in double.
#pragma once

#include <complex>
#include <span>

namespace examples {

/// Largest over the frames of |y - X|_2 / |X|_2 in units of u = 2^-24. X is FFTW's double precision
/// real transform of a frame: as many samples as `window` has, times it in FP32, `hop` further from
/// frame to frame. y is the row of `spectra` for it, of n / 2 + 1 points.
[[nodiscard]] double worst_error_in_u(std::span<const float> samples, std::span<const float> window,
                                      std::size_t hop,
                                      std::span<const std::complex<float>> spectra);

}  // namespace examples
