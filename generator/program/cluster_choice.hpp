#pragma once

#include "sonoma/problem.hpp"
#include "sonoma/shares.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// Those of a transform in one pass, where `tuning` leaves them open.
[[nodiscard]] Shares default_shares(const FftProblem& problem, const Target& target,
                                    const Tuning& tuning);

/// The default steps of a power of two in two rounds.
[[nodiscard]] Decomposition steps_in_rounds(std::int64_t length);

}  // namespace sonoma
