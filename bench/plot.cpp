#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace sonoma::bench {
namespace {

struct Style {
  const char* lib;
  Color color;
  double width;
};

// The planner's choice is a band under the engines' lines, so that one sees which of them it took.
constexpr std::array<Style, 6> styles = {{{"sonoma", colors::band, 14},
                                          {"sonoma-mma", colors::vermilion, 3},
                                          {"sonoma-simt", colors::green, 3},
                                          {"sonoma-packed", colors::purple, 3},
                                          {"cufft", colors::black, 3},
                                          {"cufft+product", colors::black, 3}}};

Style style_of(const std::string& lib) {
  const auto* const found =
      std::ranges::find_if(styles, [&](const Style& style) { return style.lib == lib; });
  return found != styles.end() ? *found : Style{"", colors::purple, 3};
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

// Where the axis of lengths ends, with some room.
void fit_lengths(Chart& chart, const Panel& panel) {
  double first = HUGE_VAL, last = 0, highest = 1.2;
  for (const auto& series : panel.series) {
    first = std::min(first, std::log2(series.points.front().n));
    last = std::max(last, std::log2(series.points.back().n));
    for (const auto& point : series.points) highest = std::max(highest, point.eff);
  }
  chart.x = {"length n", Scale::log2, first - 0.3, last + 0.3, 1};
  chart.y = {"speed, 1 = copy", Scale::linear, 0, std::ceil(highest * 5 - 1e-9) / 5, 0.2};
}

ChartLine line_of(const Series& series) {
  const Style style = style_of(series.lib);
  ChartLine line{series.lib, style.color, style.width, std::max(5.0, style.width / 2 + 2),
                 true,       false,       {}};
  for (const auto& point : series.points) line.points.push_back({point.n, point.eff});
  constexpr std::size_t crowd = 100;  // a line through so many would hide them
  if (line.points.size() > crowd) line.joined = false, line.radius /= 2;
  return line;
}

Chart chart_of(const Panel& panel) {
  Chart chart{panel.title, {}, {}, {}};
  fit_lengths(chart, panel);
  for (const auto& series : panel.series) chart.lines.push_back(line_of(series));
  const double first = std::exp2(chart.x.first), last = std::exp2(chart.x.last);
  chart.lines.push_back({"copy", colors::grey, 3, 0, true, true, {{first, 1}, {last, 1}}});
  return chart;
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

std::vector<Chart> charts_of(const std::vector<Panel>& panels) {
  std::vector<Chart> charts;
  for (const Panel& panel : panels) charts.push_back(chart_of(panel));
  return charts;
}

Color color_of(const std::string& lib) { return style_of(lib).color; }

void plot(const std::vector<Row>& rows, const std::string& path) {
  const auto panels = panels_of(rows);
  if (panels.empty()) throw std::invalid_argument("--plot " + path + ": there are no rows to draw");
  write_charts(heading_of(rows), charts_of(panels), path);
}

void require_plotting(const std::string& path) { require_canvas(format_of(path)); }

}  // namespace sonoma::bench
