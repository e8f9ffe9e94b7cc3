// The pictures of docs/seeds.md: times, errors, and errors over the range of the data.
#pragma once

#include <string>
#include <vector>

#include "chart.hpp"
#include "seed_page.hpp"

namespace sonoma::bench {

struct SeedPicture {
  std::string file;  ///< "seeds-times.svg"
  std::string heading;
  std::vector<Chart> charts;
};

/// Rows that were not measured have only what was published.
[[nodiscard]] std::vector<SeedPicture> seed_pictures(const SeedTables& tables);

/// Into that folder.
void write_seed_pictures(const SeedTables& tables, const std::string& folder);

}  // namespace sonoma::bench
