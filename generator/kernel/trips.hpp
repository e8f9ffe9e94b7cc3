// Trips of the tile through shared memory.
#pragma once

#include <vector>

#include "sonoma/schedule.hpp"

namespace sonoma {

/// Of the largest magnitude a warp has found.
constexpr unsigned maximum_bytes = 4;

/// A layout in which shared memory is written or read; `blocks` see shared_access().
struct Trip {
  Layout layout;
  std::vector<DigitId> blocks;
  bool turns = false;      ///< from one kind of rounds to the other: see Turn
  Residues residues = {};  ///< by remainders
  ThreadRows rows = {};
};

/// Writes and reads, alternating, in program order.
[[nodiscard]] std::vector<Trip> shared_trips(const Schedule& schedule);

}  // namespace sonoma
