// Where the points of a tile lie in shared memory.
#pragma once

#include <vector>

#include "sonoma/schedule.hpp"

namespace sonoma {

/// The swizzle with the fewest bank conflicts over all trips of the passes that share a kernel.
[[nodiscard]] Swizzle choose_swizzle(const std::vector<const Schedule*>& schedules);

/// Those of a schedule whose layouts are known.
void choose_places(Schedule& schedule, const Target& target);

}  // namespace sonoma
