#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace sonoma::bench {
namespace {

constexpr int width = 1200, title_height = 70, panel_height = 560;
constexpr double text_size = 20;
constexpr Color grid = {0.88, 0.88, 0.88}, copy_color = {0.4, 0.4, 0.4};

struct Style {
  const char* lib;
  Color color;
  double width;
};

// Colours of M. Okabe, K. Ito, "Color Universal Design", 2008. The planner's choice is a band under
// the engines' lines, so that one sees which of them it took.
constexpr std::array<Style, 5> styles = {{{"sonoma", {0.65, 0.82, 0.95}, 14},
                                          {"sonoma-mma", {0.84, 0.37, 0}, 3},
                                          {"sonoma-simt", {0, 0.62, 0.45}, 3},
                                          {"cufft", {0.15, 0.15, 0.15}, 3},
                                          {"cufft+product", {0.15, 0.15, 0.15}, 3}}};

Style style_of(const std::string& lib) {
  const auto* const found =
      std::ranges::find_if(styles, [&](const Style& style) { return style.lib == lib; });
  return found != styles.end() ? *found : Style{"", {0.8, 0.47, 0.65}, 3};
}

template <class Range, class Matches, class Make>
auto& found_or_added(Range& range, Matches&& matches, Make&& make) {
  const auto found = std::ranges::find_if(range, matches);
  return found != range.end() ? *found : range.emplace_back(make());
}

std::string title_of(const Result& result) {
  if (result.batch == 1) return result.type + ", one transform a launch";
  const auto points = static_cast<double>(result.points() * result.batch);
  return result.type + ", 2^" + std::to_string(std::lround(std::log2(points))) + " points a run";
}

std::string heading_of(const std::vector<Row>& rows) {
  const Machine& first = rows.front().machine;
  std::string dates = first.date, commits = first.commit;
  for (const auto& [result, machine] : rows) {
    if (machine.gpu != first.gpu) {
      throw std::invalid_argument("rows of " + first.gpu + " and of " + machine.gpu +
                                  " belong in a plot each");
    }
    if (dates.find(machine.date) == std::string::npos) dates += ", " + machine.date;
    if (commits.find(machine.commit) == std::string::npos) commits += ", " + machine.commit;
  }
  return first.gpu + ", CUDA " + first.cuda + ", commit " + commits + ", " + dates;
}

std::string fixed(double value) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

void draw_axes(Canvas& canvas, const Panel& panel, const Frame& frame) {
  for (int fifth = 0; fifth <= std::lround(5 * frame.highest_eff); ++fifth) {
    const Spot at = frame.at(1, fifth / 5.0);
    canvas.line({{frame.left, at.y}, {frame.right, at.y}}, grid, 1);
    canvas.text({frame.left - 12, at.y + 7}, fixed(fifth / 5.0), text_size, Align::right);
  }
  const int first = static_cast<int>(std::ceil(frame.log2_first));
  for (int log2 = first; log2 <= frame.log2_last; ++log2) {
    const double n = std::exp2(log2);
    canvas.line({frame.at(n, 0), frame.at(n, frame.highest_eff)}, grid, 1);
    canvas.power_of_two({frame.at(n, 0).x, frame.bottom + 30}, log2, text_size);
  }
  const double middle = (frame.left + frame.right) / 2;
  canvas.text({middle, frame.bottom + 62}, "length n", text_size, Align::center);
  canvas.text({frame.left - 70, (frame.top + frame.bottom) / 2}, "speed, 1 = copy", text_size,
              Align::center, true);
  canvas.text({middle, frame.top - 16}, panel.title, text_size * 1.1, Align::center);
}

void draw_series(Canvas& canvas, const Series& series, const Frame& frame) {
  const Style style = style_of(series.lib);
  std::vector<Spot> spots;
  for (const auto& point : series.points) spots.push_back(frame.at(point.n, point.eff));
  constexpr std::size_t crowd = 100;  // a line through so many would hide them
  const bool crowded = spots.size() > crowd;
  if (!crowded) canvas.line(spots, style.color, style.width);
  const double radius = std::max(5.0, style.width / 2 + 2) * (crowded ? 0.5 : 1);
  canvas.dots(spots, radius, style.color);
}

void draw_legend(Canvas& canvas, const Panel& panel, const Frame& frame) {
  Spot at = {frame.right + 24, frame.top + 20};
  const auto entry = [&](const std::string& words, const Style& style, bool dashed) {
    canvas.line({at, {at.x + 44, at.y}}, style.color, style.width, dashed);
    canvas.text({at.x + 54, at.y + 7}, words, text_size);
    at.y += 36;
  };
  for (const auto& series : panel.series) entry(series.lib, style_of(series.lib), false);
  entry("copy", {"", copy_color, 3}, true);
}

void draw(Canvas& canvas, const Panel& panel, const Frame& frame) {
  draw_axes(canvas, panel, frame);
  canvas.line({{frame.left, frame.at(1, 1).y}, {frame.right, frame.at(1, 1).y}}, copy_color, 3,
              true);
  for (const auto& series : panel.series) draw_series(canvas, series, frame);
  draw_legend(canvas, panel, frame);
}

}  // namespace

