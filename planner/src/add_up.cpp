// How far the resources of an SM cover each other: the formula of cost_model.cpp.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "profile.hpp"
#include "sonoma/cost_model.hpp"
#include "step_costs.hpp"

namespace sonoma {
double Norm::of(const Busy& busy, double p) {
  Busy powers = {};
  double sum = 0;
  for (std::size_t i = 0; i < busy.size(); ++i) {
    powers[i] = busy[i] > 0 ? std::pow(busy[i], p) : 0;
    sum += powers[i];
  }
  const double norm = std::pow(sum, 1 / p);
  p_ = p;
  for (std::size_t i = 0; i < busy.size(); ++i) {
    slope_[i] = busy[i] > 0 ? powers[i] / busy[i] * (norm / sum) : 0;
  }
  return norm;
}

double Norm::at_least(const Busy& busy, double p) {
  if (p != p_) return of(busy, p);
  double sum = 0;
  for (std::size_t i = 0; i < busy.size(); ++i) sum += slope_[i] * busy[i];
  return sum;
}

double add_up(CostEstimate& cost, const Shares& shares, bool mixed, const Speeds& speeds,
              const Overlap& overlap, Norm& norm, double below) {
  const double warps = cost.loading_warps * (overlap.in_laps ? cost.each_lap : 1);
  const double wait = overlap.wait_of_warps / warps + overlap.factors * cost.factors +
                      (cost.crowded ? overlap.crowded : 0) - overlap.hidden;
  const TileCosts& tile = mixed ? speeds.of_mixed : speeds.of_bits;
  const unsigned missing = cost.missing_registers,
                 spilled = missing - std::min(missing, speeds.spare_registers);
  double more = 1 + overlap.missing_register * missing + speeds.spilled_register * spilled;
  if (shares.cluster > 1) more *= tile.cluster;
  if (shares.rounds > 1) more *= tile.rounds;
  const Busy busy = {cost.memory, overlap.issue * cost.issue, overlap.shared * cost.shared,
                     cost.tensor};
  const double p = overlap.power + overlap.power_of_blocks * (1 - 1.0 / cost.blocks);
  double cycles = tile.any * (norm.at_least(busy, p) + wait);
  if (cycles * more < below) cycles = tile.any * (norm.of(busy, p) + wait);
  cost.total = std::max(cost.copy, cycles) * more;
  return cycles * more;
}

}  // namespace sonoma
