#include "sonoma/filling.hpp"

#include <algorithm>

#include "phases.hpp"

namespace sonoma {

Filling filling_of(const Decomposition& tree, const MixedShape& shape) {
  const auto transforms = shape.block_points / static_cast<unsigned>(tree.n());
  const std::vector<Digit> digits = make_digits(tree, transforms);
  const std::vector<Phase> phases = mixed_phases(tree, digits, shape.points_per_thread);
  Filling result;
  result.phases = phases.size();
  for (const Phase& phase : phases) {
    result.threads = std::max(result.threads, count_of(digits, phase.in.threads));
    result.points = std::max(result.points, count_of(digits, phase.in.registers));
  }
  result.threads = (result.threads + 31) / 32 * 32;
  double idle = 0;
  for (const Phase& phase : phases) {
    idle += static_cast<double>(result.threads) / count_of(digits, phase.in.threads);
  }
  result.share = static_cast<double>(result.phases) / idle;
  return result;
}

}  // namespace sonoma
