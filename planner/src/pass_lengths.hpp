// Lengths, tiles and launches of passes.
#pragma once

#include <cstdint>
#include <vector>

#include "profile.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {

/// `given` with the lengths of the passes that it leaves open; and where two of them share a launch
/// by default, with that and their tile. The lengths and the tile do not depend on the batch.
[[nodiscard]] Tuning with_passes(const FftProblem& problem, const Tuning& given,
                                 const Target& target, Method method);

/// How many transforms go through all launches together, each with so many points of workspace: as
/// many as it allows, or the next number after which addresses are multiples of 16 bytes again.
[[nodiscard]] std::int64_t transforms_together(const FftProblem& problem, const Tuning& tuning,
                                               std::int64_t points, const PassRules& rules);

/// The launches of passes, as far as `given` leaves them open: of one of `problem`, whose batch
/// says whether two share a launch.
[[nodiscard]] Program of_passes(const FftProblem& problem, const std::vector<Pass>& passes,
                                const Tuning& given, const Target& target);

}  // namespace sonoma
