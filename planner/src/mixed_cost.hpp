// What the cost model expects of the kernel of a tile that is no power of two, before there is one.
#pragma once

#include <array>
#include <limits>

#include "mixed_registers.hpp"
#include "mixed_shape.hpp"
#include "profile.hpp"
#include "sonoma/cost_model.hpp"
#include "sonoma/filling.hpp"
#include "step_costs.hpp"

namespace sonoma {

/// Cycles of a shape that is out of the question.
constexpr double impossible_cycles = 1e6;

/// Threads that go round are so many at least.
constexpr unsigned fewest_threads = 64;

/// Registers of a thread, and cycles for a point that the cost model expects with these.
struct Expected {
  unsigned registers = 0, missing = 0;
  double cycles = impossible_cycles;
};

/// Of one tree, whose shapes are asked for one after the other: what the next has in common with
/// the last is not computed again.
class Expecting {
 public:
  Expecting(const Decomposition& tree, const MixedKernel& kernel, Norms& norms);

  /// With as many blocks an SM as have the registers that they need, as leave the cache its room,
  /// or one more whose threads miss some registers: whichever takes the fewest cycles. If they are
  /// not `below`, other cycles that are not.
  [[nodiscard]] Expected of(const Filling& filling, const MixedShape& shape,
                            double below = std::numeric_limits<double>::infinity());

  /// No more cycles than of() gives on any number of threads, fewest_threads or all of them.
  [[nodiscard]] double at_least(const Fillings& fillings, const MixedShape& shape);

 private:
  void count(const Filling& filling);
  /// With `blocks_of_sm` and `bytes` of shared memory each.
  struct Blocks {
    unsigned blocks_of_sm, bytes;
  };
  [[nodiscard]] Expected with(const Blocks& blocks, const Filling& filling, const Shares& shares,
                              double below);
  [[nodiscard]] Norm& norm_of(unsigned blocks) { return norms_[(blocks - 1) % norms_.size()]; }
  [[nodiscard]] double total_with(double norm, const CostEstimate& cost,
                                  const Shares& shares) const;

  const MixedKernel& kernel_;
  const StepCosts steps_;
  const NeededRegisters registers_;
  const Speeds& speeds_;
  const Overlap& overlap_;
  const unsigned blocks_of_sm_, threads_of_sm_;
  const bool plain_;  // few registers beside the points
  const bool pairs_;  // opposite butterflies
  Filling counted_;   // of which those are:
  CostEstimate cost_;
  Busy busy_ = {};
  unsigned needed_ = 0, with_registers_ = 0;  // of a thread; threads of an SM that have them
  struct KnownNorm {
    double at_least = 0;  // 0: not yet known
    bool exactly = false;
  };
  std::array<KnownNorm, most_blocks_of_sm> known_ = {};  // of busy_, by blocks of an SM
  Norms& norms_;
};

/// Of one shape. Throws UnsupportedProblem where no digits number the blocks and rounds that share
/// a tile.
[[nodiscard]] Expected expected_of(const Decomposition& tree, const MixedShape& shape,
                                   const MixedKernel& kernel);
/// Infinite where that throws.
[[nodiscard]] double cycles_of(const Decomposition& tree, const MixedShape& shape,
                               const MixedKernel& kernel);

}  // namespace sonoma
