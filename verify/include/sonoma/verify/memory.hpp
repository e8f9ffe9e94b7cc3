// Rows of transforms in memory as a problem lays it out, and other ways to call what computes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sonoma/problem.hpp"
#include "sonoma/verify/check.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {

/// Bytes before and behind the points of a side that belong to none.
inline constexpr std::size_t guard_bytes = 1024;

/// Where point t of a transform lies, in points from the first one on. The points are numbered in
/// the order of the axes, the last one fastest.
[[nodiscard]] std::int64_t place_of(const std::vector<Axis>& axes, bool input, std::int64_t t);

/// Executes `problem` on images of both sides' memory: in_points() and out_points() points behind
/// guard_bytes, and guard_bytes behind them. Leaves the images as that memory is afterwards. In
/// place: all is in `out`, which has room for the larger side; `in` is empty.
using ExecuteFn = std::function<void(const FftProblem& problem, std::span<std::byte> in,
                                     std::span<std::byte> out)>;

/// Executions as a PackedTransformFn of rows of n points, of channels of as many rows each: puts
/// those that the problem has in memory to their places, FFTW's strides, distances and loops, and
/// takes back those that it stores; the others stay. All other memory is filled with large numbers,
/// which spoil what reads them.
class InMemory {
 public:
  /// The batch of the problem does not matter; that of its executions is `least_batch` or more.
  /// Rows are repeated where the loops, or the batch, have more transforms.
  InMemory(FftProblem problem, ExecuteFn execute, std::int64_t least_batch = 1);

  void operator()(const std::byte* in, std::byte* out, std::int64_t rows);

  /// Bytes that an execution changed and may not have: of the input of a transform out of place,
  /// between the points that it stores, before and behind them.
  [[nodiscard]] std::int64_t changed() const { return changed_; }

 private:
  FftProblem problem_;
  ExecuteFn execute_;
  std::int64_t least_batch_, transforms_ = 1;  // the latter in one of the batch
  std::int64_t changed_ = 0;
};

/// check_transform() of executions: in pieces of at most `most` transforms, and in natural order.
/// Memory that they change and may not have is one more finding.
struct Executions {
  ExecuteFn execute;
  /// Where frequency k lies in a row by a plan of that batch, of problems in transposed order.
  std::function<std::function<std::int64_t(std::int64_t k)>(std::int64_t batch)> place_of;
  std::int64_t most = INT64_MAX;
  std::int64_t least_batch = 1;  ///< see InMemory
};
[[nodiscard]] Report check_executions(const Executions& executions, const FftProblem& problem,
                                      const Roundings& roundings, const CheckOptions& options = {});

}  // namespace sonoma::verification
