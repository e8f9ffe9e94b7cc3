// A row of a table that a seed published. The seeds are papers; see docs/seeds.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma::bench {

struct SeedRow {
  std::string table;  ///< "001-4": the seed and its table; see published.csv
  std::string row;    ///< as the table calls it: "16384k", or the bound of the data, "1e-9"
  std::vector<std::int64_t> lengths;
  std::int64_t batch = 0;
  unsigned radix = 0;  ///< of the seed's method
  double norm = 1;     ///< components of the data are uniform in [-norm, norm)
  /// As printed; empty where the seed has none.
  std::optional<double> cufft32_time, cufft16_time, cufft16_error, time, error;

  bool operator==(const SeedRow&) const = default;

  /// Complex, forward, out of place, in FP32.
  [[nodiscard]] FftProblem problem() const;
  /// What the printed error is divided by beside the points: of three axes the batch, else 1.
  [[nodiscard]] double divisor() const;
};

/// Reads published.csv: lines that begin with '#' are comments, then a header, then rows. Throws
/// std::invalid_argument naming the line, what it holds and what belongs there.
[[nodiscard]] std::vector<SeedRow> parse_seed_rows(std::string_view text);

/// Those whose table is `only`, or begins with it: "001" is all of a seed. Throws
/// std::invalid_argument where there is none.
[[nodiscard]] std::vector<SeedRow> rows_of_table(const std::vector<SeedRow>& rows,
                                                 std::string_view only);

}  // namespace sonoma::bench
