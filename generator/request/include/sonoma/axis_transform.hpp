// A transform of several axes as transforms along some of them after the others.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/problem.hpp"

namespace SONOMA_API sonoma {

/// The transforms along an axis, or several, all that there are in the batch of the whole:
/// dimensions that follow each other are one, and what continues the batch is part of it.
struct AxisTransform {
  FftProblem problem;       ///< of these axes
  std::int64_t repeat = 1;  ///< of its batch for each of the whole's
  std::size_t axis = 0;     ///< the first of them among those of the whole
  bool in_output = true;    ///< what axes leave for each other, see keeps_in_output()

  auto operator<=>(const AxisTransform&) const = default;
};

/// Where the points are that one axis leaves for the next: in the output, where it holds FP32, has
/// not, as of c2r, half of them, and is not cropped before all points are transformed; else in a
/// workspace, transform after transform, in FP32, as convolutions keep it.
[[nodiscard]] bool keeps_in_output(const FftProblem& problem);
/// Points of one of them there, all loops of the problem together.
[[nodiscard]] std::int64_t points_between(const FftProblem& problem);

/// Of a convolution that keeps_signals_apart(), between axes on the way to frequencies: points of
/// the signals of one of the batch, in a workspace of their own, signal after signal; else 0.
[[nodiscard]] std::int64_t points_of_signals(const FftProblem& problem);

/// Bytes of one: complex, or of cosine and sine transforms real.
[[nodiscard]] unsigned bytes_between(const FftProblem& problem);

/// The axes of more than one point in the order of their transforms: the last axis first, but,
/// where the output of c2r is real, after all others. Of one point alone the last one; and this one
/// in any case where a side is real; of cosine and sine transforms all of them.
[[nodiscard]] std::vector<std::size_t> long_axes(const FftProblem& problem);

/// One for each of long_axes(), but the first `together` of them in one. (A transform over several
/// axes is one along each, in any order: seed 000, section II.) Along the last axis it has the
/// domain of the whole, along all others it is complex, of as many columns as there are
/// frequencies; cosine and sine transforms are the same along all. Of a convolution: transforms
/// along all axes but the last one of long_axes(), that one there and back with the product
/// between, and the others back in the reverse order; real numbers as r2c, complex frequencies, and
/// c2r. The last of them has the scale; an accuracy that is asked for is shared out. Each pads its
/// own input and crops its own output: of the other axes it has the points that memory has before
/// their transforms, and those that are stored after them. The first one has load_code, the last
/// one store_code; loops that code is to tell apart are no part of the batch.
[[nodiscard]] std::vector<AxisTransform> axis_transforms(const FftProblem& problem,
                                                         std::size_t together = 1);

/// One for each axis of a transform of complex points, in the order of their lengths: the order of
/// the steps of all axes in one launch.
[[nodiscard]] std::vector<AxisTransform> axis_transforms_first_axis_first(
    const FftProblem& problem);

}  // namespace sonoma
