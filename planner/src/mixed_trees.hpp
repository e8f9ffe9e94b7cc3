// Decompositions of lengths that are no powers of two.
#pragma once

#include <vector>

#include "sonoma/decomposition.hpp"

namespace sonoma {

/// The fewest steps of radix up to largest_radix that multiply to n, and one step more; of either
/// number of steps the 16 orders whose radices differ least.
[[nodiscard]] std::vector<Decomposition> mixed_trees(std::int64_t n);

}  // namespace sonoma
