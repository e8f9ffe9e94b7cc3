// Efficiency over length as a picture.
#pragma once

#include <string>
#include <vector>

#include "chart.hpp"
#include "result.hpp"

namespace sonoma::bench {

/// One contender in one panel.
struct Series {
  struct Point {
    double n = 0, eff = 0;
  };
  std::string lib;
  std::vector<Point> points;  ///< by n
};

/// One storage type and kind of batch.
struct Panel {
  std::string title;           ///< "f32, 2^26 points a run"
  std::vector<Series> series;  ///< without the copy, which is 1 by definition
};

/// In the order of the rows.
[[nodiscard]] std::vector<Panel> panels_of(const std::vector<Row>& rows);

/// Of each panel: speed over n on a log2 axis, and the copy dashed at 1.
[[nodiscard]] std::vector<Chart> charts_of(const std::vector<Panel>& panels);

/// Of a contender's line.
[[nodiscard]] Color color_of(const std::string& lib);

/// A PNG or an SVG at `path`, as its name ends: a panel for each storage type, n on a log2 axis, a
/// line for each contender, the copy dashed at 1. Throws std::invalid_argument where there is
/// nothing to draw or the rows are of several GPUs, or `path` ends otherwise, std::runtime_error
/// where it cannot be drawn or written.
void plot(const std::vector<Row>& rows, const std::string& path);

/// Before rows are measured for plot(): throws as that does for `path`, and where the library that
/// draws is missing.
void require_plotting(const std::string& path);

}  // namespace sonoma::bench
