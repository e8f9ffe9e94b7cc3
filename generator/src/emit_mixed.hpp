// The statements of a kernel of a mixed tile.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// As emit_body(), whose part it is.
[[nodiscard]] std::string emit_mixed_body(const KernelIr& ir);

}  // namespace sonoma
