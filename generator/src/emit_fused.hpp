#pragma once

#include "sonoma/generate.hpp"
#include "sonoma/program.hpp"

namespace sonoma {

/// The kernel of two passes that share a launch, and a swizzle.
[[nodiscard]] CudaSource emit_fused(const Generated& first, const Generated& second,
                                    const Fusion& fusion);

}  // namespace sonoma
