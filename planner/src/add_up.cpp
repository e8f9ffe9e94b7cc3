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

double total_of(const CostEstimate& cost, const Shares& shares, bool mixed, const Speeds& speeds,
                const Overlap& overlap) {
  const TileCosts& tile = mixed ? speeds.of_mixed : speeds.of_bits;
  const double norm = Norm().of(busy_of(cost, overlap), power_of(overlap, cost.blocks));
  const double cycles = tile.any * (norm + wait_of(cost, overlap));
  return std::max(cost.copy, cycles) * times_of(cost, shares, speeds, tile, overlap);
}

}  // namespace sonoma
