// Drawing into a PNG through cairo, which is opened at run time: only who plots needs it.
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

class Canvas {
 public:
  /// White. Throws std::runtime_error where libcairo.so.2 cannot be opened.
  Canvas(int width, int height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Through all of the spots.
  void line(const std::vector<Spot>& spots, Color color, double width, bool dashed = false);
  void disc(Spot center, double radius, Color color);
  /// `at` is on the baseline. `upward`: reads from the bottom to the top.
  void text(Spot at, const std::string& words, double size, Align align = Align::left,
            bool upward = false);

  /// Throws std::runtime_error naming the path and what is wrong.
  void write_png(const std::string& path) const;

  /// Throws std::runtime_error where a canvas could not be made.
  static void require_library();

 private:
  struct Library;
  static const Library& library();

  const Library& cairo_;
  void* surface_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace sonoma::bench
