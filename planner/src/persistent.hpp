// Kernels whose blocks stay for a tile after the other (see Prefetch::persistent), of tiles of
// which an SM holds one: three steps, whose ends go round in laps together.
#pragma once

#include <optional>
#include <vector>

#include "search.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// Those that the cost model finds the cheapest, for a search.
[[nodiscard]] std::vector<Candidate> persistent_candidates(const Search& begun);

/// The steps, threads and registers that the cost model finds the cheapest before it knows where
/// points lie: of whole rows of complex FP32 points that nobody searched, beyond those lengths
/// whose steps are chosen otherwise. 26 of them by chance took .61 of the time of two
/// passes in their mean, .36 to .94 (H200). Nothing where none of the cheapest can be shared by a
/// cluster, which a single transform takes.
[[nodiscard]] std::optional<Tuning> persistent_default(const FftProblem& problem,
                                                       const Target& target);

}  // namespace sonoma
