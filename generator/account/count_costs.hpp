#pragma once

#include "sonoma/costs.hpp"
#include "sonoma/kernel_ir.hpp"

namespace sonoma {

[[nodiscard]] KernelCosts count_costs(const KernelIr& ir);

}  // namespace sonoma
