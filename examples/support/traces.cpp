#include "support/traces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace examples {
namespace {

using Colour = std::array<std::uint8_t, 3>;

constexpr Colour ground{0, 0, 6}, line{251, 179, 45}, axis{110, 100, 120};
constexpr std::size_t tick_height = 8;

void put(Picture& picture, std::size_t x, std::size_t y, const Colour& colour) {
  std::copy(colour.begin(), colour.end(),
            picture.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (y * picture.width + x)));
}

// From the smallest to the largest of the samples that share a column.
void draw_signal(Picture& picture, std::span<const float> signal, std::size_t top,
                 std::size_t height) {
  float largest = 1e-30f;
  for (const float value : signal) largest = std::max(largest, std::abs(value));
  const auto row = [&](float value) {
    const double up = (1 - static_cast<double>(value / largest)) / 2;
    return top + static_cast<std::size_t>(up * static_cast<double>(height - 1));
  };
  for (std::size_t x = 0; x < picture.width; ++x) {
    const std::size_t first = x * signal.size() / picture.width;
    const std::size_t last = std::max(first + 1, (x + 1) * signal.size() / picture.width);
    const auto [low, high] =
        std::minmax_element(signal.begin() + static_cast<std::ptrdiff_t>(first),
                            signal.begin() + static_cast<std::ptrdiff_t>(last));
    for (std::size_t y = row(*high); y <= row(*low); ++y) put(picture, x, y, line);
  }
}

void draw_time(Picture& picture, double seconds, double tick, std::size_t top) {
  for (std::size_t x = 0; x < picture.width; ++x) put(picture, x, top, axis);
  for (double at = 0; at < seconds; at += tick) {
    const auto x = static_cast<std::size_t>(at / seconds * static_cast<double>(picture.width));
    for (std::size_t y = top; y < top + tick_height; ++y) put(picture, x, y, axis);
  }
}

}  // namespace

Picture draw_traces(std::span<const std::vector<float>> signals, const TraceAxes& axes) {
  Picture picture{axes.width, signals.size() * axes.band, {}};
  for (std::size_t i = 0; i < picture.width * picture.height; ++i) {
    picture.rgb.insert(picture.rgb.end(), ground.begin(), ground.end());
  }
  for (std::size_t s = 0; s < signals.size(); ++s) {
    const std::size_t height = axes.band - tick_height;
    draw_signal(picture, signals[s], s * axes.band, height);
    draw_time(picture, static_cast<double>(signals[s].size()) / axes.sample_rate, axes.tick,
              s * axes.band + height);
  }
  return picture;
}

}  // namespace examples
