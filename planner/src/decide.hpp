// Parts of plan(), make_program() and resolve(), in the order in which they decide.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "profile.hpp"
#include "sonoma/axis_transform.hpp"
#include "sonoma/cost_model.hpp"
#include "sonoma/filling.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {

// ---- of wishes

/// As far as they are said: 1 where they are open.
[[nodiscard]] Shares shares_of(const Tuning& tuning);
/// By one of the methods that take a convolution.
[[nodiscard]] bool convolves(const Tuning& tuning);
/// Points of the transforms that a block makes.
[[nodiscard]] std::int64_t length_of(const FftProblem& problem, const Tuning& tuning);

// ---- choices

/// One of the batch.
[[nodiscard]] FftProblem alone(const FftProblem& problem);

/// How a transform is made of kernels: what is decided first.
struct Way {
  Method method;
  Shares shares;        ///< of one launch
  bool passes = false;  ///< several, because it must or because that is asked for
  std::optional<unsigned> block_points = {};  ///< of one launch, where they depend on the shares
};
/// Nothing is said of the steps and the shape of one block, nor of passes.
[[nodiscard]] bool leaves_shape_open(Tuning tuning);
[[nodiscard]] Way way_of(const FftProblem& problem, const Target& target, const Tuning& tuning);

/// From 2 on, at most largest_pass, those nearest to the root of that degree first.
[[nodiscard]] std::vector<std::int64_t> divisors_near_root(std::int64_t n, unsigned degree);

/// The longest transform of the kind of n that one launch makes by the method, in so many `parts`:
/// the blocks of a cluster times the rounds of each. Powers of two: 8192 points a part, 16384 where
/// a block has 128 KB of shared memory. Others: as far as the tile fits there, see largest_mixed().
/// Bluestein: half of the power of two; alone 12096 where a block has 227 KB, see large_tile(), but
/// for the engine `mma`. Rader: one more than the others, as far as a padded tile fits.
[[nodiscard]] std::int64_t largest_of_one_pass(const Target& target, std::int64_t n, Method method,
                                               unsigned parts = 1, bool mma = false);

/// The same of a request. A block may have up to largest_mixed_tile points where it has 227 KB, if
/// they are no power of two, of rows whose threads may go round, or as `block_points` asks for it.
[[nodiscard]] std::int64_t longest_in_one_launch(const FftProblem& problem, const Target& target,
                                                 const Tuning& tuning, Method method,
                                                 unsigned parts);

/// What was chosen, and what it makes of the problem under a policy, which may say more.
struct Decided {
  Choice choice;
  Tuning tuning;
  Program program;
};
/// See Choice::refused.
using Refused = std::vector<std::string>;
[[nodiscard]] Decided decide(const FftProblem& problem, const Target& target, const Platform& here,
                             const Wisdom& wisdom, const Tuning& given, WorkspacePolicy policy,
                             Refused& refused);
[[nodiscard]] Decided decide(const FftProblem& problem, const Target& target, const Choice& choice,
                             WorkspacePolicy policy);

// ---- measurements

/// The choice that was measured of the problem itself, where decide() does not look for it: of a
/// real side, and of several axes. Nothing where there is none, or a wish rules it out.
[[nodiscard]] std::optional<Decided> measured_itself(const FftProblem& problem,
                                                     const Target& target, const Platform& here,
                                                     const Wisdom& wisdom, const Tuning& given,
                                                     WorkspacePolicy policy, Refused& refused);

/// Of transforms that lie so: rows that follow each other, frames of a signal, or columns.
[[nodiscard]] bool is_measured(const FftProblem& problem);
/// Columns also where there are more or fewer of them, if blocks have all of their columns.
[[nodiscard]] bool serves(const WisdomEntry& entry, const Subject& wanted);
/// Of numbers of columns: 1 of equal ones, else less.
[[nodiscard]] double likeness(std::int64_t columns, std::int64_t others);

/// Points m >= 2n - 1 of the convolutions that a search tries for n points: those that the weights
/// of convolution_lengths() like best; patient, the shortest too that have no factors between their
/// last two steps.
[[nodiscard]] std::vector<std::int64_t> convolution_lengths_tried(const FftProblem& problem,
                                                                  bool patient);

/// Rows that are loops, and not the batch, because code of the caller's tells them apart.
[[nodiscard]] bool are_rows_of_code(const Pass& pass);

/// Transforms side by side that a block of `pass` takes, unless `tuning` says so.
[[nodiscard]] unsigned columns_of(const Tuning& tuning, const Pass& pass, const Target& target);

