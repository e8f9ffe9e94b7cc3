// Lines over an axis, some charts below each other in one picture.
#pragma once

#include <string>
#include <vector>

#include "canvas.hpp"

namespace sonoma::bench {

enum class Scale { linear, log2, log10 };

/// Its ends are logarithms where the scale is one. Marked at multiples of the step.
struct ChartAxis {
  std::string label;
  Scale scale = Scale::linear;
  double first = 0, last = 1, step = 1;

  /// 0 at the first end, 1 at the last.
  [[nodiscard]] double share(double value) const;
};

struct ChartLine {
  std::string name;
  Color color;
  double width = 3;
  double radius = 5;  ///< of a dot at each point; 0: none
  bool joined = true, dashed = false;
  std::vector<Spot> points;  ///< in the units of the axes
};

struct Chart {
  std::string title;
  ChartAxis x, y;
  std::vector<ChartLine> lines;  ///< the first one lies below the others
};

/// Ends and steps such that all points are within: a linear axis begins at 0.
void fit(Chart& chart);

/// Where the axes of a chart lie in the picture.
struct Frame {
  double left = 0, right = 0, top = 0, bottom = 0;  ///< pixels
  ChartAxis x, y;

  [[nodiscard]] Spot at(double x_value, double y_value) const;
};
[[nodiscard]] std::vector<Frame> frames_of(const std::vector<Chart>& charts);

/// Colours of M. Okabe, K. Ito, "Color Universal Design", 2008; and two greys.
namespace colors {
inline constexpr Color band = {0.65, 0.82, 0.95}, vermilion = {0.84, 0.37, 0},
                       green = {0, 0.62, 0.45}, blue = {0, 0.45, 0.7}, orange = {0.9, 0.62, 0},
                       purple = {0.8, 0.47, 0.65}, black = {0.15, 0.15, 0.15},
                       grey = {0.4, 0.4, 0.4};
}

/// A PNG or an SVG at `path`, as its name ends. Throws std::invalid_argument where it ends
/// otherwise, std::runtime_error where it cannot be drawn or written.
void write_charts(const std::string& heading, const std::vector<Chart>& charts,
                  const std::string& path);

}  // namespace sonoma::bench
