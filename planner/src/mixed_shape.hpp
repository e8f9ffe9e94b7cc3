// Steps and shapes of tiles that are no power of two.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sonoma/filling.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {

/// What the kernel of a tile that is no power of two has beside its steps.
struct MixedKernel {
  Target target;
  bool laps = false;             ///< its threads may go round: see Tuning::threads
  unsigned other_registers = 0;  ///< beside those of points
  OppositePhase opposite = OppositePhase::none;
  bool filters = false;  ///< its steps run there, to a product with a spectrum, and back
  Sums sums = Sums::fp32;
  bool of_pass = false;  ///< one of several launches
  bool powers = false;   ///< its factors are powers, where sums are FP32: see takes_powers()
  bool coprime = false;  ///< it may have no factors between its last two steps: see coprime_phase
  bool laps_at_need = false;  ///< its threads may go round where no shape is possible otherwise
  bool in_order = false;      ///< where they do, points in order lie beside the tile: method rader

  auto operator<=>(const MixedKernel&) const = default;
};

/// `opposite`: see Tuning::opposite.
[[nodiscard]] MixedKernel mixed_kernel(const Pass& pass, Method method, const Target& target,
                                       bool opposite = false);

/// Of a length that is no power of two, shared by blocks and rounds, the steps and shapes that fill
/// an SM best, `few` at most.
[[nodiscard]] std::vector<std::pair<Decomposition, MixedShape>> best_in_parts(
    std::int64_t n, const Shares& shares, const MixedKernel& kernel, std::size_t few);

/// Steps of a tile, no power of two, that blocks and rounds share: of those whose digits can number
/// them the fewest, and of these the ones that are most alike. Throws UnsupportedProblem where
/// there are none.
[[nodiscard]] Decomposition steps_in_parts(std::int64_t n, const Tuning& wish,
                                           const Target& target);

/// Of a length that is no power of two, of one block, the steps whose best shape the cost model
/// likes best, as far as points of a thread and of a block leave that open; with factors above 13,
/// or up to 16 points, those of decompose().
[[nodiscard]] Decomposition fastest_steps(std::int64_t n, const Tuning& wish,
                                          const MixedKernel& kernel);

/// Points of a thread and of a block, registers and threads, as far as they are open, of a length
/// that is no power of two. Method and decomposition are known.
void choose_mixed_shape(Shape& shape, const Tuning& wish, const MixedKernel& kernel);

/// The most threads that a block has, and those of a block with one for each butterfly of the phase
/// that has most of them.
constexpr unsigned most_threads_of_block = 1024;
[[nodiscard]] unsigned butterflies_of(const Shape& shape);

/// The cost model chooses steps, and threads that go round: it was fitted to prime factors up to
/// 13, and orders those above 31 well enough (bench/NOTES.md, twenty-first session). What lies
/// between has the default steps.
[[nodiscard]] bool goes_by_cost_model(std::int64_t n);

/// Steps with prime factors above 13.
[[nodiscard]] bool has_large_primes(const Decomposition& decomposition);

/// Shapes of a decomposition of a length that is no power of two, the most promising first.
/// `counts`: of transforms that a block takes; empty: one, or more for small blocks. `shares`: the
/// blocks and rounds that share a tile; none where the steps cannot number them.
[[nodiscard]] std::vector<MixedShape> mixed_shapes(const Decomposition& decomposition,
                                                   const MixedKernel& kernel,
                                                   std::vector<unsigned> counts = {},
                                                   const Shares& shares = {});

}  // namespace sonoma
