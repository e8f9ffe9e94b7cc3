// Photographs side by side, with axes.
#pragma once

#include <vector>

#include "support/photo.hpp"
#include "support/picture.hpp"

namespace examples {

/// Part of a photograph, in pixels from its upper left corner.
struct Part {
  std::size_t x = 0, y = 0, width = 0, height = 0;
};

/// The same part of each, one beside the other. Ticks every 50 pixels and their numbers say where
/// in the photograph it is.
[[nodiscard]] Picture draw_side_by_side(const std::vector<Photo>& photos, const Part& part);

}  // namespace examples
