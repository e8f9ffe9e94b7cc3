#include "scaling.hpp"

#include <algorithm>
#include <bit>

namespace sonoma {

bool has_twiddle(const Schedule& schedule, unsigned index) {
  const auto& radices = schedule.decomposition.radices;
  const bool folds = schedule.engine == Engine::mma && radices[index] == 16;
  return index + 1 < radices.size() || folds;
}

ScalePlan plan_scales(const Schedule& schedule) {
  ScalePlan plan;
  const auto& radices = schedule.decomposition.radices;
  int radix_bits = 0, shifts = 0;
  double growth = 0.5;  // log2 of the largest possible point over 2^target
  double margin = 0;
  for (unsigned s = 0; s < radices.size(); ++s) {
    margin = std::max(margin, growth + (radices[s] == 16 ? 1 : 0));
    const int bits = std::countr_zero(radices[s]);
    radix_bits += bits;
    const bool last = s + 1 == radices.size();
    const int shift = last ? 0 : radix_bits / 2 - shifts;
    shifts += shift;
    growth += bits - shift;
    const bool twiddle = has_twiddle(schedule, s);
    plan.exponents.push_back(twiddle ? -matrix_exponent - shift : 0);
    plan.undo = twiddle ? shifts : shifts - matrix_exponent;
  }
  plan.target = static_cast<int>(15.9 - margin);
  return plan;
}

}  // namespace sonoma
