#include "error_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sonoma/storage.hpp"
#include "sonoma/verify/metrics.hpp"
#include "suite.hpp"

namespace sonoma::bench {
namespace {

constexpr std::array<Color, 5> palette = {colors::vermilion, colors::green, colors::blue,
                                          colors::orange, colors::purple};

ChartLine line_of(const std::vector<ErrorOfPlan>& errors, const std::string& name, Color color,
                  double width, double ErrorOfPlan::*value) {
  const bool measured = value == &ErrorOfPlan::measured;
  ChartLine line{name, color, width, measured ? 5.0 : 0.0, true, !measured, {}};
  for (const ErrorOfPlan& error : errors) {
    const double at = error.*value;
    if (at > 0) line.points.push_back({static_cast<double>(error.problem.points()), at});
  }
  std::ranges::sort(line.points, {}, &Spot::x);
  return line;
}

ChartLine cufft_line(const std::vector<ErrorOfPlan>& errors) {
  ChartLine line{"cuFFT, recorded", colors::black, 3, 5, true, false, {}};
  for (const ErrorOfPlan& error : errors) {
    const auto n = static_cast<double>(error.problem.points());
    const bool known = std::ranges::find(line.points, n, &Spot::x) != line.points.end();
    if (error.cufft && !known) line.points.push_back({n, *error.cufft});
  }
  std::ranges::sort(line.points, {}, &Spot::x);
  return line;
}

// How errors grow where roundings are independent: see metrics.hpp.
ChartLine growth(const std::vector<ChartLine>& lines) {
  double first = HUGE_VAL, last = 0;
  for (const ChartLine& line : lines) {
    first = std::min(first, line.points.front().x), last = std::max(last, line.points.back().x);
  }
  ChartLine guide{"sqrt(log2 n)", colors::grey, 2, 0, true, true, {}};
  for (int halves = 2; std::exp2(halves / 2.0) <= last * 1.01; ++halves) {
    const double n = std::exp2(halves / 2.0);
    if (n >= first) guide.points.push_back({n, std::sqrt(halves / 2.0)});
  }
  return guide;
}

void add(std::vector<ChartLine>& lines, ChartLine line) {
  if (!line.points.empty()) lines.push_back(std::move(line));
}

Chart chart_of(const std::string& title, const std::vector<ErrorOfPlan>& errors, bool f32) {
  std::vector<std::string> names;
  for (const ErrorOfPlan& error : errors) {
    if (std::ranges::count(names, error.asked) == 0) names.push_back(error.asked);
  }
  Chart chart{title, {"points n", Scale::log2}, {"error in u", Scale::log2}, {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<ErrorOfPlan> some;
    std::ranges::copy_if(errors, std::back_inserter(some),
                         [&](const ErrorOfPlan& error) { return error.asked == names[i]; });
    const Color color = palette[i % palette.size()];
    const std::string of = names[i].empty() ? "" : ", " + names[i];
    add(chart.lines, line_of(some, "bound" + of, color, 1.5, &ErrorOfPlan::bound));
    add(chart.lines, line_of(some, "expected" + of, color, 2.5, &ErrorOfPlan::expected));
    add(chart.lines, line_of(some, "measured" + of, color, 3, &ErrorOfPlan::measured));
  }
  add(chart.lines, cufft_line(errors));
  if (f32 && !chart.lines.empty()) add(chart.lines, growth(chart.lines));
  if (!chart.lines.empty()) fit(chart);
  return chart;
}

}  // namespace

std::optional<double> cufft_error(const std::vector<Row>& rows, const FftProblem& problem) {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) {
    const Result& result = row.result;
    return result.lib == "cufft" && result.type == type_of(problem) &&
           result.dims == dims_of(problem);
  });
  if (found == rows.end()) return std::nullopt;
  return found->result.rel_l2 / verification::kUnitRoundoff;
}

std::vector<Chart> error_charts(const std::vector<ErrorOfPlan>& errors) {
  std::vector<Chart> charts;
  for (const Storage storage : {Storage::f32, Storage::f16, Storage::bf16, Storage::i16}) {
    std::vector<ErrorOfPlan> some;
    std::ranges::copy_if(errors, std::back_inserter(some), [&](const ErrorOfPlan& error) {
      return error.problem.result_storage() == storage;
    });
    if (some.empty()) continue;
    Chart chart = chart_of(to_string(storage), some, storage == Storage::f32);
    if (!chart.lines.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace sonoma::bench
