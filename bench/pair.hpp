// Two plans beside each other: is one faster, or is it noise?
#pragma once

#include "line_up.hpp"
#include "sonoma/problem.hpp"
#include "statistics.hpp"

namespace sonoma::bench {

struct PairSide {
  FftProblem problem;
  Variant variant;
};

struct PairTimes {
  struct Side {
    double ms = 0, copy_ms = 0;  ///< medians; of a copy of as many bytes in the same repetitions
    double rel_l2 = 0;           ///< the worst of a sample of transforms
  };
  Side a, b;
  /// Time of B for a byte over that of A, repetition by repetition. Where 1 is between its bounds,
  /// the difference may be noise.
  MedianInterval ratio;
};

/// On the GPU, in interleaved repetitions on one stream. Throws UnsupportedProblem, FftError.
[[nodiscard]] PairTimes time_pair(const PairSide& a, const PairSide& b, int repetitions);

}  // namespace sonoma::bench
