// A photograph as numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace examples {

/// Grey, rows from the top, 0 (black) to 1 (white).
struct Photo {
  std::size_t width = 0, height = 0;
  std::vector<float> grey;
};

/// The photograph of Grace Hopper (U.S. Navy, public domain) in Debian's and Ubuntu's
/// python-matplotlib-data.
inline constexpr const char* default_photo =
    "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg";

/// A JPEG file. Throws std::runtime_error naming the path, and the package where the default
/// photograph is missing.
[[nodiscard]] Photo read_photo(const std::string& path);

/// Of numbers as 8 bits store them: multiples of 1/255 from 0 to 1.
[[nodiscard]] std::vector<float> in_8_bits(std::vector<float> grey);

/// 10 log10(1 / mean square difference), in dB: the peak signal-to-noise ratio of numbers up to 1.
[[nodiscard]] double psnr(std::span<const float> a, std::span<const float> b);

}  // namespace examples
