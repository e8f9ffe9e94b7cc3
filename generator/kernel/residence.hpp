// How many blocks an SM holds at a time, and what follows from that.
#pragma once

#include "sonoma/schedule.hpp"

namespace sonoma {

/// By their threads, shared memory, and so many registers of a thread.
[[nodiscard]] unsigned resident_blocks(const Schedule& schedule, const Target& target,
                                       unsigned most_registers);

/// Where more blocks than there are to be would leave the L1 cache little room, and registers may
/// allow them: as much shared memory as those take. The driver gives it to as many as fit.
void leave_room_for_cache(Schedule& schedule, const Target& target);

/// Whose tile a block asks the L2 cache for, if it does. Where that is open, it decides.
void choose_prefetch(Schedule& schedule, const Target& target);

}  // namespace sonoma
