// The short-time transform of a recording: overlapping frames of it, each times a window.
#pragma once

#include <complex>
#include <vector>

#include "sonoma/plan.hpp"
#include "support/picture.hpp"

namespace examples {

/// Real transforms of frames of `length` samples that begin `hop` samples after each other, as they
/// lie in the recording. What the kernel loads it multiplies by the window, the caller's pointer.
[[nodiscard]] sonoma::FftProblem short_time_problem(std::size_t length, std::size_t hop,
                                                    std::size_t frames);

/// Rows of n / 2 + 1 points, one for each frame.
[[nodiscard]] std::vector<std::complex<float>> execute(const sonoma::Plan& plan,
                                                       const std::vector<float>& samples,
                                                       const std::vector<float>& window);

/// The edges of the spectrogram: in the middle of a frame is what it stands for, half a hop to
/// either side.
[[nodiscard]] Times times_of(std::size_t frames, std::size_t length, std::size_t hop,
                             double sample_rate);

}  // namespace examples