/// Of the kernel of one pass what passes alone leave open. `fused`: see Fusion.
[[nodiscard]] Tuning kernel_tuning(const Tuning& tuning, const Pass& pass, const Target& target,
                                   bool fused);

/// What the kernel of a tile that is no power of two has beside its steps.
struct MixedKernel {
  const Target& target;
  bool laps = false;             ///< its threads may go round: see Tuning::threads
  unsigned other_registers = 0;  ///< beside those of points
  OppositePhase opposite = OppositePhase::none;
  bool filters = false;  ///< its steps run there, to a product with a spectrum, and back
  Sums sums = Sums::fp32;
  bool of_pass = false;  ///< one of several launches
  bool powers = false;   ///< its factors are powers, where sums are FP32: see takes_powers()
  bool coprime = false;  ///< it may have no factors between its last two steps: see coprime_phase
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

// ---- columns

/// Points that a tile of bits may have.
[[nodiscard]] unsigned tile_of_bits(const Target& target);

/// Transforms whose points are neighbours in memory: so many, and from a point of one to its next
/// one `apart` points, where they are stored, or, where that is in rows, read.
struct SideBySide {
  std::int64_t columns, apart;
  bool stored = true;
};
/// Of a pass.
[[nodiscard]] SideBySide side_by_side(const Pass& pass);
/// Of two passes, whose rows begin with a sector in the workspace.
[[nodiscard]] SideBySide columns_of_first(std::int64_t other);
[[nodiscard]] SideBySide columns_of_last(std::int64_t other);

/// How much more than its points the columns of a block move: sectors of 32 bytes that are not
/// theirs, where rows do not begin with one, and short pieces of DRAM's pages; and what large tiles
/// lose, of which few fit an SM.
[[nodiscard]] double waste_of_columns(unsigned n, SideBySide all, unsigned columns,
                                      const ColumnRules& rules);

/// What they cost: what they waste, and where the last block of a row has fewer, its idle threads
/// and places in memory that are found by an index.
[[nodiscard]] double cost_of_columns(unsigned n, SideBySide all, unsigned columns,
                                     const ColumnRules& rules);

/// Of a length that is no power of two: up to 32 columns, for which the tile has room, of the least
/// cost. Beside columns by the bits a length by the bits would make a tile of bits, whose strides
/// in memory are not.
[[nodiscard]] unsigned mixed_columns(unsigned n, SideBySide all, LastBlock last, unsigned tile,
                                     const ColumnRules& rules);

/// Of two passes of a launch each.
[[nodiscard]] double cost_of_passes(std::int64_t first, std::int64_t second, LastBlock last);

// ---- what a kernel takes

/// Of a point, of a length that is no power of two: sums and products of its primes, and complex
/// factors between powers of one.
/// `halves`: see takes_halves().
[[nodiscard]] double instructions_of_butterfly(unsigned radix, bool halves);
/// The same of one that sums in FP64, as if it had FP32's lanes.
[[nodiscard]] double instructions_in(bool fp64, double of_butterfly);

/// Of steps in FP32, before a schedule says where points lie: as if no banks of shared memory
/// collided, and whole sectors moved. Blocks, warps and the total are left open.
[[nodiscard]] CostEstimate cost_of_steps(const Decomposition& tree, const Filling& filling,
                                         const MixedKernel& kernel);

/// So many blocks of an SM, with so much shared memory each, leave its L1 cache little room: see
/// Target::shared_beside_cache().
[[nodiscard]] bool is_crowded(unsigned blocks, unsigned shared_bytes, const Target& target);

/// The total of an estimate, of what else it says. The formula is in cost_model.cpp; returned is
/// what it gives before a copy's time bounds it from below. Of what is not `below`, less than that,
/// for it takes longer to compute than to see that it is not.
double add_up(CostEstimate& cost, const Shares& shares, bool mixed, const Speeds& speeds,
              const Overlap& overlap, double below = std::numeric_limits<double>::infinity());

// ---- shapes of mixed tiles

/// The cost model chooses steps, and threads that go round: it was fitted to prime factors up to
/// 13, and orders those above 31 well enough (bench/NOTES.md, twenty-first session). What lies
/// between has the default steps.
[[nodiscard]] bool goes_by_cost_model(std::int64_t n);

/// Steps with prime factors above 13.
[[nodiscard]] bool has_large_primes(const Decomposition& decomposition);

/// Registers that a thread takes beside those of its points, for steps with prime factors of 17 to
/// 31: there are more points and results of a prime at a time than points.
[[nodiscard]] unsigned registers_of_large_primes(const Decomposition& decomposition);

/// And for points and results in FP64, of one butterfly at a time.
[[nodiscard]] unsigned registers_of_sums(Sums sums, const Decomposition& decomposition);

/// Registers that a thread of so many points takes, such that few are spilled.
[[nodiscard]] unsigned registers_of_mixed(unsigned points, const Decomposition& decomposition);

/// Shapes of a decomposition of a length that is no power of two, the most promising first.
/// `counts`: of transforms that a block takes; empty: one, or more for small blocks. `shares`: the
/// blocks and rounds that share a tile; none where the steps cannot number them.
[[nodiscard]] std::vector<MixedShape> mixed_shapes(const Decomposition& decomposition,
                                                   const MixedKernel& kernel,
                                                   std::vector<unsigned> counts = {},
                                                   const Shares& shares = {});
/// The registers that its threads take without spills, beside others.
[[nodiscard]] unsigned registers_of(const Decomposition& tree, const MixedShape& shape, Sums sums);

/// Throws UnsupportedProblem where a program of several launches, or axes, is not as accurate.
void check_accuracy(const Program& program, const Accuracy& accuracy);

// ---- axes

/// As one transform of as many points, but with steps of each axis: `tuning` as its kernel takes
/// it. Nothing where such a transform takes several launches, or no steps are cut by the axes.
[[nodiscard]] std::optional<Program> in_one_launch(const FftProblem& problem, const Target& target,
                                                   const Tuning& tuning);
/// The same with the choice for as many points in one axis, where its steps can be cut; else of the
/// wish.
/// As for_batch().
[[nodiscard]] std::optional<Program> few_in_one_launch(const Program& program, const Tuning& tuning,
                                                       const FftProblem& problem,
                                                       const Target& target, const Tuning& wish);
[[nodiscard]] Planned plan_in_one_launch(const FftProblem& problem, const Target& target,
                                         const Tuning& wish, Choice choice);
/// Of axes that share a launch the transform of as many points, whose shape they take.
[[nodiscard]] FftProblem as_one_axis(const FftProblem& problem, const Tuning& wish);

/// True where the pass lengths are those of the axes, in the order of their transforms: axis by
/// axis, though some could share a launch.
[[nodiscard]] bool says_each_axis(const Tuning& tuning, const FftProblem& problem);

/// axis_transforms() with as many of the last axes in one launch as can be, unless the tuning
/// says_each_axis().
[[nodiscard]] std::vector<AxisTransform> launched_axes(const FftProblem& problem,
                                                       const Target& target, const Tuning& tuning);
/// All of them, whose batch is the caller's: loops that go on as it does make it longer.
[[nodiscard]] bool share_a_launch(const std::vector<AxisTransform>& axes);
/// The transform of all axes at once, as share_a_launch() means it: without what its layout and its
/// axes of one point say in more words than they need.
[[nodiscard]] FftProblem of_all_axes(const FftProblem& problem);

/// Of a wish for several axes what one of them takes: its steps; whether axes share a launch is not
/// its own.
[[nodiscard]] Tuning of_axis(const Tuning& wish, const FftProblem& problem,
                             const AxisTransform& axis);
/// Of several: `plan_one` makes the plan of the i-th of `axes` by its own wish.
using PlanOfAxis =
    std::function<Planned(const FftProblem& axis, const Tuning& wish, std::size_t i)>;
[[nodiscard]] Planned plan_axes(const FftProblem& problem, const std::vector<AxisTransform>& axes,
                                const Tuning& wish, const PlanOfAxis& plan_one);

/// Without those of one point, but for the last one where a side is real.
[[nodiscard]] FftProblem of_long_axes(FftProblem problem);
/// A tree of the product of `lengths`, each of whose steps is cut where an axis ends within it.
/// Nothing where none of its factors does.
[[nodiscard]] std::optional<Decomposition> cut_at_axes(const Decomposition& tree,
                                                       const std::vector<std::int64_t>& lengths);
/// The steps of each axis alone.
[[nodiscard]] Decomposition side_by_side(const std::vector<std::int64_t>& lengths);

/// All axes in two passes over memory, see axis_passes(): those that are asked for, or the fastest.
/// Nothing where these do not serve.
[[nodiscard]] std::optional<Program> axes_in_passes(const FftProblem& problem, const Target& target,
                                                    const Tuning& wish);
[[nodiscard]] Planned plan_in_passes(const FftProblem& problem, const Target& target,
                                     const Tuning& wish);
/// All axes in one launch, or in passes.
[[nodiscard]] std::optional<Program> axes_together(const FftProblem& problem, const Target& target,
                                                   const Tuning& tuning);
/// Of a pass over several axes.
[[nodiscard]] Shape shape_over_axes(const Pass& pass, const Tuning& given, const Target& target);

// ---- passes

/// Tiles that are whole columns of a points and of b points, of which both passes of a * b points
/// have a whole number; the smallest first, as far as a block holds them.
[[nodiscard]] std::vector<unsigned> common_tiles(std::int64_t a, std::int64_t b);

/// `given` with the lengths of the passes that it leaves open; and where two of them share a launch
/// by default, with that and their tile. The lengths and the tile do not depend on the batch.
[[nodiscard]] Tuning with_passes(const FftProblem& problem, const Tuning& given,
                                 const Target& target, Method method);

/// How many transforms go through all launches together, each with so many points of workspace: as
/// many as it allows, or the next number after which addresses are multiples of 16 bytes again.
[[nodiscard]] std::int64_t transforms_together(const FftProblem& problem, const Tuning& tuning,
                                               std::int64_t points, const PassRules& rules);

/// The launches of passes, as far as `given` leaves them open: of one of `problem`, whose batch
/// says whether two share a launch.
[[nodiscard]] Program of_passes(const FftProblem& problem, const std::vector<Pass>& passes,
                                const Tuning& given, const Target& target);

// ---- real numbers

/// Of its signals, or of the points of a transform.
[[nodiscard]] bool has_real_side(const FftProblem& problem);

/// A real transform of even length as the complex one of its pairs, as `tuning` makes it. Nothing
/// where that takes more than a block, or `threads` that may have to go round.
[[nodiscard]] std::optional<Program> in_pairs(const FftProblem& problem, const Target& target,
                                              const Tuning& tuning);
/// The program of its pairs, or of an odd last axis of all points, as one of `problem`. Nothing
/// where they take more than a block.
[[nodiscard]] std::optional<Program> over_memory_of(const FftProblem& problem, const Program& half,
                                                    const Target& target, const Tuning& wish);
/// The same as planned.
using PlanOfHalf = std::function<Planned(const FftProblem& half)>;
[[nodiscard]] std::optional<Planned> plan_in_pairs(const FftProblem& problem, const Target& target,
                                                   const Tuning& wish, const PlanOfHalf& plan_half);

// ---- FP16, two points at once

[[nodiscard]] bool names_packed(const FftProblem& problem);
/// Or where `max_rel_l2` allows it, and it is faster.
[[nodiscard]] bool may_be_packed(const FftProblem& problem, const Tuning& wish);
/// Throws UnsupportedProblem where that is named and something is lacking for it.
void require_packed(const FftProblem& problem);
/// The program of arithmetic packed where that is named, or `max_rel_l2` allows it and it is
/// faster. Throws UnsupportedProblem where it is named and does not serve.
[[nodiscard]] std::optional<Program> in_packed(const FftProblem& problem, const Target& target,
                                               const Tuning& wish);
/// The same as planned.
[[nodiscard]] std::optional<Planned> plan_packed(const FftProblem& problem, const Target& target,
                                                 const Tuning& wish, const PlanOfHalf& plan_half);

// ---- batches

/// Its two passes are one launch.
[[nodiscard]] bool share_a_launch(const Program& program);
/// These with a launch each, of the same steps. `tuning` may say how large the workspace is.
[[nodiscard]] Program in_two_launches(const Program& shared, const FftProblem& problem,
                                      const Tuning& tuning, const Target& target);

/// True if a wish says how blocks share a transform, or what one of them takes.
[[nodiscard]] bool says_shapes(const Tuning& wish);
/// Blocks of a cluster that may run: 8 everywhere, 16 on H100 and B200, which have to be asked for
/// more than 8 (NVIDIA's tuning guides of both).
[[nodiscard]] unsigned largest_cluster(const Target& target);
/// The steps of `made` by a cluster for each transform, where that serves: see FewRules.
[[nodiscard]] std::optional<Program> over_clusters(const Shape& made, const FftProblem& problem,
                                                   const Target& target, const Tuning& wish);

/// Where the batch of `problem` does not fill the GPU: the same steps over more blocks, in one
/// round or in fewer columns, or as two launches through a workspace that `program` may not take.
/// The results are the same bits, sooner. `program`: what `tuning` makes of the problem. Nothing:
/// it is as it should be, or `wish` says what blocks are like.
[[nodiscard]] std::optional<Program> for_batch(const Program& program, const Tuning& tuning,
                                               const FftProblem& problem, const Target& target,
                                               const Tuning& wish);

}  // namespace sonoma
