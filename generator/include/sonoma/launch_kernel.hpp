// The kernel of a launch: of one pass, or of two that share it.
#pragma once

#include <vector>

#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"

namespace sonoma {

struct LaunchKernel {
  std::vector<Generated> passes;  ///< one or two; each with a source of its own
  CudaSource source;              ///< what is launched
};

/// Pure, as generate() of a pass.
[[nodiscard]] LaunchKernel generate(const Launch& launch, const Target& target);

}  // namespace sonoma
