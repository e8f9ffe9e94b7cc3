// One row of a benchmark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sonoma::bench {

/// What all rows of a run share.
struct Machine {
  std::string gpu;     ///< "NVIDIA H200"
  std::string cuda;    ///< of the driver, "13.0"
  std::string commit;  ///< of the benchmarked source
  std::string date;    ///< UTC, "2026-11-20"
};

struct Result {
  std::string lib;   ///< sonoma, sonoma-mma, sonoma-simt, cufft, copy
  std::string type;  ///< "f32"
  std::string dims;  ///< "4096"
  std::int64_t batch = 0;
  std::string place;          ///< "out"
  double ms = 0;              ///< median
  double copy_ms = 0;         ///< median of a device-to-device copy of the same bytes, same run
  double rel_l2 = 0;          ///< worst of a sample of transforms against FP64; 0 for copy
  std::size_t workspace = 0;  ///< bytes of device memory beside in and out

  /// Share of the speed of a copy.
  [[nodiscard]] double efficiency() const { return copy_ms / ms; }
};

/// "lib,type,dims,..." and one line for each result, each with its newline.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_line(const Result& result, const Machine& machine);

/// The GPU in use, the source this was built from, and today. Throws FftError without a GPU.
[[nodiscard]] Machine this_machine();

}  // namespace sonoma::bench
