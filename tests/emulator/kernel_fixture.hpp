// Small kernels written by hand, run on the emulated device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/emulator.hpp"

namespace sonoma::testing {

/// A kernel `name` with `body` between its braces; one transform a block.
[[nodiscard]] CudaSource kernel(const std::string& body, unsigned threads = 32,
                                unsigned shared_bytes = 0);

/// Compiles with the default compiler, once for each source in the process.
[[nodiscard]] const EmulatedKernel& compiled(const CudaSource& source);

struct Run {
  std::vector<float> out;
  EmulationReport report;
};

/// Launches with `in` as input, `out_floats` floats of output set to -1 before, and no tables.
[[nodiscard]] Run run(const CudaSource& source, const std::vector<float>& in,
                      std::size_t out_floats, const EmulationOptions& options = {},
                      std::uint64_t batch = 1);

/// what() of the EmulationError that the launch throws; "no error" if it does not.
[[nodiscard]] std::string error_of(const CudaSource& source, const EmulationOptions& options = {},
                                   std::size_t floats = 1024);

/// {0, 1, 2, ...}
[[nodiscard]] std::vector<float> ramp(std::size_t count);

}  // namespace sonoma::testing
