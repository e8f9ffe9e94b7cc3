// Two passes in one launch: the tiles that they take in turns.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/resolve.hpp"

namespace sonoma {

/// Both passes take as many tiles of a transform. They have as many points where both lengths
/// divide these; otherwise, of one axis, the last tile of either may have fewer columns. Throws
/// UnsupportedProblem where there are no such tiles.
[[nodiscard]] Launch fuse(const Launch& first, const Launch& second, const Tuning& tuning,
                          const Target& target);

/// Of pass p the tile that both lengths divide, unless it is asked for, or the columns that make as
/// many tiles as the other one has. Of powers of two any tile is one.
void choose_common_tile(Tuning& tuning, const std::vector<Pass>& passes, std::size_t p,
                        const Target& target);

/// Tiles that are whole columns of a points and of b points, of which both passes of a * b points
/// have a whole number; the smallest first, as far as a block holds them.
[[nodiscard]] std::vector<unsigned> common_tiles(std::int64_t a, std::int64_t b);

}  // namespace sonoma
