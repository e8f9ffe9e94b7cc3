// How far the resources of an SM cover each other: the formula of cost_model.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "profile.hpp"
#include "sonoma/cost_model.hpp"
#include "step_costs.hpp"

namespace sonoma {
namespace {

// No more than the p-norm of these, without its powers, which most shapes do not need: of m numbers
// it is at least m^(1/p - 1) times their sum. Of the CUDA cores m is 3.
double least_norm(const std::array<double, 4>& busy, double p) {
  constexpr std::array<std::pair<double, double>, 3> of_three = {
      {{1.5, 0.693}, {2.0, 0.577}, {3.0, 0.4807}}};
  const double most = std::ranges::max(busy);
  if (busy.back() > 0) return most;
  for (const auto& [most_p, share] : of_three) {
    if (p <= most_p) return std::max(most, share * (busy[0] + busy[1] + busy[2]));
  }
  return most;
}

}  // namespace

double add_up(CostEstimate& cost, const Shares& shares, bool mixed, const Speeds& speeds,
              const Overlap& overlap, double below) {
  const double warps = cost.loading_warps * (overlap.in_laps ? cost.each_lap : 1);
  const double wait = overlap.wait_of_warps / warps + overlap.factors * cost.factors +
                      (cost.crowded ? overlap.crowded : 0) - overlap.hidden;
  const TileCosts& tile = mixed ? speeds.of_mixed : speeds.of_bits;
  const unsigned missing = cost.missing_registers,
                 spilled = missing - std::min(missing, speeds.spare_registers);
  double more = 1 + overlap.missing_register * missing + speeds.spilled_register * spilled;
  if (shares.cluster > 1) more *= tile.cluster;
  if (shares.rounds > 1) more *= tile.rounds;
  const std::array busy = {cost.memory, overlap.issue * cost.issue, overlap.shared * cost.shared,
                           cost.tensor};
  const double p = overlap.power + overlap.power_of_blocks * (1 - 1.0 / cost.blocks);
  double cycles = tile.any * (least_norm(busy, p) + wait);
  if (cycles * more < below) {  // the norm, which takes longer than all else
    double sum = 0;
    for (const double one : busy) sum += one > 0 ? std::pow(one, p) : 0;
    cycles = tile.any * (std::pow(sum, 1 / p) + wait);
  }
  cost.total = std::max(cost.copy, cycles) * more;
  return cycles * more;
}

}  // namespace sonoma
