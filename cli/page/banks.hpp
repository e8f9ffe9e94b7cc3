// One access of a warp to the 32 banks of shared memory.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sonoma/swizzle.hpp"

namespace sonoma::cli::page {

constexpr int no_lane = -1;

/// What the banks do in one cycle: which lane's word each of them moves, or no_lane.
struct Wavefront {
  std::array<int, 32> lanes;
  bool conflict = false;  ///< it is there because a bank had several words to move
};

/// The first access of the first warp, wavefront after wavefront: lanes that are served together
/// (8 of 16 bytes, 16 of 8) begin a new one, and so does every further word of a bank.
[[nodiscard]] std::vector<Wavefront> wavefronts_of(const SharedAccess& access,
                                                   const Swizzle& swizzle);

[[nodiscard]] std::string banks_svg(const std::vector<Wavefront>& wavefronts,
                                    const std::string& label);

}  // namespace sonoma::cli::page
