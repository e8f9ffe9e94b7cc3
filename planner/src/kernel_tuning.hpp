// Of the kernel of one pass what passes alone leave open.
#pragma once

#include "sonoma/resolve.hpp"

namespace sonoma {

/// Of the kernel of one pass what passes alone leave open. `fused`: see Fusion.
[[nodiscard]] Tuning kernel_tuning(const Tuning& tuning, const Pass& pass, const Target& target,
                                   bool fused);

}  // namespace sonoma
