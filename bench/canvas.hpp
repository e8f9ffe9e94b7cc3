// Drawing into a PNG or an SVG through cairo, which is opened at run time: only who plots needs it.
#pragma once

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
  /// White. Throws std::runtime_error where libcairo.so.2 cannot be opened.
  Canvas(int width, int height, PictureFormat format);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Through all of the spots.
  void line(const std::vector<Spot>& spots, Color color, double width, bool dashed = false);
  /// A disc at each of the spots.
  void dots(const std::vector<Spot>& spots, double radius, Color color);
  /// `at` is on the baseline. `upward`: reads from the bottom to the top.
  void text(Spot at, const std::string& words, double size, Align align = Align::left,
            bool upward = false);

  /// 2^exponent, as a number with a raised one; its middle at `at`.
  void power_of_two(Spot at, int exponent, double size);

  /// Once, when all is drawn. Throws std::runtime_error naming the path and what is wrong.
  void write(const std::string& path);

  /// Throws std::runtime_error where a canvas could not be made.
  static void require_library();

 private:
  struct Library;
  static const Library& library();

  const Library& cairo_;
  PictureFormat format_;
  std::string svg_;  ///< what cairo has written of it
  void* surface_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace sonoma::bench
