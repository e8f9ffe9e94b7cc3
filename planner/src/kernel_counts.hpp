// What a kernel issues and moves for each point, counted from its operations.
#pragma once

#include "sonoma/schedule.hpp"

namespace sonoma {

// Instructions for each point, fitted to the static SASS of 221 kernels without spills (NVRTC
// 13.0.88, sm_90; every length, radix, engine, storage and number of products, 8 to 32 points a
// thread), off by 9 % (simt) and 4 % (mma) in the root mean square

struct EngineCosts {
  double io, thread;           // load and store; for each thread
  double convert;              // from and to 16 bits
  double shared, shared_pair;  // an access of one point, or of two at once
};
inline constexpr EngineCosts simt_costs = {1.4, 75, 1.5, 1, 0.9};
inline constexpr EngineCosts mma_costs = {1, 123, 1.9, 3.7, 0.5};
inline constexpr double twiddle_cost = 4;
// Of a pair a spectrum, two sums and two products.
inline constexpr double cost_of_filter = 14;

/// Of a point of the tile.
struct KernelCounts {
  double instructions = 0, wavefronts = 0;
  double mmas = 0;   ///< by its warp
  double bytes = 0;  ///< moved
};
[[nodiscard]] KernelCounts count_kernel(const Schedule& schedule);

}  // namespace sonoma
