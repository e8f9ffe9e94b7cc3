// A white picture to draw on.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "support/picture.hpp"

namespace examples {

/// 0 to 255.
struct Colour {
  double r, g, b;
};

class Canvas {
 public:
  /// What is written is in `ink`, of pixels of pen x pen.
  Canvas(std::size_t width, std::size_t height, std::size_t pen, Colour ink)
      : picture_{width, height, std::vector<std::uint8_t>(3 * width * height, 255)},
        pen_(pen),
        ink_(ink) {}

  [[nodiscard]] std::size_t letter_width() const { return 4 * pen_; }
  [[nodiscard]] std::size_t letter_height() const { return 5 * pen_; }

  void fill(std::size_t left, std::size_t top, std::size_t width, std::size_t height, Colour c) {
    for (std::size_t y = top; y < top + height; ++y) {
      for (std::size_t x = left; x < left + width; ++x) {
        std::uint8_t* const at = &picture_.rgb[3 * (y * picture_.width + x)];
        const double channels[] = {c.r, c.g, c.b};
        for (std::size_t i = 0; i < 3; ++i) {
          at[i] = static_cast<std::uint8_t>(std::lround(channels[i]));
        }
      }
    }
  }
  void fill(std::size_t left, std::size_t top, std::size_t width, std::size_t height) {
    fill(left, top, width, height, ink_);
  }
  /// Of the characters 0 to 9, the point, and those of s and kHz.
  void write(std::size_t left, std::size_t top, const std::string& text) {
    for (const char c : text) {
      const auto& rows = letters.at(std::string_view("0123456789.skHz").find(c));
      for (std::size_t y = 0; y < rows.size(); ++y) {
        for (std::size_t x = 0; x < 3; ++x) {
          if (rows[y] >> (2 - x) & 1u) fill(left + x * pen_, top + y * pen_, pen_, pen_);
        }
      }
      left += letter_width();
    }
  }
  [[nodiscard]] Picture take() { return std::move(picture_); }

 private:
  // From the top, a row is three bits, the leftmost one the highest.
  static constexpr std::array<std::array<unsigned, 5>, 15> letters{{{7, 5, 5, 5, 7},
                                                                    {2, 6, 2, 2, 7},
                                                                    {7, 1, 7, 4, 7},
                                                                    {7, 1, 3, 1, 7},
                                                                    {5, 5, 7, 1, 1},
                                                                    {7, 4, 7, 1, 7},
                                                                    {7, 4, 7, 5, 7},
                                                                    {7, 1, 2, 2, 2},
                                                                    {7, 5, 7, 5, 7},
                                                                    {7, 5, 7, 1, 7},
                                                                    {0, 0, 0, 0, 2},
                                                                    {3, 4, 2, 1, 6},
                                                                    {4, 5, 6, 5, 5},
                                                                    {5, 5, 7, 5, 5},
                                                                    {0, 7, 1, 2, 7}}};

  Picture picture_;
  std::size_t pen_;
  Colour ink_;
};

}  // namespace examples
