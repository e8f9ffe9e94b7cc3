// What a kernel will take, without a GPU.
#pragma once

#include <compare>

#include "sonoma/program.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// Cycles of one SM for one point, in each of the resources that a kernel takes, and what they add
/// up to. The formula and the source of every constant are in cost_model.cpp.
struct CostEstimate {
  double memory = 0;               ///< of the bytes moved, at the speed of a copy
  double copy = 0;                 ///< of a copy: each point read once and written once
  double issue = 0;                ///< instructions, at four a cycle
  double shared = 0;               ///< wavefronts of shared memory
  double tensor = 0;               ///< matrix products
  unsigned blocks = 1;             ///< resident on an SM
  double loading_warps = 1;        ///< of an SM, with points in the first lap, which loads
  double each_lap = 1;             ///< and of those, in the mean over its laps
  double factors = 0;              ///< of a point: reads of a table, or of smaller ones
  bool crowded = false;            ///< shared memory leaves little of an SM's L1 cache
  unsigned missing_registers = 0;  ///< that a thread needs and has not: it spills
  double total = 0;

  auto operator<=>(const CostEstimate&) const = default;

  /// Share of the speed of a copy, as in the benchmark.
  [[nodiscard]] double eff() const { return copy / total; }
};

/// For a large batch.
[[nodiscard]] CostEstimate estimate_cost(const Schedule& schedule, const Target& target);

/// The passes of a program, one after the other. Throws as schedule() does. Clusters as if their
/// blocks shared nothing.
[[nodiscard]] CostEstimate estimate_cost(const Program& program, const Target& target);

}  // namespace sonoma
