// What somebody did on a row of a seed's table, and its file format.
//
//   table, row   see SeedRow
//   dims, batch  lengths of the axes, slowest first; transforms that were run
//   radix, norm  see SeedRow
//   lib          sonoma-mma (every step on tensor cores, of the seed's radix), sonoma (what the
//                planner chooses), cufft32, cufft16 (FP16 storage)
//   sum, error, error_f32, relL2   see SeedError
//   ms           median device time of a launch; 0: not timed, on the emulated device
//   copy_ms      of a device-to-device copy of FP32's bytes in the same repetitions
//   gpu, cuda, commit, date        see Machine
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine.hpp"
#include "seed_error.hpp"

namespace sonoma::bench {

struct SeedMeasurement {
  std::string table, row, dims;
  std::int64_t batch = 0;
  unsigned radix = 0;
  double norm = 1;
  std::string lib;
  SeedError error;
  double ms = 0, copy_ms = 0;

  bool operator==(const SeedMeasurement&) const = default;
};

struct SeedMeasurementRow {
  SeedMeasurement measurement;
  Machine machine;

  bool operator==(const SeedMeasurementRow&) const = default;
};

/// "table,row,..." and one line for each measurement, each with its newline.
[[nodiscard]] std::string seed_csv_header();
[[nodiscard]] std::string to_csv(const SeedMeasurementRow& row);

/// Reads what these wrote, also several such files one after the other. Throws
/// std::invalid_argument naming the line, what it holds and what belongs there.
[[nodiscard]] std::vector<SeedMeasurementRow> parse_seed_csv(std::string_view text);

}  // namespace sonoma::bench
