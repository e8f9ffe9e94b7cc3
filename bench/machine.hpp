// Where and of what a benchmark was taken.
#pragma once

#include <string>

namespace sonoma::bench {

/// What all rows of a run share.
struct Machine {
  std::string gpu;     ///< "NVIDIA H200"
  std::string cuda;    ///< of the driver, "13.0"
  std::string commit;  ///< of the benchmarked source
  std::string date;    ///< UTC, "2026-11-20"

  bool operator==(const Machine&) const = default;
};

/// The GPU in use, the source this was built from, and today. Throws FftError without a GPU.
[[nodiscard]] Machine this_machine();

/// The same where only kernels are compiled, for sm_90.
[[nodiscard]] Machine machine_without_gpu();

}  // namespace sonoma::bench
