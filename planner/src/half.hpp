// Real numbers in pairs.
#pragma once

#include <functional>
#include <optional>

#include "sonoma/planned.hpp"

namespace sonoma {

/// Of a cluster that shares a tile of pairs: as many as every GPU with clusters has.
constexpr unsigned most_blocks_of_pairs = 8;

/// Of its signals, or of the points of a transform.
[[nodiscard]] bool has_real_side(const FftProblem& problem);

/// A real transform of even length as the complex one of its pairs, as `tuning` makes it. Nothing
/// where that takes more than a block, or `threads` that may have to go round.
[[nodiscard]] std::optional<Program> in_pairs(const FftProblem& problem, const Target& target,
                                              const Tuning& tuning);

/// The program of its pairs, or of an odd last axis of all points, as one of `problem`. Nothing
/// where they take more than a block.
[[nodiscard]] std::optional<Program> over_memory_of(const FftProblem& problem, const Program& half,
                                                    const Target& target, const Tuning& wish);

/// The same as planned.
using PlanOfHalf = std::function<Planned(const FftProblem& half)>;

[[nodiscard]] std::optional<Planned> plan_in_pairs(const FftProblem& problem, const Target& target,
                                                   const Tuning& wish, const PlanOfHalf& plan_half);

}  // namespace sonoma
