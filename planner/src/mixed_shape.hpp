// Shapes of blocks of lengths that are no power of two: for the search.
#pragma once

#include <vector>

#include "sonoma/filling.hpp"

namespace sonoma {

/// Registers that a thread takes beside those of its points, for steps with prime factors above 13:
/// there are more points and results of a prime at a time than points.
[[nodiscard]] unsigned registers_of_large_primes(const Decomposition& decomposition);

/// Shapes of a decomposition of a length that is no power of two, the most promising first.
[[nodiscard]] std::vector<MixedShape> mixed_shapes(const Decomposition& decomposition);

}  // namespace sonoma
