// Whether a schedule, and a kernel of it, are what they should be.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"
#include "sonoma/schedule.hpp"

namespace sonoma {

/// Empty if every layout is a bijection and every step finds its digits where its form wants them,
/// else the first reason why not.
[[nodiscard]] std::string check(const Schedule& schedule);

/// Empty if well formed, else the first reason why not: steps in order and complete, data where
/// each op expects it, a sufficient barrier between different owners of shared memory, table
/// ranges.
[[nodiscard]] std::string verify(const KernelIr& ir);

}  // namespace sonoma
