// Decompositions worth a search.
#pragma once

#include <vector>

#include "sonoma/decomposition.hpp"
#include "sonoma/shape.hpp"

namespace sonoma {

/// Every order of so many steps of radix `least` to `most` that multiply to n, large ones first.
[[nodiscard]] std::vector<Decomposition> trees_of(std::int64_t n, unsigned steps, unsigned most,
                                                  unsigned least = 2);

/// The same with radices to largest_composite_radix, which are no usual ones.
[[nodiscard]] std::vector<Decomposition> wide_trees_of(std::int64_t n, unsigned steps,
                                                       unsigned least);

/// Those of trees_of(), of the smallest largest radix first; of these, of the same radices the
/// ascending order first.
[[nodiscard]] std::vector<Decomposition> trees_in_order(std::int64_t n, unsigned steps,
                                                        unsigned most);

/// Opposite butterflies of so many points in all: each block of a cluster has some of every one,
/// which lie side by side in memory, in whole sectors of 4.
[[nodiscard]] constexpr bool shares_sectors(std::int64_t points, unsigned blocks) {
  return blocks == 1 || points % (std::int64_t{4} * blocks) == 0;
}

/// The fewest steps of radix up to largest_radix that multiply to n, and one step more; of either
/// number of steps the 16 orders whose radices differ least. `opposite`: two steps or more; that of
/// this phase counts twice, and numbers the `blocks` of a cluster by whole sectors.
[[nodiscard]] std::vector<Decomposition> mixed_trees(std::int64_t n,
                                                     OppositePhase opposite = OppositePhase::none,
                                                     unsigned blocks = 1);

/// What a search tries beside: of long blocks, where radices above largest_usual_radix save a step
/// of those, the 16 orders of as few whose radices differ least.
[[nodiscard]] std::vector<Decomposition> searched_trees(
    std::int64_t n, OppositePhase opposite = OppositePhase::none, unsigned blocks = 1);

}  // namespace sonoma
