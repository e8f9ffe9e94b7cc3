// The search space of transforms that exceed a block.
#pragma once

#include <vector>

#include "sonoma/candidates.hpp"

namespace sonoma {

/// As candidates(): tunings that say the lengths of the passes, whether two share a launch, and
/// what the kernels of all passes share; or resolved ones of a cluster of blocks. Engine simt.
[[nodiscard]] std::vector<Candidate> program_candidates(const FftProblem& problem,
                                                        const Target& target, Effort effort);

}  // namespace sonoma
