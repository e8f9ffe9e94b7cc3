// How many blocks of a kernel an SM holds at once, and what keeps it from holding more.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "sonoma/cuda_source.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// What an SM has so much of. shared_memory: of all blocks; blocks: that it can number.
enum class SmResource { threads, blocks, registers, shared_memory };
[[nodiscard]] std::string to_string(SmResource resource);

struct Occupancy {
  unsigned blocks = 0;                       ///< on an SM; 0: not one fits
  unsigned warps = 0, most_warps = 0;        ///< of these, and that an SM holds
  unsigned by_threads = 0, by_blocks = 0;    ///< blocks that each resource alone has room for
  unsigned by_registers = 0, by_shared = 0;  ///< the same
  std::vector<SmResource> limiters;          ///< those with the least room

  auto operator<=>(const Occupancy&) const = default;

  /// Warps over those that an SM holds at most.
  [[nodiscard]] double share() const { return static_cast<double>(warps) / most_warps; }
};

/// `registers`: of a thread, as the compiler says. `static_shared_bytes`: beside the launch's.
/// Clusters as if their blocks were on their own. As NVIDIA's occupancy calculator says
/// (cuda_occupancy.h): a warp gets registers in 256s, of one of an SM's four parts; a block gets
/// shared memory in 128 bytes (sm_75: 256), beside 1 KB for the system from sm_80 on.
[[nodiscard]] Occupancy occupancy_of(const LaunchShape& launch, unsigned registers,
                                     unsigned static_shared_bytes, const Target& target);

}  // namespace sonoma
