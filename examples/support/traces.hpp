// Signals over time as a picture.
#pragma once

#include <span>
#include <vector>

#include "support/picture.hpp"

namespace examples {

struct TraceAxes {
  double sample_rate = 48000;  ///< Hz
  double tick = 0.1;           ///< seconds between the marks of the time axis
  std::size_t width = 1200, band = 220;
};

/// Signals of one length, one below the other, each in a band of its own around its zero line and
/// scaled to its largest magnitude; time to the right, with marks below each.
[[nodiscard]] Picture draw_traces(std::span<const std::vector<float>> signals,
                                  const TraceAxes& axes);

}  // namespace examples
