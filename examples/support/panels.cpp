#include "support/panels.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "support/canvas.hpp"

namespace examples {
namespace {

constexpr std::size_t left = 36, below = 26, gap = 12, tick = 6, every = 50, pen = 2;

// Below a panel whose first pixel is at `x`, and, of the first one, to the left.
void draw_axes(Canvas& sheet, const Part& part, std::size_t x, bool first) {
  const auto next = [](std::size_t from) { return (from + every - 1) / every * every; };
  for (std::size_t u = next(part.x); u < part.x + part.width; u += every) {
    const std::string number = std::to_string(u);
    const std::size_t at = x + u - part.x, half = number.size() * sheet.letter_width() / 2;
    sheet.fill(at, part.height, 1, tick);
    sheet.write(std::max(at, half) - half, part.height + tick + 4, number);
  }
  for (std::size_t v = next(part.y); first && v < part.y + part.height; v += every) {
    const std::string number = std::to_string(v);
    const std::size_t at = v - part.y;
    sheet.fill(x - tick, at, tick, 1);
    const std::size_t top =
        std::min(std::max(at, sheet.letter_height() / 2) - sheet.letter_height() / 2,
                 part.height - sheet.letter_height());
    sheet.write(x - tick - 2 - number.size() * sheet.letter_width(), top, number);
  }
}

}  // namespace

Picture draw_side_by_side(const std::vector<Photo>& photos, const Part& part) {
  Canvas sheet(left + photos.size() * (part.width + gap), part.height + below, pen, {0, 0, 0});
  for (std::size_t i = 0; i < photos.size(); ++i) {
    const std::size_t x = left + i * (part.width + gap);
    for (std::size_t v = 0; v < part.height; ++v) {
      for (std::size_t u = 0; u < part.width; ++u) {
        const float grey = photos[i].grey[(part.y + v) * photos[i].width + part.x + u];
        const double level = 255 * std::clamp(grey, 0.0f, 1.0f);
        sheet.fill(x + u, v, 1, 1, {level, level, level});
      }
    }
    draw_axes(sheet, part, x, i == 0);
  }
  return sheet.take();
}

}  // namespace examples
