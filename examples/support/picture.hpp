// Spectra as a picture.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace examples {

/// Rows from the top, RGB.
struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

struct SpectrogramAxes {
  double sample_rate = 48000;   ///< Hz
  double top_frequency = 8000;  ///< Hz, upper edge
  double range_db = 75;         ///< below the loudest point
  std::size_t width = 900, height = 480;
};

/// Time to the right, frequency upwards on the mel scale (low frequencies get the room the ear
/// gives them), level in dB from black to pale yellow. `spectra`: rows of n / 2 + 1 bins each, of n
/// samples.
[[nodiscard]] Picture draw_spectrogram(std::span<const std::complex<float>> spectra, std::size_t n,
                                       const SpectrogramAxes& axes);

/// What the edges of a spectrogram stand for, in seconds.
struct Times {
  double left = 0, right = 1;
};
/// `spectrogram` with a scale below, in seconds, and one to its left, in kHz.
[[nodiscard]] Picture with_scales(const Picture& spectrogram, const SpectrogramAxes& axes,
                                  const Times& times);

/// n x n values in the unit square, the first index upwards, the second one to the right, zero on
/// its boundary, where its scales are; from black, 0, to pale yellow, the largest value, as the bar
/// beside them says.
[[nodiscard]] Picture draw_square(std::span<const float> values, std::size_t n);

/// Throws std::runtime_error naming the path.
void write_png(const std::string& path, const Picture& picture);

}  // namespace examples
