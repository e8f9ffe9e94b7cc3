// What a kernel takes by its steps alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "mixed_shape.hpp"
#include "profile.hpp"
#include "sonoma/cost_model.hpp"

namespace sonoma {

/// Of a point, of a length that is no power of two: sums and products of its primes, and complex
/// factors between powers of one.
/// `halves`: see takes_halves(). Fused ones, which the model was not fitted to, count as plain.
[[nodiscard]] double instructions_of_butterfly(unsigned radix, bool halves);

/// The same of one that sums in FP64, as if it had FP32's lanes.
[[nodiscard]] double instructions_in(bool fp64, double of_butterfly);

/// Of the steps of one tree in FP32, before a schedule says where points lie: as if no banks of
/// shared memory collided, and whole sectors moved. Blocks, warps and the total are left open.
class StepCosts {
 public:
  StepCosts(const Decomposition& tree, const MixedKernel& kernel);

  [[nodiscard]] CostEstimate on(const Filling& filling) const;
  /// With as few factors as other points of a thread leave.
  [[nodiscard]] CostEstimate at_least_on(const Filling& filling) const;

 private:
  [[nodiscard]] CostEstimate with(const Filling& filling, std::size_t factors) const;

  const Decomposition& tree_;
  const Speeds& speeds_;
  const bool coprime_;
  const double ways_;
  const Twiddles twiddles_;
  double instructions_;  // of all filling
};

/// So many blocks of an SM, with so much shared memory each, leave its L1 cache little room: see
/// Target::shared_beside_cache().
[[nodiscard]] inline bool is_crowded(unsigned blocks, unsigned shared_bytes, const Target& target) {
  constexpr unsigned reserved_shared = 1024;
  return blocks * (shared_bytes + reserved_shared) >
         static_cast<unsigned>(target.shared_beside_cache());
}

/// What keeps the resources of an SM busy: memory, issue, shared memory, matrix products.
using Busy = std::array<double, 4>;

/// Their p-norm, p > 1. It is no less than its tangent plane where it was last computed, for it is
/// convex: that takes no powers, and bounds what is asked for next.
class Norm {
 public:
  [[nodiscard]] double of(const Busy& busy, double p);
  [[nodiscard]] double at_least(const Busy& busy, double p);

 private:
  Busy slope_ = {};
  double p_ = 0;
};

/// Of one kernel, by blocks of an SM, of which p depends: see Target::blocks_of_sm().
constexpr std::size_t most_blocks_of_sm = 32;
using Norms = std::array<Norm, most_blocks_of_sm>;

/// The formula of cost_model.cpp in its parts: cycles = f (norm + wait) times.
[[nodiscard]] inline Busy busy_of(const CostEstimate& cost, const Overlap& overlap) {
  return {cost.memory, overlap.issue * cost.issue, overlap.shared * cost.shared, cost.tensor};
}

[[nodiscard]] inline double power_of(const Overlap& overlap, unsigned blocks) {
  return overlap.power + overlap.power_of_blocks * (1 - 1.0 / blocks);
}

[[nodiscard]] inline double wait_of(const CostEstimate& cost, const Overlap& overlap) {
  const double warps = cost.loading_warps * (overlap.in_laps ? cost.each_lap : 1);
  return overlap.wait_of_warps / warps + overlap.factors * cost.factors +
         (cost.crowded ? overlap.crowded : 0) - overlap.hidden;
}

[[nodiscard]] inline double times_of(const CostEstimate& cost, const Shares& shares,
                                     const Speeds& speeds, const TileCosts& tile,
                                     const Overlap& overlap) {
  const unsigned missing = cost.missing_registers,
                 spilled = missing - std::min(missing, speeds.spare_registers);
  double times = 1 + overlap.missing_register * missing + speeds.spilled_register * spilled;
  if (shares.cluster > 1) times *= tile.cluster;
  if (shares.rounds > 1) times *= tile.rounds;
  return times;
}

/// The total of an estimate, of what else it says.
[[nodiscard]] double total_of(const CostEstimate& cost, const Shares& shares, bool mixed,
                              const Speeds& speeds, const Overlap& overlap);

}  // namespace sonoma
