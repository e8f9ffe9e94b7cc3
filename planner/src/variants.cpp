#include "variants.hpp"

#include <algorithm>

#include "sonoma/tuning_fields.hpp"

namespace sonoma {
namespace {

// Its products take lengths that are no powers of two only where they are asked for.
bool asks_for_products(const Tuning& tuning) {
  return tuning.engine == Engine::mma || tuning.products;
}

Decomposition of_radix(const Tuning& tuning, unsigned radix) {
  return decompose(tuning.decomposition->n(), radix);
}

bool by_default(const FftProblem& problem, Arithmetic arithmetic) {
  const bool numbers = problem.accuracy.max_rel_l2.has_value();
  if (arithmetic == Arithmetic::simt64) return numbers && problem.storage == Storage::f32;
  return problem.storage != Storage::f32 || numbers || arithmetic == Arithmetic::simt ||
         arithmetic == Arithmetic::split3;
}

}  // namespace

Tuning with_arithmetic(Tuning tuning, Arithmetic arithmetic) {
  tuning.engine = engine_of(arithmetic);
  tuning.products.reset();
  if (tuning.sums && arithmetic_of(*tuning.sums) != arithmetic) tuning.sums.reset();
  if (tuning.engine == Engine::mma) tuning.products = products_of(arithmetic);
  if (arithmetic == Arithmetic::simt64) tuning.sums = Sums::fp64;
  return tuning;
}

bool rules_out(const Tuning& tuning, Arithmetic arithmetic) {
  const Tuning wanted = with_arithmetic({}, arithmetic);
  if (tuning.engine && tuning.engine != wanted.engine) return true;
  return (tuning.products && tuning.products != wanted.products) ||
         (tuning.sums &&
          (wanted.engine == Engine::mma || arithmetic_of(*tuning.sums) != arithmetic));
}

std::vector<Arithmetic> admitted_arithmetics(const FftProblem& problem, const Tuning& tuning) {
  if (problem.accuracy.arithmetic) return {*problem.accuracy.arithmetic};
  std::vector<Arithmetic> result;
  for (const Arithmetic arithmetic : searched_arithmetics) {
    const bool bits = is_power_of_two(problem.n());
    const bool simt = engine_of(arithmetic) == Engine::simt;
    if (rules_out(tuning, arithmetic) || !(bits || simt || asks_for_products(tuning))) continue;
    const bool named = tuning.products || tuning.sums;
    if (named || by_default(problem, arithmetic)) result.push_back(arithmetic);
  }
  return result;
}

bool agrees(const Tuning& tuning, const Tuning& wanted) {
  const auto same = [&](const TuningField& field) {
    const auto is = [&](auto member) {
      return !(wanted.*member) || tuning.*member == wanted.*member;
    };
    return std::visit(is, field.member);
  };
  const TuningField &radix = tuning_field("radix"), &sums = tuning_field("sums");
  return std::ranges::all_of(tuning_fields(), [&](const TuningField& field) {
    // A radix may stand as the decomposition that it makes.
    const bool made = &field == &radix && tuning.decomposition && wanted.radix &&
                      tuning.decomposition == of_radix(tuning, *wanted.radix);
    const bool open = &field == &sums && wanted.sums == Sums::fp32 && !tuning.sums;
    return made || open || same(field);
  });
}

}  // namespace sonoma
