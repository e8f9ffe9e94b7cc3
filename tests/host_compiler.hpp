// The compiler of emulated kernels that tests run without a plan.
#pragma once

#include "sonoma/emulator.hpp"

namespace sonoma::test {

/// As plans take it: SONOMA_CXX, or c++.
[[nodiscard]] const HostCompiler& host_compiler();

}  // namespace sonoma::test
