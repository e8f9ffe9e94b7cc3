// Recorded sound, its frames, and a window.
#pragma once

#include <cstddef>
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

/// Frames of `length` samples, `hop` apart, that take in all of so many samples.
[[nodiscard]] std::size_t frames_of(std::size_t samples, std::size_t length, std::size_t hop);

/// With zeros behind, to the end of the last frame.
[[nodiscard]] std::vector<float> padded(std::vector<float> samples, std::size_t length,
                                        std::size_t hop);

[[nodiscard]] std::vector<float> hann_window(std::size_t length);

}  // namespace examples
