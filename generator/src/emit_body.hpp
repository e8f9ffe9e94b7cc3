// The statements of a kernel.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// One line per operation of the IR, with comments where a step or a move of the tile begins. They
/// see `in`, `out`, `tables`, `existing`, and the points x.
[[nodiscard]] std::string emit_body(const KernelIr& ir);

}  // namespace sonoma
