// The best shape of one block of so many points, of a length that is no power of two: what steps
// and default shapes are judged by.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "mixed_cost.hpp"
#include "mixed_shape.hpp"
#include "sonoma/filling.hpp"

namespace sonoma {

/// The most points of a thread by default, and where a block has too many threads otherwise.
constexpr unsigned usual_points = 32;

/// The most points of a block by default: where n leaves room, small blocks cover each other's
/// barriers.
constexpr unsigned usual_block = 2048;

/// Opposite butterflies of a cluster: a thread holds two of them, and has room for as many points
/// of other phases, whose loads then are under way together. On an H200 138240 real numbers had .41
/// of a copy's speed with 24 points at a time, .56 with 48.
[[nodiscard]] unsigned usual_points_of(const Decomposition& tree, const Tuning& wish,
                                       const MixedKernel& kernel);

/// Convolutions have twice the barriers: blocks of two at 1500 points are a tenth faster.
[[nodiscard]] unsigned usual_block_of(const MixedKernel& kernel);

/// Threads of a block: as many as the phases take (0), or so few that all their items are taken in
/// some whole number of laps. No other where a phase leaves nothing to a barrier.
void count_threads(std::vector<unsigned>& counts, const Fillings& fillings, const MixedShape& shape,
                   const MixedKernel& kernel);

/// Others leave every phase with as many points as fewer do: its steps fill them by whole digits.
[[nodiscard]] bool may_fill(const Decomposition& tree, unsigned points);

struct JudgedShape {
  MixedShape shape;
  double cycles;
};

/// Judges blocks of one kernel.
class BlockJudge {
 public:
  BlockJudge(const Tuning& wish, const MixedKernel& kernel) : wish_(wish), kernel_(kernel) {}

  /// Of a block of so many points the shape to take, of threads of up to `most_points`, or of one
  /// butterfly. Nothing where all of them are known to take at least `below` cycles.
  [[nodiscard]] std::optional<JudgedShape> best(
      const Decomposition& tree, unsigned block, unsigned most_points,
      double below = std::numeric_limits<double>::infinity());

 private:
  struct Candidate {
    MixedShape shape;
    Fillings fillings;
    double at_least;  // cycles
  };
  /// Fills `candidates_`.
  void look_at(const Decomposition& tree, unsigned block, unsigned most_points,
               Expecting& expected);

  const Tuning& wish_;
  const MixedKernel& kernel_;
  Norms norms_ = {};
  std::vector<Candidate> candidates_;
  std::vector<unsigned> counts_;  // of threads
};

}  // namespace sonoma
