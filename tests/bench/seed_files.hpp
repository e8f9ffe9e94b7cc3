// What the files of the seeds' page say.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "seed_measurement.hpp"
#include "seed_page.hpp"
#include "seed_row.hpp"

namespace sonoma::bench {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<SeedRow> published() {
  return parse_seed_rows(text_of(SONOMA_SOURCE "/bench/seeds/published.csv"));
}

inline SeedTables tables_of(const std::string& page) {
  SeedTables tables{published(), {}, text_of(SONOMA_SOURCE "/bench/seeds/methods.csv")};
  for (const auto& file : measured_files(page)) {
    for (const auto& row : parse_seed_csv(text_of(SONOMA_SOURCE "/bench/results/" + file))) {
      tables.measured.push_back(row);
    }
  }
  return tables;
}

}  // namespace sonoma::bench
