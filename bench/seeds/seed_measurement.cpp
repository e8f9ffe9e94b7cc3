#include "seed_measurement.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "csv.hpp"
#include "result.hpp"

namespace sonoma::bench {
namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names = {
      "table",     "row",   "dims", "batch",   "radix", "norm", "lib",    "sum", "error",
      "error_f32", "relL2", "ms",   "copy_ms", "gpu",   "cuda", "commit", "date"};
  return names;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

SeedMeasurementRow parse_row(const std::vector<std::string>& f) {
  const auto& names = columns();
  if (f.size() != names.size()) {
    throw std::invalid_argument("has " + std::to_string(f.size()) + " fields, not " +
                                std::to_string(names.size()));
  }
  const auto value = [&](std::size_t i) { return csv_number<double>(names[i], f[i]); };
  SeedMeasurementRow row;
  row.measurement = {f[0],
                     f[1],
                     f[2],
                     csv_number<std::int64_t>(names[3], f[3]),
                     csv_number<unsigned>(names[4], f[4]),
                     value(5),
                     f[6],
                     {value(7), value(8), value(9), value(10)},
                     value(11),
                     value(12)};
  row.machine = {f[13], f[14], f[15], f[16]};
  return row;
}

}  // namespace

std::string seed_csv_header() { return csv_line(columns()); }

std::string to_csv(const SeedMeasurementRow& row) {
  const auto& [m, machine] = row;
  return csv_line({m.table, m.row, m.dims, std::to_string(m.batch), std::to_string(m.radix),
                   number(m.norm), m.lib, number(m.error.sum), number(m.error.error),
                   number(m.error.error_f32), number(m.error.rel_l2), number(m.ms),
                   number(m.copy_ms), machine.gpu, machine.cuda, machine.commit, machine.date});
}

std::vector<SeedMeasurementRow> parse_seed_csv(std::string_view text) {
  std::vector<SeedMeasurementRow> rows;
  bool headed = false;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    try {
      const auto fields = csv_fields(line);
      const bool is_header = fields == columns();
      if (!headed && !is_header) {
        throw std::invalid_argument("is not the header " + csv_line(columns()));
      }
      if (!is_header) rows.push_back(parse_row(fields));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("line " + std::to_string(line_number) + ": " + error.what());
    }
    headed = true;
  }
  return rows;
}

}  // namespace sonoma::bench
