// What columns of a pass cost, and how many there are.
#pragma once

#include <cstdint>

#include "profile.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// Points that a tile of bits may have.
[[nodiscard]] unsigned tile_of_bits(const Target& target);

/// How much more than its points the columns of a block move: sectors of 32 bytes that are not
/// theirs, where rows do not begin with one, and short pieces of DRAM's pages; and what large tiles
/// lose, of which few fit an SM.
[[nodiscard]] double waste_of_columns(unsigned n, std::int64_t side_by_side, unsigned columns,
                                      const ColumnRules& rules);

/// Of a length that is no power of two: a divisor, up to 32, that the tile has room for, with the
/// least waste. Beside columns by the bits a length by the bits would make a tile of bits, whose
/// strides in memory are not. Of a whole transform, where there is none worth while, the last block
/// of a row has fewer.
[[nodiscard]] unsigned mixed_columns(unsigned n, std::int64_t side_by_side, bool whole,
                                     unsigned tile, const ColumnRules& rules);

}  // namespace sonoma
