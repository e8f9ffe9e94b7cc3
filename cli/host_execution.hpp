// Plans executed on data in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sonoma/plan.hpp"
#include "sonoma/verify/memory.hpp"

namespace sonoma::cli {

/// Copies both sides to the plan's device, executes, and copies both back, so that what the plan
/// does not write stays. The points of either begin `first` bytes, a multiple of 16, into it. In
/// place: all is in `out`. Throws as DeviceBuffer and Plan::execute do.
void execute_on_host_data(const Plan& plan, std::span<std::byte> in, std::span<std::byte> out,
                          std::size_t first = 0);

/// The plan of a problem with that batch.
using PlanOf = std::function<Plan(std::int64_t batch)>;

/// Of such plans, for check_executions().
[[nodiscard]] verification::Executions executions_of(const PlanOf& plan_of);

}  // namespace sonoma::cli
