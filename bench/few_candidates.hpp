// Which candidates a search takes that has time for few.
#pragma once

#include <cstddef>
#include <vector>

#include "sonoma/candidates.hpp"
#include "sonoma/problem.hpp"

namespace sonoma::bench {

/// The first of `found`, and of the others the cheapest so many, in their order. Of the same steps
/// a fifth at most where there are others, and of one kind (a block, a cluster, passes) two thirds,
/// for the cost model may be wrong about these. A convolution weighs as many points as its tile
/// has.
[[nodiscard]] std::vector<Candidate> few_candidates(std::vector<Candidate> found, std::size_t most,
                                                    const FftProblem& problem);

}  // namespace sonoma::bench
