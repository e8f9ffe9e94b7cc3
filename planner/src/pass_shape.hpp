// The kernel of a pass over one axis.
#pragma once

#include "sonoma/pass.hpp"
#include "sonoma/shape.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// Of what kernel_tuning() makes of `tuning`, `own`: on other threads, or of fewer columns, where
/// its steps would leave a thread too little or too much.
[[nodiscard]] Shape shape_of_pass(const Pass& pass, const Tuning& tuning, const Tuning& own,
                                  const Target& target);

}  // namespace sonoma
