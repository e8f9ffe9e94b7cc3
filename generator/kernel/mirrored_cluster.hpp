// Of several axes, by a cluster: which points each block has in the order of memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/schedule.hpp"

namespace sonoma {

/// Blocks share the points of a real transform that lie in shared memory in the order of memory.
[[nodiscard]] bool mirrors_in_cluster(const Schedule& schedule);

/// A digit p / stride % count of a point's number p that counts blocks: block r has those of which
/// it is r / weight % count.
struct BlockDigit {
  std::uint32_t stride = 1, count = 1, weight = 1;
};
/// Of the mirrored side, in the order of memory, the slowest first: what is taken out of a number
/// leaves the faster ones where they are. Empty where one block has all points.
[[nodiscard]] std::vector<BlockDigit> block_share(const Schedule& schedule);

/// Where point p is among those of its block, which follow each other in the order of memory.
[[nodiscard]] std::uint32_t place_in_block(const std::vector<BlockDigit>& share, std::uint32_t p);

/// Threads that take few points each there, as its registers let an SM have them; 0 where nothing
/// is mirrored in a cluster.
[[nodiscard]] std::uint32_t threads_of_mirrored(const Schedule& schedule, const Target& target);

/// Of op::LoadMirrored and op::StoreMirrored, as mirrored_cluster.cuh has them, of all blocks.
[[nodiscard]] Wavefronts count_mirrored_of_cluster(const Schedule& schedule, bool input);

}  // namespace sonoma
