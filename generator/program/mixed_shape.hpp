// What is left open of a tuning for a length that is no power of two.
#pragma once

#include <cstdint>

#include "sonoma/tuning.hpp"

namespace sonoma {

/// Points of a block, at most.
constexpr unsigned largest_mixed_tile = 24576;

/// Refuses a shape that is none: any number of transforms a block, phases as they come.
void check_mixed_shape(const Tuning& tuning, std::int64_t n);

/// Steps of a tile that blocks and rounds share: of those whose digits can number them the fewest,
/// and of these the ones that are most alike. Throws UnsupportedProblem where there are none.
[[nodiscard]] Decomposition steps_in_parts(const Tuning& tuning, std::int64_t n);

/// Points of a thread and of a block, and registers, as far as they are open. The decomposition is
/// known.
void choose_mixed_shape(Tuning& tuning, std::int64_t n);

}  // namespace sonoma
