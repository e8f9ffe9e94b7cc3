// Columns of a block: transforms whose points are neighbours in memory.
#pragma once

#include <cstdint>

#include "profile.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {

/// Rows that are loops, and not the batch, because code of the caller's tells them apart.
[[nodiscard]] bool are_rows_of_code(const Pass& pass);

/// Transforms side by side that a block of `pass` takes, unless `tuning` says so.
[[nodiscard]] unsigned columns_of(const Tuning& tuning, const Pass& pass, const Target& target);

/// Points that a tile of bits may have.
[[nodiscard]] unsigned tile_of_bits(const Target& target);

/// Transforms whose points are neighbours in memory: so many, and from a point of one to its next
/// one `apart` points, where they are stored, or, where that is in rows, read.
struct SideBySide {
  std::int64_t columns, apart;
  bool stored = true;
  bool begins_sector = true;  ///< the first point of each transform of a batch
};

/// Of a pass. All as if they began with a sector: so the numbers of columns were measured that
/// shipped choices leave open.
[[nodiscard]] SideBySide side_by_side(const Pass& pass);

/// Of two passes, whose rows begin with a sector in the workspace.
[[nodiscard]] SideBySide columns_of_first(std::int64_t other);

[[nodiscard]] SideBySide columns_of_last(std::int64_t other);

/// Of the two passes of a real transform, see real_passes(): that over the numbers takes pairs of
/// neighbours where there are such. Of the frequencies each transform has n / 2 + 1, so that most
/// transforms of a batch begin within a sector.
[[nodiscard]] SideBySide columns_of_numbers(std::int64_t other, bool stored);

[[nodiscard]] SideBySide columns_of_frequencies(std::int64_t other, bool stored);

/// How much more than its points the columns of a block move: sectors of 32 bytes that are not
/// theirs, where rows do not begin with one, and short pieces of DRAM's pages; and what large tiles
/// lose, of which few fit an SM.
[[nodiscard]] double waste_of_columns(unsigned n, SideBySide all, unsigned columns,
                                      const ColumnWeights& weights);

/// What they cost: what they waste, and where the last block of a row has fewer, its idle threads
/// and places in memory that are found by an index.
[[nodiscard]] double cost_of_columns(unsigned n, SideBySide all, unsigned columns,
                                     const ColumnWeights& weights);

/// Of a length that is no power of two: up to 32 columns, for which the tile has room, of the least
/// cost. Beside columns by the bits a length by the bits would make a tile of bits, whose strides
/// in memory are not.
[[nodiscard]] unsigned mixed_columns(unsigned n, SideBySide all, LastBlock last, unsigned tile,
                                     const ColumnWeights& weights);

/// Of two passes of a launch each, of such transforms.
[[nodiscard]] double cost_of_passes(std::int64_t first, std::int64_t second, LastBlock last,
                                    Domain domain = Domain::c2c);

}  // namespace sonoma
