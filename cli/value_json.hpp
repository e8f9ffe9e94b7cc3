// The values of the flow as JSON: numbers as numbers, layouts and digits as arrays and objects.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sonoma/costs.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/occupancy.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/program.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma::cli {

/// "lengths" and all that is not as it is by default where it can be left out: layout, ends,
/// convolution, order, scale.
[[nodiscard]] nlohmann::json json_of(const FftProblem& problem);
/// The fields that are set, by the names of their options: "points_per_thread": 16.
[[nodiscard]] nlohmann::json json_of(const Tuning& tuning);
[[nodiscard]] nlohmann::json json_of(const KernelCosts& costs);
[[nodiscard]] nlohmann::json json_of(const Occupancy& occupancy);
/// Layouts hold numbers of "digits".
[[nodiscard]] nlohmann::json json_of(const Schedule& schedule);
/// An array of operations: "op" and its fields; steps count from 1.
[[nodiscard]] nlohmann::json json_of(const KernelIr& ir);
/// The launches: what each transforms, from where to where, and its tuning.
[[nodiscard]] nlohmann::json json_of(const Program& program);

}  // namespace sonoma::cli
