// Recorded sound, and its windowed frames.
#pragma once

#include <complex>
#include <string>
#include <vector>

namespace examples {

struct Sound {
  int sample_rate = 0;         ///< Hz
  std::vector<float> samples;  ///< first channel, full scale = 1
};

/// Throws std::runtime_error naming the path, and the package where Debian's recording is missing.
[[nodiscard]] Sound read_sound(const std::string& path);

/// The recording of Debian's alsa-utils that the demo transforms.
inline constexpr const char* default_sound = "/usr/share/sounds/alsa/Front_Center.wav";

/// Frames of `length` samples, `hop` apart, each times a Hann window: rows of a batch. The last
/// frame is padded with zeros.
[[nodiscard]] std::vector<std::complex<float>> windowed_frames(const Sound& sound,
                                                               std::size_t length, std::size_t hop);

}  // namespace examples
