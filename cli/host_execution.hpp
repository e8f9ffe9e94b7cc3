// Plans executed on data in host memory.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sonoma/plan.hpp"
#include "sonoma/verify/memory.hpp"

namespace sonoma::cli {

/// Copies both sides to the plan's device, executes, and copies both back, so that what the plan
/// does not write stays. The points of either begin `first` bytes, a multiple of 16, into it. In
/// place: all is in `out`. `spectrum`: of a convolution. `user`: for code of the caller's, which
/// gets it in the device's memory; empty: a null pointer. Throws as DeviceBuffer and Plan::execute
/// do.
void execute_on_host_data(const Plan& plan, std::span<std::byte> in, std::span<std::byte> out,
                          std::size_t first = 0, std::span<const std::complex<float>> spectrum = {},
                          std::span<const std::byte> user = {});

/// The plan of a problem with that batch.
using PlanOf = std::function<Plan(std::int64_t batch)>;

/// Of such plans, for check_executions(); convolutions with this spectrum.
[[nodiscard]] verification::Executions executions_of(
    const PlanOf& plan_of, const std::vector<std::complex<float>>& spectrum = {});

}  // namespace sonoma::cli
