#include "chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace sonoma::bench {
namespace {

constexpr int width = 1200, title_height = 70, chart_height = 560;
constexpr double text_size = 20;
constexpr Color grid = {0.88, 0.88, 0.88};

double scaled(Scale scale, double value) {
  return scale == Scale::log2    ? std::log2(value)
         : scale == Scale::log10 ? std::log10(value)
                                 : value;
}

// "0.2" where the step is a fifth, "2" where it is one.
std::string mark_of(const ChartAxis& axis, double value) {
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(axis.step) - 1e-9)));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::vector<double> marks_of(const ChartAxis& axis) {
  std::vector<double> marks;
  const auto last = std::lround(std::floor(axis.last / axis.step + 1e-9));
  for (auto i = std::lround(std::ceil(axis.first / axis.step - 1e-9)); i <= last; ++i) {
    marks.push_back(static_cast<double>(i) * axis.step);
  }
  return marks;
}

int base_of(Scale scale) { return scale == Scale::log2 ? 2 : 10; }

// At the ends of the line of a mark.
void write_mark(Canvas& canvas, const ChartAxis& axis, double mark, Spot at, Align align) {
  if (axis.scale == Scale::linear) return canvas.text(at, mark_of(axis, mark), text_size, align);
  canvas.power(at, base_of(axis.scale), static_cast<int>(std::lround(mark)), text_size, align);
}

double along(const ChartAxis& axis, double scaled_value) {
  return (scaled_value - axis.first) / (axis.last - axis.first);
}

void draw_axes(Canvas& canvas, const std::string& title, const Frame& frame) {
  for (const double mark : marks_of(frame.y)) {
    const double y = frame.bottom - along(frame.y, mark) * (frame.bottom - frame.top);
    canvas.line({{frame.left, y}, {frame.right, y}}, grid, 1);
    write_mark(canvas, frame.y, mark, {frame.left - 12, y + 7}, Align::right);
  }
  for (const double mark : marks_of(frame.x)) {
    const double x = frame.left + along(frame.x, mark) * (frame.right - frame.left);
    canvas.line({{x, frame.bottom}, {x, frame.top}}, grid, 1);
    write_mark(canvas, frame.x, mark, {x, frame.bottom + 30}, Align::center);
  }
  const double middle = (frame.left + frame.right) / 2;
  canvas.text({middle, frame.bottom + 62}, frame.x.label, text_size, Align::center);
  canvas.text({frame.left - 70, (frame.top + frame.bottom) / 2}, frame.y.label, text_size,
              Align::center, true);
  canvas.text({middle, frame.top - 16}, title, text_size * 1.1, Align::center);
}

void draw_line(Canvas& canvas, const ChartLine& line, const Frame& frame) {
  std::vector<Spot> spots;
  for (const Spot& point : line.points) spots.push_back(frame.at(point.x, point.y));
  if (line.joined) canvas.line(spots, line.color, line.width, line.dashed);
  if (line.radius > 0) canvas.dots(spots, line.radius, line.color);
}

void draw_legend(Canvas& canvas, const Chart& chart, const Frame& frame) {
  Spot at = {frame.right + 24, frame.top + 20};
  for (const ChartLine& line : chart.lines) {
    canvas.line({at, {at.x + 44, at.y}}, line.color, line.width, line.dashed);
    canvas.text({at.x + 54, at.y + 7}, line.name, text_size);
    at.y += 36;
  }
}

// 1, 2 or 5 times a power of ten, about a tenth of the length.
double round_step(double length) {
  const double power = std::pow(10, std::floor(std::log10(length / 10)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power * 10 >= length) return digit * power;
  }
  return 10 * power;
}

void fit(ChartAxis& axis, double least, double most) {
  if (axis.scale == Scale::linear) {
    axis.first = 0;
    axis.step = round_step(most);
    axis.last = std::ceil(most / axis.step + 0.2) * axis.step;
    return;
  }
  axis.first = scaled(axis.scale, least) - 0.3;
  axis.last = scaled(axis.scale, most) + 0.3;
  const double marks = axis.scale == Scale::log2 ? 26 : 15;  // as many have room
  axis.step = std::max(1.0, std::ceil((axis.last - axis.first) / marks));
}

}  // namespace

double ChartAxis::share(double value) const { return along(*this, scaled(scale, value)); }

Spot Frame::at(double x_value, double y_value) const {
  return {left + x.share(x_value) * (right - left), bottom - y.share(y_value) * (bottom - top)};
}

void fit(Chart& chart) {
  Spot least = {HUGE_VAL, HUGE_VAL}, most = {0, 0};
  for (const ChartLine& line : chart.lines) {
    for (const Spot& point : line.points) {
      least = {std::min(least.x, point.x), std::min(least.y, point.y)};
      most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
  }
  fit(chart.x, least.x, most.x);
  fit(chart.y, least.y, most.y);
}

std::vector<Frame> frames_of(const std::vector<Chart>& charts) {
  std::vector<Frame> frames;
  double top = title_height;
  for (const Chart& chart : charts) {
    std::size_t longest = 13;
    for (const ChartLine& line : chart.lines) longest = std::max(longest, line.name.size());
    const double legend = 66 + 12 * static_cast<double>(longest);
    frames.push_back({110, width - legend, top + 40, top + chart_height - 90, chart.x, chart.y});
    top += chart_height;
  }
  return frames;
}

void write_charts(const std::string& heading, const std::vector<Chart>& charts,
                  const std::string& path) {
  const int height = title_height + chart_height * static_cast<int>(charts.size());
  const auto canvas = make_canvas(width, height, format_of(path));
  canvas->text({width / 2.0, 44}, heading, text_size * 1.2, Align::center);
  const auto frames = frames_of(charts);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    draw_axes(*canvas, charts[i].title, frames[i]);
    for (const ChartLine& line : charts[i].lines) draw_line(*canvas, line, frames[i]);
    draw_legend(*canvas, charts[i], frames[i]);
  }
  canvas->write(path);
}

}  // namespace sonoma::bench
