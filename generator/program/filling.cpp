#include "sonoma/filling.hpp"

#include <algorithm>
#include <cmath>

#include "phases.hpp"

namespace sonoma {

Filling filling_of(const Decomposition& tree, const MixedShape& shape) {
  const Shares& shares = shape.shares;
  const auto transforms = shape.block_points / static_cast<unsigned>(tree.n());
  const std::vector<Digit> digits = make_digits(tree, transforms);
  const std::vector<Phase> phases =
      simt_phases(tree, digits, shape.points_per_thread, {0, 0, shares.cluster, shares.rounds});
  Filling result;
  result.phases = phases.size();
  const auto threads_of = [&](const Phase& phase) {
    return count_of(digits, phase.in.threads) / shares.parts();
  };
  for (const Phase& phase : phases) {
    result.threads = std::max(result.threads, threads_of(phase));
    result.points = std::max(result.points, count_of(digits, phase.in.registers));
  }
  result.loading = threads_of(phases.front());
  result.lanes = 0;
  for (const Phase& phase : phases) {
    const double threads = threads_of(phase);
    result.lanes += std::ceil(threads / 32) * 32 / threads / static_cast<double>(phases.size());
  }
  result.threads = (result.threads + 31) / 32 * 32;
  return result;
}

}  // namespace sonoma
