// The tables of docs/seeds.md. Each stands between a comment that says what it is and `<!-- end
// -->`:
//
//   <!-- seed_tables errors 001-4 -->   what was published beside what was measured
//   <!-- seed_tables times 001-4 -->
//   <!-- seed_tables locality -->       see seed_plans.hpp; volumes, methods
//
// A line `<!-- measured: FILE.csv ... -->` names the files that the rows come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "seed_measurement.hpp"
#include "seed_row.hpp"

namespace sonoma::bench {

struct SeedTables {
  std::vector<SeedRow> published;
  std::vector<SeedMeasurementRow> measured;  ///< of equal rows the first one counts
  std::string methods;                       ///< methods.csv

  /// nullptr where nobody of that name was measured on that row.
  [[nodiscard]] const SeedMeasurement* find(const SeedRow& row, std::string_view lib) const;
};

/// The files that the page's line names. Throws std::invalid_argument where it has no such line.
[[nodiscard]] std::vector<std::string> measured_files(std::string_view page);

/// The page with all its tables made anew. Rows that were not measured have only what was
/// published. Throws std::invalid_argument for a table that there is not, or that does not end.
[[nodiscard]] std::string with_seed_tables(std::string_view page, const SeedTables& tables);

}  // namespace sonoma::bench
