// Where a tile meets global memory.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "sonoma/schedule.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma {

/// One side of a pass: where the points of a tile lie, and which of them are there. All in points.
struct Access {
  std::vector<std::uint32_t> memory;  ///< stride of every digit of the tile
  /// Of every digit in the number of the point within its whole transform.
  std::vector<std::uint32_t> index;
  /// Of every loop of the pass in that number, behind the tile's own digits.
  std::vector<std::int64_t> loops;
  /// The same in the number that code of the caller's is told, `index`.
  std::vector<std::uint32_t> told;
  std::vector<std::int64_t> told_loops;
  std::int64_t present = 0;  ///< points of a transform that are there, the first ones; 0: all
  /// Of Hermitian points, of which memory has those up to half: how many there are, how far apart
  /// they lie, and how many memory has. `rows`: of those that are stored, see
  /// Pass::hermitian_rows(). See storage_real.cuh.
  struct Hermitian {
    std::int64_t n = 0, stride = 1, stored = 0, rows = 0;
    auto operator<=>(const Hermitian&) const = default;
  };
  std::optional<Hermitian> hermitian = {};
  /// Of the real numbers of a cosine or sine transform, where `memory` is from the first of them
  /// on, of each transform: how they are points, how many there are, how far apart they lie, how
  /// many memory has, and the rest of their definition. See trigonometric.hpp.
  struct Trigonometric {
    Numbers numbers = Numbers::extended;
    std::int64_t n = 0, stride = 1, stored = 0;
    bool sine = false, orthogonal = false;
    bool pairs = false;  ///< points are pairs of those of the DFT
    auto operator<=>(const Trigonometric&) const = default;
  };
  std::optional<Trigonometric> trigonometric = {};
  bool columns_end = false;  ///< the tile may have more columns than there are
  unsigned together = 1;     ///< neighbours that may travel together

  auto operator<=>(const Access&) const = default;
};

/// True where the numbers of the tile's points depend on the block.
[[nodiscard]] bool differs_by_block(const Access& access);

[[nodiscard]] Access access_of(const Schedule& schedule, bool input);

/// A staged load may copy to shared memory what memory has. Not where points are converted on the
/// way, where memory has them in another order than the tile, or where single ones are all that is
/// aligned.
[[nodiscard]] bool can_copy(const Schedule& schedule);

}  // namespace sonoma
