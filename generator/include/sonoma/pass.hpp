// One launch: which transforms it makes, where their points lie, and what else it does on the way.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma {

/// A pass as one of several that make up a transform.
struct Part {
  std::vector<std::int64_t> lengths;  ///< of all passes; their product is that of the transform
  unsigned number = 1;                ///< of this one, from 1 on
  FftProblem whole;                   ///< batch 1

  auto operator<=>(const Part&) const = default;
};

/// DFTs of length problem.n() over points `in_stride` apart on the way in and `out_stride` apart on
/// the way out, repeated by `loops` and then by the batch.
///
/// A transform of length N = n1 n2 is two passes (decimation in frequency over digits that are
/// whole passes; "four-step": D. H. Bailey, "FFTs in external or hierarchical memory", J.
/// Supercomputing 4, 1990; seed 002): n2 columns of n1 points, a twiddle w_N^(k1 t0), n1 rows of n2
/// points.
struct Pass {
  FftProblem problem;  ///< of one transform of the pass; its batch and placement do not matter
  Storage out_storage = Storage::f32;
  std::int64_t in_stride = 1, out_stride = 1;
  std::vector<Loop> loops;  ///< innermost first; a block takes neighbours of the first one
  std::int64_t in_dist = 0, out_dist = 0;  ///< from one of the batch to the next
  /// N, or 0 for none: output k of the transform c of loops[0] is multiplied by
  /// exp(sign 2 pi i k c / N).
  std::int64_t twiddle_length = 0;
  std::optional<Part> part = {};

  auto operator<=>(const Pass&) const = default;

  [[nodiscard]] std::int64_t n() const { return problem.n(); }
};

/// The whole problem in one launch.
[[nodiscard]] Pass single_pass(const FftProblem& problem);

/// From the first point that `batch` of them read (write) to behind the last one.
[[nodiscard]] std::int64_t in_points(const Pass& pass, std::int64_t batch);
[[nodiscard]] std::int64_t out_points(const Pass& pass, std::int64_t batch);

/// True if the points of a batch lie one after the other on both sides.
[[nodiscard]] bool is_contiguous(const Pass& pass);

/// Throws UnsupportedProblem for a pass that cannot be addressed.
void validate(const Pass& pass);

[[nodiscard]] std::string to_string(const Pass& pass);

}  // namespace sonoma
