// Drawing into a PNG, through cairo, which is opened at run time, or into an SVG, which is text.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sonoma::bench {

struct Color {
  double red = 0, green = 0, blue = 0;  ///< 0 to 1
};

/// In pixels, from the top left.
struct Spot {
  double x = 0, y = 0;
};

enum class Align { left, center, right };

enum class PictureFormat { png, svg };
/// By the end of the file's name: .png or .svg. Throws std::invalid_argument for another one.
[[nodiscard]] PictureFormat format_of(const std::string& path);

class Canvas {
 public:
  Canvas() = default;
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Through all of the spots.
  virtual void line(const std::vector<Spot>& spots, Color color, double width,
                    bool dashed = false) = 0;
  /// A disc at each of the spots.
  virtual void dots(const std::vector<Spot>& spots, double radius, Color color) = 0;
  /// `at` is on the baseline. `upward`: reads from the bottom to the top.
  virtual void text(Spot at, const std::string& words, double size, Align align = Align::left,
                    bool upward = false) = 0;

  /// base^exponent, as a number with a raised one; at its middle, or its right end.
  void power(Spot at, int base, int exponent, double size, Align align = Align::center);

  /// Once, when all is drawn. Throws std::runtime_error naming the path and what is wrong.
  virtual void write(const std::string& path) = 0;
};

/// White. Throws std::runtime_error where a PNG is asked for and libcairo.so.2 cannot be opened.
[[nodiscard]] std::unique_ptr<Canvas> make_canvas(int width, int height, PictureFormat format);

/// Throws std::runtime_error where such a canvas could not be made.
void require_canvas(PictureFormat format);

/// Of make_canvas(). An SVG has the same bytes wherever it is made.
[[nodiscard]] std::unique_ptr<Canvas> make_png_canvas(int width, int height);
[[nodiscard]] std::unique_ptr<Canvas> make_svg_canvas(int width, int height);
void require_png_canvas();

}  // namespace sonoma::bench
