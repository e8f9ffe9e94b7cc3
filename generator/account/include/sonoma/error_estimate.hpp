// How far results lie from the exact ones: at most, and on average.
#pragma once

#include <compare>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// Of |y - X|_2 / |X|_2 of each transform. See docs/accuracy.md.
struct ErrorEstimate {
  /// Proven: for every input whose result, as stored, neither overflows nor is subnormal; of packed
  /// points no sum on the way either.
  double bound = 0;
  /// Of random input: the mean square of errors that are independent of each other, and the mean
  /// along the result, which truncation leaves.
  double mean_square = 0, bias = 0;

  auto operator<=>(const ErrorEstimate&) const = default;

  /// The root of the mean square, for random input.
  [[nodiscard]] double expected() const;
  /// With that of what follows: relative errors pass through a transform unchanged.
  ErrorEstimate& operator+=(const ErrorEstimate& later);
};

}  // namespace sonoma
