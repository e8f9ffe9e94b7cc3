#include "scaling.hpp"

#include <algorithm>
#include <cmath>

namespace sonoma {

namespace {

bool has_twiddles(const Schedule& schedule, const Step& step) {
  const std::size_t steps = schedule.shape.tree.decomposition.radices.size();
  if (schedule.coprime_phase > 0 && step.index + 2 == steps) return false;
  return step.index + 1 < end_of_axis(schedule.digits, step.index) ||
         schedule.pass.tree_columns() > 1;
}

}  // namespace

std::optional<op::StepFactors> factors_after(const Schedule& schedule, const Step& step) {
  if (step.folds) return step.back ? op::StepFactors::centre : op::StepFactors::both;
  if (step.back || !has_twiddles(schedule, step)) return std::nullopt;
  return op::StepFactors::twiddles;
}

bool has_twiddles_before(const Schedule& schedule, const Step& step) {
  return step.back && has_twiddles(schedule, step);
}

unsigned first_product(const Schedule& schedule) {
  unsigned index = 0;
  while (step_of(schedule, index).form == StepForm::registers) ++index;
  return index;
}

ScalePlan plan_scales(const Schedule& schedule) {
  ScalePlan plan;
  const auto& radices = schedule.shape.tree.decomposition.radices;
  int shifts = 0;
  double radix_bits = 0;
  double growth = 0.5;  // log2 of the largest possible point over 2^target
  double margin = 0;
  for (unsigned s = 0; s < radices.size(); ++s) {
    const Step& step = step_of(schedule, s);
    const bool product = step.form != StepForm::registers;
    if (product || schedule.words()) margin = std::max(margin, growth + (step.folds ? 1 : 0));
    const int matrix = product && !step.words ? matrix_exponent : 0;
    const double bits = std::log2(radices[s]);
    radix_bits += bits;
    const bool last = s + 1 == radices.size();
    const int shift = last ? 0 : static_cast<int>(radix_bits / 2) - shifts;
    shifts += shift;
    growth += bits - shift;
    const bool twiddle = factors_after(schedule, step).has_value();
    plan.exponents.push_back(twiddle ? -matrix - shift : 0);
    plan.undo = twiddle ? shifts : shifts - matrix;
  }
  const bool exchanged = schedule.store.layout != schedule.phases.back().out;
  if (schedule.words() && exchanged) margin = std::max(margin, growth);  // the result, in words
  plan.target = static_cast<int>(15.9 - margin);
  if (schedule.words() && schedule.pass.in.storage == Storage::f16) plan.most = 15;
  return plan;
}

}  // namespace sonoma
