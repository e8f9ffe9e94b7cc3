// Of several axes, by a cluster: which points each block has in the order of memory.
#pragma once

#include <cstdint>

#include "sonoma/schedule.hpp"

namespace sonoma {

/// Blocks share the points of a real transform that lie in shared memory in the order of memory.
[[nodiscard]] bool mirrors_in_cluster(const Schedule& schedule);

/// Block p / stride % blocks has point p of the pairs' transform there.
struct BlockShare {
  std::uint32_t stride = 1, blocks = 1;
};
/// Of the mirrored side. Throws UnsupportedProblem where several digits that are no neighbours
/// number the blocks.
[[nodiscard]] BlockShare block_share(const Schedule& schedule);

/// Threads that take few points each there, as its registers let an SM have them; 0 where nothing
/// is mirrored in a cluster.
[[nodiscard]] std::uint32_t threads_of_mirrored(const Schedule& schedule, const Target& target);

/// Of op::LoadMirrored and op::StoreMirrored, as mirrored_cluster.cuh has them, of all blocks.
[[nodiscard]] Wavefronts count_mirrored_of_cluster(const Schedule& schedule, bool input);

}  // namespace sonoma