std::vector<Panel> panels_of(const std::vector<Row>& rows) {
  std::vector<Panel> panels;
  for (const auto& row : rows) {
    const Result& result = row.result;
    if (result.lib == "copy") continue;
    const std::string title = title_of(result);
    Panel& panel = found_or_added(
        panels, [&](const Panel& p) { return p.title == title; },
        [&] {
          return Panel{title, {}};
        });
    Series& series = found_or_added(
        panel.series, [&](const Series& s) { return s.lib == result.lib; },
        [&] {
          return Series{result.lib, {}};
        });
    series.points.push_back({static_cast<double>(result.points()), result.efficiency()});
  }
  for (auto& panel : panels) {
    for (auto& series : panel.series) std::ranges::sort(series.points, {}, &Series::Point::n);
  }
  return panels;
}

Spot Frame::at(double n, double eff) const {
  const double across = (std::log2(n) - log2_first) / (log2_last - log2_first);
  return {left + across * (right - left), bottom - eff / highest_eff * (bottom - top)};
}

std::vector<Frame> frames_of(const std::vector<Panel>& panels) {
  std::vector<Frame> frames;
  double top = title_height;
  for (const auto& panel : panels) {
    double first = HUGE_VAL, last = 0, highest = 1.2;
    for (const auto& series : panel.series) {
      first = std::min(first, std::log2(series.points.front().n));
      last = std::max(last, std::log2(series.points.back().n));
      for (const auto& point : series.points) highest = std::max(highest, point.eff);
    }
    frames.push_back({110, width - 220, top + 40, top + panel_height - 90, first - 0.3, last + 0.3,
                      std::ceil(highest * 5 - 1e-9) / 5});
    top += panel_height;
  }
  return frames;
}

Color color_of(const std::string& lib) { return style_of(lib).color; }

void plot(const std::vector<Row>& rows, const std::string& path) {
  const auto panels = panels_of(rows);
  if (panels.empty()) throw std::invalid_argument("--plot " + path + ": there are no rows to draw");
  const PictureFormat format = format_of(path);
  const std::string heading = heading_of(rows);
  Canvas canvas(width, title_height + panel_height * static_cast<int>(panels.size()), format);
  canvas.text({width / 2.0, 44}, heading, text_size * 1.2, Align::center);
  const auto frames = frames_of(panels);
  for (std::size_t i = 0; i < panels.size(); ++i) draw(canvas, panels[i], frames[i]);
  canvas.write(path);
}

void require_plotting(const std::string& path) {
  (void)format_of(path);
  Canvas::require_library();
}

}  // namespace sonoma::bench
