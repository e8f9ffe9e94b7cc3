#include "seed_row.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "csv.hpp"
#include "result.hpp"

namespace sonoma::bench {
namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names = {
      "table",        "row",          "dims",          "batch", "radix", "norm",
      "cufft32_time", "cufft16_time", "cufft16_error", "time",  "error"};
  return names;
}

// Of a field that may be empty.
std::optional<double> figure(const std::string& column, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const double value = csv_number<double>(column, text);
  if (!(value > 0)) throw std::invalid_argument(column + " is " + text + ", not above 0");
  return value;
}

SeedRow parse_row(const std::vector<std::string>& f) {
  const auto& names = columns();
  if (f.size() != names.size()) {
    throw std::invalid_argument("has " + std::to_string(f.size()) + " fields, not " +
                                std::to_string(names.size()));
  }
  SeedRow row{f[0],
              f[1],
              lengths_in(f[2]),
              csv_number<std::int64_t>(names[3], f[3]),
              csv_number<unsigned>(names[4], f[4]),
              csv_number<double>(names[5], f[5]),
              figure(names[6], f[6]),
              figure(names[7], f[7]),
              figure(names[8], f[8]),
              figure(names[9], f[9]),
              figure(names[10], f[10])};
  if (row.table.empty() || row.row.empty()) throw std::invalid_argument("has no table or no row");
  if (!(row.norm > 0)) throw std::invalid_argument("norm is " + f[5] + ", not above 0");
  if (row.radix < 2) throw std::invalid_argument("radix is " + f[4] + ", not 2 or more");
  validate(row.problem());
  return row;
}

}  // namespace

FftProblem SeedRow::problem() const {
  FftProblem problem;
  problem.lengths = lengths;
  problem.batch = batch;
  return problem;
}

double SeedRow::divisor() const { return lengths.size() == 3 ? static_cast<double>(batch) : 1; }

std::vector<SeedRow> parse_seed_rows(std::string_view text) {
  std::vector<SeedRow> rows;
  bool headed = false;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with('#')) continue;
    try {
      const auto fields = csv_fields(line);
      if (!headed && fields != columns()) {
        throw std::invalid_argument("is not the header " + csv_line(columns()));
      }
      if (headed) rows.push_back(parse_row(fields));
    } catch (const std::logic_error& error) {  // UnsupportedProblem among them
      throw std::invalid_argument("line " + std::to_string(number) + ": " + error.what());
    }
    headed = true;
  }
  return rows;
}

std::vector<SeedRow> rows_of_table(const std::vector<SeedRow>& rows, std::string_view only) {
  std::vector<SeedRow> chosen;
  std::ranges::copy_if(rows, std::back_inserter(chosen),
                       [&](const SeedRow& row) { return row.table.starts_with(only); });
  if (!chosen.empty()) return chosen;
  std::string tables;
  for (const auto& row : rows) {
    if (!tables.ends_with(row.table)) tables += (tables.empty() ? "" : ", ") + row.table;
  }
  throw std::invalid_argument("--only " + std::string(only) + ": no such table; there are " +
                              tables);
}

}  // namespace sonoma::bench
