#include "persistent_cost.hpp"

#include <algorithm>

namespace sonoma {

double staying_cycles(const StayingWork& work, const StayingBlocks& costs) {
  constexpr double enough = 2;
  const double points = work.points;
  const double beside = (work.registers - 2 * points) / points;
  const double cycles = costs.any + costs.issue * work.issue + costs.shared * work.shared +
                        costs.lap_of_ends * (work.laps_of_ends - 1) +
                        costs.lap_within * work.laps_within +
                        costs.few_registers * std::max(0.0, enough - beside);
  return cycles * (1 + costs.missing_register * work.missing_registers);
}

}  // namespace sonoma
