// Several axes: how many points each has on its way, and where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sonoma/axis_transform.hpp"

namespace sonoma {

/// Where the points of all axes lie, before or after one of the transforms.
struct Memory {
  Storage storage = Storage::f32;
  std::vector<std::int64_t> axes, loops;  ///< strides
  std::int64_t dist = 0;
  std::int64_t channel = 0;  ///< from one to the next, of signals
  bool caller = true;        ///< the caller's input or output
};

/// Of the caller's input or output.
[[nodiscard]] Memory side_of(const FftProblem& problem, bool input);
/// Between axes: the results of a convolution, or its signals, which may lie elsewhere.
[[nodiscard]] Memory between(const FftProblem& problem, bool of_results);

/// Along the last axis a side has half of the frequencies, in memory or between the axes.
[[nodiscard]] bool has_half(const FftProblem& problem);

/// What the points of an axis are: not transformed yet; of a convolution frequencies, on the way
/// between; or all is done.
enum class State { input, frequencies, output };

/// Points of an axis in memory, but what is cropped of the input.
[[nodiscard]] std::int64_t length_of(const FftProblem& problem, std::size_t axis, State state);

}  // namespace sonoma
