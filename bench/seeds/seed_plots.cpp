#include "seed_plots.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sonoma::bench {
namespace {

using Rows = std::vector<SeedRow>;
/// What a row has to say; empty: nothing.
using Value = std::function<std::optional<double>(const SeedRow&)>;

// By what the axis is of, without what is missing, not finite or not above 0.
ChartLine line_of(const Rows& rows, const std::string& name, Color color, const Value& x,
                  const Value& y) {
  ChartLine line{name, color, 3, 5, true, false, {}};
  for (const SeedRow& row : rows) {
    const auto at = x(row), value = y(row);
    if (at && value && std::isfinite(*value) && *value > 0) line.points.push_back({*at, *value});
  }
  std::ranges::stable_sort(line.points, {}, &Spot::x);
  return line;
}

std::optional<double> points_of_launch(const SeedRow& row) {
  return static_cast<double>(row.problem().n() * row.batch);
}
std::optional<double> length(const SeedRow& row) { return static_cast<double>(row.problem().n()); }
std::optional<double> norm(const SeedRow& row) { return row.norm; }

/// Of one of the contenders that were measured.
Value measured(const SeedTables& tables, const std::string& lib,
               const std::function<double(const SeedMeasurement&)>& of) {
  return [&tables, lib, of](const SeedRow& row) -> std::optional<double> {
    const SeedMeasurement* const found = tables.find(row, lib);
    return found == nullptr ? std::nullopt : std::optional(of(*found));
  };
}

double error_of(const SeedMeasurement& m) { return m.error.error; }
double units_of(const SeedMeasurement& m) { return m.error.rel_l2 * 0x1p24; }
double microseconds_of(const SeedMeasurement& m) { return 1000 * m.ms; }

/// The three that every chart has.
void add_contenders(Chart& chart, const SeedTables& tables, const Rows& rows, const Value& x,
                    const std::function<double(const SeedMeasurement&)>& of) {
  const std::string radix = "radix " + std::to_string(rows.front().radix);
  const auto add = [&](const std::string& name, Color color, const char* lib) {
    chart.lines.push_back(line_of(rows, name, color, x, measured(tables, lib, of)));
  };
  add(radix, colors::vermilion, "sonoma-mma");
  add("choice", colors::blue, "sonoma");
  add("cuFFT", colors::black, "cufft32");
}

Chart finished(Chart chart) {
  std::erase_if(chart.lines, [](const ChartLine& line) { return line.points.empty(); });
  if (!chart.lines.empty()) fit(chart);
  return chart;
}

const std::string launch_label = "points of a launch", length_label = "points of a transform";

// Seed 000: the same million points in transforms of n.
Chart times_over_length(const SeedTables& tables) {
  const Rows rows = rows_of_table(tables.published, "000-sizes");
  Chart chart{"seed 000: 2^20 points in transforms of n",
              {length_label, Scale::log2},
              {"microseconds", Scale::linear},
              {}};
  add_contenders(chart, tables, rows, length, microseconds_of);
  chart.lines.push_back(line_of(rows, "cuFFT FP16", colors::grey, length,
                                measured(tables, "cufft16", microseconds_of)));
  return finished(std::move(chart));
}

// Beside cuFFT on the same GPU: the paper's times have no unit.
Chart times_of(const SeedTables& tables, const std::string& table, const std::string& title) {
  const Rows rows = rows_of_table(tables.published, table);
  Chart chart{title, {launch_label, Scale::log2}, {"time, 1 = cuFFT", Scale::linear}, {}};
  const auto beside = [&](const char* lib) -> Value {
    return [&tables, lib](const SeedRow& row) -> std::optional<double> {
      const SeedMeasurement *const ours = tables.find(row, lib), *const theirs =
                                                                     tables.find(row, "cufft32");
      if (ours == nullptr || theirs == nullptr || theirs->ms <= 0) return std::nullopt;
      return ours->ms / theirs->ms;
    };
  };
  const std::string radix = "radix " + std::to_string(rows.front().radix);
  chart.lines = {line_of(rows, radix, colors::vermilion, points_of_launch, beside("sonoma-mma")),
                 line_of(rows, "choice", colors::blue, points_of_launch, beside("sonoma")),
                 line_of(rows, "published", colors::green, points_of_launch,
                         [](const SeedRow& row) -> std::optional<double> {
                           if (!row.time || !row.cufft32_time) return std::nullopt;
                           return *row.time / *row.cufft32_time;
                         }),
                 line_of(rows, "cuFFT", colors::black, points_of_launch, beside("cufft32"))};
  return finished(std::move(chart));
}

// The relative error, which grows with n alone.
Chart errors_over_length(const SeedTables& tables) {
  const Rows rows = rows_of_table(tables.published, "000-sizes");
  Chart chart{
      "seed 000: transforms of n", {length_label, Scale::log2}, {"E2 in u", Scale::linear}, {}};
  add_contenders(chart, tables, rows, length, units_of);
  return finished(std::move(chart));
}

// As the papers count.
Chart errors_of(const SeedTables& tables, const Rows& rows, const std::string& title,
                const ChartAxis& axis, const Value& x) {
  Chart chart{title, axis, {"the papers' error", Scale::log10}, {}};
  add_contenders(chart, tables, rows, x, error_of);
  chart.lines.push_back(
      line_of(rows, "published", colors::green, x, [](const SeedRow& row) { return row.error; }));
  chart.lines.push_back(
      line_of(rows, "cuFFT FP16", colors::grey, x, measured(tables, "cufft16", error_of)));
  return finished(std::move(chart));
}

std::string machine_of(const SeedTables& tables) {
  if (tables.measured.empty()) return "not measured";
  const Machine& machine = tables.measured.front().machine;
  return machine.gpu + ", CUDA " + machine.cuda + ", commit " + machine.commit + ", " +
         machine.date;
}

}  // namespace

std::vector<SeedPicture> seed_pictures(const SeedTables& tables) {
  const std::string where = machine_of(tables);
  SeedPicture times{"seeds-times.svg", where, {times_over_length(tables)}},
      errors{"seeds-errors.svg", where, {errors_over_length(tables)}};
  for (const std::string table : {"1", "2", "3"}) {
    const Rows rows = rows_of_table(tables.published, "001-" + table);
    const std::string title =
        "seed 001, Table " + table + ": one dimension, radix " + std::to_string(rows.front().radix);
    times.charts.push_back(times_of(tables, "001-" + table, title));
    errors.charts.push_back(
        errors_of(tables, rows, title, {launch_label, Scale::log2}, points_of_launch));
  }
  Rows ranges = rows_of_table(tables.published, "000-1");
  for (const SeedRow& row : rows_of_table(tables.published, "000-failed")) ranges.push_back(row);
  const Chart range = errors_of(tables, ranges, "seed 000: 256 points, radix 4",
                                {"bound of the data", Scale::log10}, norm);
  return {times, errors, {"seeds-ranges.svg", where, {range}}};
}

void write_seed_pictures(const SeedTables& tables, const std::string& folder) {
  for (const SeedPicture& picture : seed_pictures(tables)) {
    write_charts(picture.heading, picture.charts, folder + "/" + picture.file);
  }
}

}  // namespace sonoma::bench
