#include "support/panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace examples {
namespace {

constexpr std::size_t left = 36, below = 26, gap = 12, tick = 6, every = 50;

// Digits of 3 x 5 pixels: a row is three bits, the leftmost one the highest.
constexpr std::array<std::array<unsigned, 5>, 10> digits = {{{7, 5, 5, 5, 7},
                                                             {2, 6, 2, 2, 7},
                                                             {7, 1, 7, 4, 7},
                                                             {7, 1, 7, 1, 7},
                                                             {5, 5, 7, 1, 1},
                                                             {7, 4, 7, 1, 7},
                                                             {7, 4, 7, 5, 7},
                                                             {7, 1, 1, 1, 1},
                                                             {7, 5, 7, 5, 7},
                                                             {7, 5, 7, 1, 7}}};
constexpr std::size_t pixel = 2, digit_width = 4 * pixel, digit_height = 5 * pixel;

class Sheet {
 public:
  Sheet(std::size_t width, std::size_t height)
      : picture_{width, height, std::vector<std::uint8_t>(3 * width * height, 255)} {}

  void set(std::size_t x, std::size_t y, std::uint8_t level) {
    const auto at =
        picture_.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (y * picture_.width + x));
    std::fill_n(at, 3, level);
  }
  void fill(std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
    for (std::size_t v = y; v < y + height; ++v) {
      for (std::size_t u = x; u < x + width; ++u) set(u, v, 0);
    }
  }
  void write(std::size_t x, std::size_t y, const std::string& number) {
    for (const char c : number) {
      const auto& rows = digits[static_cast<std::size_t>(c - '0')];
      for (std::size_t v = 0; v < 5; ++v) {
        for (std::size_t u = 0; u < 3; ++u) {
          if (rows[v] >> (2 - u) & 1u) fill(x + pixel * u, y + pixel * v, pixel, pixel);
        }
      }
      x += digit_width;
    }
  }
  [[nodiscard]] const Picture& picture() const { return picture_; }

 private:
  Picture picture_;
};

// Below a panel whose first pixel is at `x`, and, of the first one, to the left.
void draw_axes(Sheet& sheet, const Part& part, std::size_t x, bool first) {
  const auto next = [](std::size_t from) { return (from + every - 1) / every * every; };
  for (std::size_t u = next(part.x); u < part.x + part.width; u += every) {
    const std::string number = std::to_string(u);
    const std::size_t at = x + u - part.x, half = number.size() * digit_width / 2;
    sheet.fill(at, part.height, 1, tick);
    sheet.write(std::max(at, half) - half, part.height + tick + 4, number);
  }
  for (std::size_t v = next(part.y); first && v < part.y + part.height; v += every) {
    const std::string number = std::to_string(v);
    const std::size_t at = v - part.y;
    sheet.fill(x - tick, at, tick, 1);
    const std::size_t top =
        std::min(std::max(at, digit_height / 2) - digit_height / 2, part.height - digit_height);
    sheet.write(x - tick - 2 - number.size() * digit_width, top, number);
  }
}

}  // namespace

Picture draw_side_by_side(const std::vector<Photo>& photos, const Part& part) {
  Sheet sheet(left + photos.size() * (part.width + gap), part.height + below);
  for (std::size_t i = 0; i < photos.size(); ++i) {
    const std::size_t x = left + i * (part.width + gap);
    for (std::size_t v = 0; v < part.height; ++v) {
      for (std::size_t u = 0; u < part.width; ++u) {
        const float level = photos[i].grey[(part.y + v) * photos[i].width + part.x + u];
        sheet.set(x + u, v,
                  static_cast<std::uint8_t>(std::lround(255 * std::clamp(level, 0.0f, 1.0f))));
      }
    }
    draw_axes(sheet, part, x, i == 0);
  }
  return sheet.picture();
}

}  // namespace examples
