// One-dimensional power-of-two transforms beside cuFFT and a copy.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "result.hpp"

namespace sonoma::bench {

struct Pow2Options {
  int log2_points = 26;  ///< points of a batch: 2^26 are 512 MiB, far beyond the L2
  int repetitions = 15;  ///< each runs every contender once; medians are over them
  bool with_cufft = true;
};

/// n = 2 to 8192 (as far as the batch has that many points), complex FP32, out of place, forward.
/// All contenders of a length share input, output, stream and repetitions, so that drift of clocks
/// hits all alike. `report` is called for each result as soon as it is there. Throws FftError, also
/// where there is no GPU.
void run_pow2_suite(const Pow2Options& options, const std::function<void(const Result&)>& report);

}  // namespace sonoma::bench
