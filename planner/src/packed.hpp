// FP16 throughout, two points at once.
#pragma once

#include <optional>

#include "half.hpp"
#include "sonoma/planned.hpp"

namespace sonoma {

[[nodiscard]] bool names_packed(const FftProblem& problem);

/// Or where `max_rel_l2` allows it, and it is faster.
[[nodiscard]] bool may_be_packed(const FftProblem& problem, const Tuning& wish);

/// Throws UnsupportedProblem where that is named and something is lacking for it.
void require_packed(const FftProblem& problem);

/// The program of arithmetic packed where that is named, or `max_rel_l2` allows it and it is
/// faster. Throws UnsupportedProblem where it is named and does not serve.
[[nodiscard]] std::optional<Program> in_packed(const FftProblem& problem, const Target& target,
                                               const Tuning& wish);

/// The same as planned.
[[nodiscard]] std::optional<Planned> plan_packed(const FftProblem& problem, const Target& target,
                                                 const Tuning& wish, const PlanOfHalf& plan_half);

}  // namespace sonoma
