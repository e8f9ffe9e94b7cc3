// The search space: the tunings worth trying for a problem.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sonoma/cost_model.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// How much of the search space.
///   measure   decompositions of the fewest steps, the usual block shapes, and of them the 128 that
///             the cost model finds cheapest; of lengths that are no power of two, and of which
///             there are many, 24, of one step more too; as many of transforms in several passes
///   patient   one step more, every shape, all that the model does not find hopeless: up to
///             thousands
///   estimate  as measure, for the cost model alone
enum class Effort { estimate, measure, patient };

[[nodiscard]] std::string to_string(Effort effort);

struct Candidate {
  Tuning tuning;  ///< resolved; of several passes as in WisdomEntry
  CostEstimate cost;
};

/// The transforms that a plan for `problem` is made of, each as it is measured: of one axis itself,
/// of several those along each, or along all that share a launch. Each once. Throws
/// UnsupportedProblem.
[[nodiscard]] std::vector<FftProblem> parts_of(const FftProblem& problem, const Target& target);

/// Tunings of `arithmetic` that the generator serves, each of another kernel: the generator's
/// defaults, then the others, the cheapest by the cost model first. Pure: equal arguments give
/// equal lists. Throws UnsupportedProblem where the defaults are refused.
[[nodiscard]] std::vector<Candidate> candidates(const FftProblem& problem, const Target& target,
                                                Arithmetic arithmetic, Effort effort);

}  // namespace sonoma
