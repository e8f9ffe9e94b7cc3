#pragma once

#include "sonoma/tuning.hpp"

namespace sonoma {

/// Blocks that take a transform of this problem together where `tuning` leaves that open; 1: there
/// is no cluster.
[[nodiscard]] unsigned default_cluster(const FftProblem& problem, const Target& target,
                                       const Tuning& tuning);

}  // namespace sonoma
