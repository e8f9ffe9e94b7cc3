// A transform as launches in order: one where it fits a block, several passes where it does not; of
// several axes those of each.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/pass.hpp"
#include "sonoma/roundings.hpp"
#include "sonoma/shape.hpp"

namespace SONOMA_API sonoma {

/// between: a workspace of its own, for what one axis leaves for the next. signals: another one, of
/// those of a convolution where results lie elsewhere.
enum class Buffer { input, workspace, output, between, signals };

/// A second pass in the same launch. Blocks take tiles of both in turns; what lies between the
/// passes is in a ring of `slots` transforms, small enough for the L2 cache. A tile of the second
/// waits for all tiles of the first of its transform; one of the first waits for all tiles of the
/// second of the transform that used its slot before.
struct Fusion {
  /// What was asked for, of tiles that are no powers of two, whose passes have shapes of their own.
  struct Asked {
    std::optional<unsigned> columns, points_per_thread, registers, threads;
    std::optional<Twiddles> twiddles;
    auto operator<=>(const Asked&) const = default;
  };

  Pass pass;
  Shape shape;  ///< of its part of the kernel
  unsigned slots = 2;
  unsigned lag = 1;  ///< tiles of the first pass that start before the first one of the second
  std::optional<Asked> asked = {};  ///< for the command that makes the kernel again

  auto operator<=>(const Fusion&) const = default;
};

struct Launch {
  Pass pass;
  Shape shape;  ///< of its kernel
  Buffer from = Buffer::input, to = Buffer::output;
  std::optional<Fusion> fusion = {};

  auto operator<=>(const Launch&) const = default;
};

/// The part of one axis, or of those that share a launch, in a program of several.
struct AxisLaunches {
  std::size_t axis = 0;      ///< the first of them among those of the whole
  FftProblem problem;        ///< of these axes, its batch 1
  std::int64_t repeat = 1;   ///< of that for each of the whole's batch
  std::size_t launches = 1;  ///< so many of the program's, behind those of the axis before
  std::int64_t transforms_together = 0, workspace_points = 0;  ///< as in Program

  auto operator<=>(const AxisLaunches&) const = default;
};

struct Program {
  FftProblem problem;  ///< batch 1
  std::vector<Launch> launches = {};
  /// Transforms that go through all launches before the next ones begin; 0: all at once. Small
  /// enough that the workspace stays in the L2 cache where one transform allows that.
  std::int64_t transforms_together = 0;
  std::int64_t workspace_points = 0;  ///< for each of those transforms
  /// Of several axes, in the order in which they run; each then goes over the whole batch.
  std::vector<AxisLaunches> axes = {};

  auto operator<=>(const Program&) const = default;

  /// Transforms of a batch that are under way at once.
  [[nodiscard]] std::int64_t together(std::int64_t batch) const;
  [[nodiscard]] std::uint64_t workspace_bytes(std::int64_t batch) const;
  /// What lies between axes is there, not in the workspace, but for signals that are kept apart.
  [[nodiscard]] bool keeps_axes_in_output() const;
  /// Of these, where what lies between axes begins: see Buffer::between, and signals.
  [[nodiscard]] std::uint64_t between_offset(std::int64_t batch) const;
  [[nodiscard]] std::uint64_t signals_offset(std::int64_t batch) const;
  /// The point, of those of one transform, that is frequency k, 0 <= k < n: see Order.
  [[nodiscard]] std::int64_t place_of(std::int64_t k) const;
};

/// The programs of its axes, one after the other: of one axis itself. Their buffers are those of
/// the whole.
[[nodiscard]] std::vector<Program> programs_of_axes(const Program& program);
/// Inverse: `parts` are what was made of `axes`, see axis_transforms(), each for its own input and
/// output.
[[nodiscard]] Program joined(const FftProblem& problem, const std::vector<AxisTransform>& axes,
                             const std::vector<Program>& parts);

/// Of all its passes together.
[[nodiscard]] Roundings roundings_of(const Program& program);
/// See error_limit.hpp.
[[nodiscard]] double error_limit(const Program& program);

/// Bytes of the counters at the head of the workspace of a launch of two passes: tickets, then
/// signals of either pass for each slot.
[[nodiscard]] unsigned counter_bytes(unsigned slots);

/// Empty, or why blocks might wait for ever: `tiles` of either pass make a transform.
[[nodiscard]] std::string check(const Fusion& fusion, std::uint64_t tiles);

[[nodiscard]] std::string to_string(Buffer buffer);
[[nodiscard]] std::string to_string(const Program& program);

}  // namespace sonoma
