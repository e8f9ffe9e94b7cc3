// The text of one kernel and everything needed to launch it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// A grid of one dimension.
struct LaunchShape {
  unsigned threads = 0;               ///< per block
  unsigned shared_bytes = 0;          ///< dynamic shared memory of a block
  unsigned transforms_per_block = 0;  ///< of a batch, at most
  /// Blocks that hold a tile together and reach each other's shared memory; 1: each has its own.
  unsigned cluster = 1;
  /// Of one of the batch, where a pass makes several transforms of it; 0: a block takes
  /// transforms_per_block of the batch.
  std::uint64_t blocks_per_batch = 0;
  std::uint64_t more_blocks = 0;  ///< beside those of the batch
  /// So many blocks, as many as the GPU holds, stay for a tile after the other, and those behind
  /// them, which begin where one has ended, take what is left: see tiles.cuh. 0: every block takes
  /// one tile.
  std::uint64_t stays = 0;
  unsigned counter_bytes = 0;  ///< at the head of the workspace, zero before a launch
  /// It may begin while the launch before it ends, and waits itself for what that one stored
  /// (programmatic dependent launch). A launch that begins when all before have ended is right too.
  bool follows = false;
  /// Where more blocks than these would lie on an SM, which registers decide, its L1 cache would
  /// have little room. Blocks shall take this much of its shared memory then, in percent
  /// (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT). 0: as the driver decides.
  unsigned most_blocks = 0, carveout = 0;

  /// Of those that stay: tiles of each. A sixteenth of all tiles, and more of few, is left: SMs are
  /// not equally fast.
  [[nodiscard]] std::uint64_t tiles_of_each(std::uint64_t batch) const {
    const std::uint64_t tiles = batch / stays * 15 / 16;
    return tiles == 0 ? 1 : tiles;
  }
  [[nodiscard]] std::uint64_t blocks(std::uint64_t batch) const {
    if (stays != 0) return stays + batch - stays * tiles_of_each(batch);
    if (blocks_per_batch != 0) return blocks_per_batch * batch + more_blocks;
    const std::uint64_t tiles =
        batch / transforms_per_block + (batch % transforms_per_block != 0 ? 1 : 0);
    return tiles * cluster;
  }

  auto operator<=>(const LaunchShape&) const = default;
};

/// A self-contained CUDA translation unit with one kernel
///
///   extern "C" __global__ void NAME(const float2* in, float2* out, const uint4* tables,
///                                   unsigned long long batch);
///
/// in, out: aligned as FftProblem::alignment says, may be equal; tables: the words below, 32-byte
/// aligned, read only. A kernel of two passes takes a workspace, `unsigned* workspace`, behind
/// those: see LaunchShape. One with code of the caller's takes, behind that, `unsigned long long
/// first_transform`, the number in the batch of the first transform of the launch, and `const void*
/// user`. One that multiplies by the spectrum of a filter takes that, `const float2* spectrum`,
/// behind all of these, whichever of them it uses.
struct CudaSource {
  std::string name;                   ///< of the kernel, as extern "C"
  std::string text;                   ///< CUDA C++, self-contained
  LaunchShape launch;                 ///< how it is launched
  std::vector<std::uint32_t> tables;  ///< size a multiple of 4; may be empty

  auto operator<=>(const CudaSource&) const = default;
};

}  // namespace sonoma
