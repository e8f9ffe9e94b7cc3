// A plan executed on data in host memory.
#pragma once

#include <cstddef>
#include <span>

#include "sonoma/plan.hpp"

namespace sonoma::cli {

/// Copies `in` to the plan's device, executes, and copies back to `out`; both hold the whole batch
/// as the plan's storage has it. An out-of-place plan writes over a copy of `out`, so that what it
/// does not write stays there. Throws as DeviceBuffer and Plan::execute do.
void execute_on_host_data(const Plan& plan, std::span<const std::byte> in,
                          std::span<std::byte> out);

}  // namespace sonoma::cli
