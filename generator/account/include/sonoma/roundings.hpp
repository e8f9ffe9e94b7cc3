// Where a transform rounds, which the error that is accepted of it depends on.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/shape.hpp"

namespace SONOMA_API sonoma {

/// Of all launches of a transform together. See roundings_of(const Program&) in program.hpp.
struct Roundings {
  Arithmetic arithmetic = Arithmetic::simt;
  /// Of a convolution: the points of its two transforms; 0: it is none. Of several axes the product
  /// of those that are convolutions, and beside it that of the lengths of the others.
  std::int64_t convolution_points = 0, direct_points = 1;
  /// Products of all points beside those transforms: by chirp, spectrum and chirp 3, by the
  /// spectrum of Rader's powers, or of a filter of the caller's, 1; and by the factors of cosine
  /// and sine transforms.
  unsigned products = 0;
  /// Products that are summed, one after the other: see Channels.
  std::int64_t channels = 1;
  /// log2 r - 1 for each step of radix r in FP64, which rounds once and so counts as one level;
  /// there and back twice.
  double spared_levels = 0;
  /// Steps that round data, and matrices, to FP16: those of `half` on tensor cores; matrices from
  /// radix 8 on, others are exact.
  unsigned half_data = 0, half_matrices = 0;
  /// One for each boundary between passes at which points are rounded to c12e8: the product of the
  /// lengths of the passes behind it.
  std::vector<std::int64_t> behind_boundaries = {};

  auto operator<=>(const Roundings&) const = default;
  /// Of sums: FP32's, or FP16's.
  [[nodiscard]] double unit_roundoff() const {
    return arithmetic == Arithmetic::packed ? 0x1p-11 : 0x1p-24;
  }
};

/// Of a transform, or a convolution with a filter, that takes one kernel.
[[nodiscard]] Roundings roundings_of(const Shape& shape, const FftProblem& problem = {});

}  // namespace sonoma
