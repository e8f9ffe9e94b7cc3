// The compiler of emulated kernels that tests run without a plan.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/emulator.hpp"

namespace sonoma::test {

/// By the compiler that plans take: SONOMA_CXX, or c++. A text is compiled once in a process: tests
/// that ask several things of a kernel make it for each. Throws EmulationError.
[[nodiscard]] std::vector<std::uint8_t> compiled(const CudaSource& source);

}  // namespace sonoma::test
