// What the cost model expects of blocks that stay for a tile after the other.
#pragma once

#include "profile.hpp"

namespace sonoma {

/// What they do, in cycles of an SM for a point, and how.
struct StayingWork {
  double issue = 0;           ///< of instructions
  double shared = 0;          ///< of wavefronts
  unsigned laps_of_ends = 1;  ///< of the first and the last phase, which agree
  unsigned laps_within = 0;   ///< of each phase between them those beyond the first one, added up
  unsigned points = 1;        ///< of a thread
  unsigned registers = 1;     ///< that it has
  unsigned missing_registers = 0;
};

/// any + a issue + b shared + c (laps of the ends - 1) + d laps within + e (2 - (registers - 2
/// points) / points), that for each missing register longer: see StayingBlocks.
[[nodiscard]] double staying_cycles(const StayingWork& work, const StayingBlocks& costs);

}  // namespace sonoma
