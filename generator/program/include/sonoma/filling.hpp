// What phases make of a shape of blocks whose length is no power of two.
#pragma once

#include <compare>
#include <cstddef>

#include "sonoma/shape.hpp"

namespace sonoma {

/// Points of a thread, at most, and of a block.
struct MixedShape {
  unsigned points_per_thread = 0, block_points = 0;
  Shares shares = {};

  auto operator<=>(const MixedShape&) const = default;
};

struct Filling {
  std::size_t phases = 0;
  unsigned points = 0, threads = 0;  ///< the most of a phase; whole warps of threads
  unsigned loading = 0;              ///< threads with points in the phase that loads
  double lanes = 1;                  ///< of warps that work, for each with points; the mean
};

/// Throws UnsupportedProblem where no digits number the blocks and rounds that share a tile.
[[nodiscard]] Filling filling_of(const Decomposition& tree, const MixedShape& shape);

}  // namespace sonoma
