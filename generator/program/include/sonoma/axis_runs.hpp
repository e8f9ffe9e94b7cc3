// How the launches of a program follow each other over a batch.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sonoma/program.hpp"

namespace sonoma {

/// Launches that go over the batch together: those of one axis. For the transforms [first, first +
/// together) of the batch all of them run, then for the next ones.
struct AxisRun {
  std::size_t first = 0, last = 0;  ///< of the program's launches, and the one behind them
  std::int64_t repeat = 1;          ///< transforms of this axis for each of the batch
  std::int64_t together = 0;        ///< of those at once; 0: all
  /// From one of them to the next. What lies in Buffer::workspace begins there anew each time.
  std::uint64_t in_bytes = 0, out_bytes = 0, spectrum_bytes = 0;

  auto operator<=>(const AxisRun&) const = default;
};

/// In the order in which they run.
[[nodiscard]] std::vector<AxisRun> axis_runs(const Program& program);

}  // namespace sonoma
