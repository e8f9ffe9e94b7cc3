// Who computes what where: passes, phases, layouts, exchanges, shared memory.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/layout.hpp"
#include "sonoma/pass.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/shape.hpp"
#include "sonoma/swizzle.hpp"
#include "sonoma/target.hpp"

namespace SONOMA_API sonoma {

/// Butterfly 0 of an even number of butterflies goes with the one in the middle, of an odd number
/// alone.
[[nodiscard]] constexpr unsigned opposite_pairs(unsigned butterflies) {
  return (butterflies + 1) / 2;
}

/// How a step contracts its digit. left: DFT matrix times tile (the digit is the tile's row),
/// right: tile times DFT matrix (the digit is its column), registers: butterflies within a thread.
enum class StepForm { left, right, registers };

/// One factor of the decomposition: DFT of `radix` points over `digits`.
struct Step {
  unsigned index = 0;  ///< position in the decomposition
  unsigned radix = 2;
  StepForm form = StepForm::registers;
  std::vector<DigitId> digits;  ///< ascending weight
  /// A product of split halves of radix 16 takes its digit folded (see Layout) and leaves a factor
  /// w_16^(15 k / 2) to the twiddle.
  bool folds = false;
  /// A product of complex FP16 words: radix 16, one product, see words.cuh.
  bool words = false;
  /// On the way back of a convolution: its digit goes from k to t, after the factors that follow
  /// the step on the way there.
  bool back = false;

  auto operator<=>(const Step&) const = default;
};

/// Steps that follow each other with no trip through shared memory. `in` is the layout before the
/// first step; a left step turns it into `out` (fragment B of an MMA into fragment C), no other
/// does. Butterflies stand on registers that this does not touch.
struct Phase {
  Layout in, out;
  std::vector<Step> steps;

  auto operator<=>(const Phase&) const = default;

  /// The layout before steps[i]; for i = steps.size(), the one after the last.
  [[nodiscard]] Layout layout_before(std::size_t i) const;
};

/// How a side of the tile travels between global memory and registers. direct: in the layout of the
/// neighbouring phase. staged: through shared memory, in `layout`, which reads (writes) whole
/// sectors.
struct Transfer {
  bool staged = false;
  Layout layout;

  auto operator<=>(const Transfer&) const = default;
};

/// Where the points of a tile lie in shared memory: in the order of their times, under a swizzle
/// where the tile is of bits, else with a few points of padding.
struct Positions {
  Swizzle swizzle;
  std::vector<std::uint32_t> pads;  ///< before the points of each digit; none: nowhere

  auto operator<=>(const Positions&) const = default;
};
/// `parts`: in rounds, where the points of one are exchanged by their real, then by their imaginary
/// parts.
struct Places {
  Positions points, parts;
  std::uint32_t row_pad = 0;  ///< points between transforms in order: see mirrored_row()
  /// Method rader, where threads go round: the tile begins there, behind the points in the order of
  /// memory. Else it is where these were, or will be, and all threads meet between the two, their
  /// points in registers.
  std::uint32_t tile_from = 0;

  auto operator<=>(const Places&) const = default;
};

/// How threads are numbered in a layout: so many of a row, then none up to the row's `lanes`. See
/// Tuning::rows.
struct ThreadRows {
  unsigned threads = 1, lanes = 1;

  [[nodiscard]] bool have_gaps() const { return threads != lanes; }
  /// So many of such rows, the last one with its gap.
  [[nodiscard]] unsigned numbers(unsigned items) const {
    return have_gaps() ? items / threads * lanes : items;
  }
};

/// One launch.
///
/// Method bluestein: the decomposition is that of m >= 2n - 1 points, n being the pass's. There,
/// and in the spectrum pass of a longer convolution: after the last phase the points are
/// multiplied by a spectrum, then all steps run backwards, in phases that follow those of the way
/// there; so the points of the result are numbered as those of the input. Each step was a symmetric
/// matrix, so that their product in the reverse order is the same DFT.
///
/// Method rader: the same of m = n - 1 points. All n come and go through shared memory in the order
/// of memory, where the first phase finds point q at place g^q mod n, g a primitive root of n; load
/// and store have its layout.
struct Schedule {
  Pass pass;  ///< with the factors that the method of `shape` takes
  Shape shape;
  std::vector<Digit> digits;  ///< of the tile of one block
  std::vector<Phase> phases;  ///< in the order in which they run, with those of the way back
  Transfer load, store;
  Places places;  ///< of points (words) in shared memory
  /// Method bluestein: the first phase of the last two steps where these have no common
  /// factor, else 0. Then no factors are between them: see docs/convolutions.md. The points that
  /// they transform are numbered in the phases before by t' as everywhere, from there on by the
  /// remainders of t' by their radices; so that exchange moves each point elsewhere, and the one
  /// that leads back does.
  std::size_t coprime_phase = 0;
  /// Engine mma: warps that share a transform and its one scale, found when it is loaded; 0: every
  /// step finds a scale for each transform in a warp tile.
  unsigned scale_warps = 0;
  LaunchShape launch;
  unsigned min_blocks = 1;  ///< blocks the compiler must leave registers for on one SM
  /// From the first transform of a block to that of the one that will follow it on its SM, where it
  /// asks the L2 cache for what that loads; else 0.
  std::uint64_t transforms_ahead = 0;

  auto operator<=>(const Schedule&) const = default;

  [[nodiscard]] Engine engine() const { return engine_of(shape.arithmetic); }
  /// Engine mma: FP16 products of a step.
  [[nodiscard]] unsigned products() const { return products_of(shape.arithmetic); }
  [[nodiscard]] bool mixed() const { return !is_binary(digits); }
  /// Points find their places in memory by their index: at ends that change them, and where strides
  /// or counts of transforms are not those of the tile. See docs/storage.md.
  [[nodiscard]] bool by_index() const;
  /// Storage of 16 bits and a first step that takes complex words: points are loaded and exchanged
  /// as words too.
  [[nodiscard]] bool words() const;
  /// A convolution that no other pass has a part in.
  [[nodiscard]] bool whole_convolution() const { return pass.convolves() && !pass.part; }
  /// Of the whole transform: the passes of a convolution have steps of their own.
  [[nodiscard]] Method method() const {
    return pass.part && pass.part->convolution && !pass.whole().convolution ? Method::bluestein
                                                                            : shape.method;
  }
  /// A convolution with a chirp in one kernel: its tables of chirps may be of any size.
  [[nodiscard]] bool whole_chirp() const {
    return whole_convolution() && pass.is_chirped(true) && pass.is_chirped(false);
  }
  /// Of butterflies in FP32.
  [[nodiscard]] ButterflyForm form_of_butterfly(unsigned radix) const {
    return butterfly_form(shape.tree.decomposition, radix, whole_chirp());
  }
  /// True if what is exchanged before phase `p` is written (read) by remainders: see coprime_phase.
  [[nodiscard]] bool writes_residues(std::size_t p) const {
    return coprime_phase > 0 && p == coprime_phase;
  }
  [[nodiscard]] bool reads_residues(std::size_t p) const {
    return coprime_phase > 0 && p == phases.size() - coprime_phase;
  }
  /// How many phases lead to the frequencies: all but those of the way back.
  [[nodiscard]] std::size_t phases_there() const;
  /// Where the result is, and as what its points are numbered.
  [[nodiscard]] const Layout& result_layout() const { return phases.back().out; }
  [[nodiscard]] Side result_side() const { return pass.convolves() ? Side::time : Side::frequency; }
  /// The side whose strides in memory are those of the store: see Digit.
  [[nodiscard]] Side side_stored() const { return pass.filter ? Side::frequency : result_side(); }
  [[nodiscard]] unsigned points_per_block() const;
  /// Transforms of a block.
  [[nodiscard]] unsigned columns() const;
  /// Of the blocks of a cluster together, and of all rounds.
  [[nodiscard]] unsigned tile_threads() const { return launch.threads * shape.shares.parts(); }
  /// The digits that number the blocks of a cluster, then the rounds: the last ones of the threads.
  /// None of opposite butterflies, which are any block's.
  [[nodiscard]] std::vector<DigitId> block_digits(const Layout& layout) const;
  /// Those that number the block whose shared memory holds a point on its way between two layouts:
  /// the one that reads or, of opposite butterflies, that wrote.
  [[nodiscard]] std::vector<DigitId> holders(const Layout& from, const Layout& to) const;
  /// Of a point in shared memory.
  [[nodiscard]] unsigned exchange_bytes() const { return words() ? 4 : 8; }
  /// In a mixed tile the most of all layouts; elsewhere they agree.
  [[nodiscard]] unsigned points_per_thread() const;
  /// What the threads of a block have to do in `layout`: as many as there are, where there is one
  /// lap.
  [[nodiscard]] unsigned work_items(const Layout& layout) const;
  /// One row of all threads, but where the layout is that of a phase in shape.rows.
  [[nodiscard]] ThreadRows rows_of(const Layout& layout) const;
  /// As many as that takes, with those that have no work.
  [[nodiscard]] unsigned thread_numbers(const Layout& layout) const {
    const unsigned items = work_items(layout);
    return shape.rows == 0 ? items : rows_of(layout).numbers(items);
  }
  /// As many blocks as the GPU holds stay for a tile after the other: see FetchTile.
  [[nodiscard]] bool stays() const { return launch.stays != 0; }
  /// How many threads take part in a lap: all, but where blocks stay those of as many values of the
  /// threads' slowest digits in the first phase as in the last one. So the last phase reads in each
  /// lap the points whose places the same lap of the first phase fills again.
  [[nodiscard]] unsigned lap_threads(const Layout& layout) const;
  /// How often the threads go round until all of that is done, and of how many laps a thread holds
  /// the points at once.
  [[nodiscard]] unsigned laps(const Layout& layout) const;
  [[nodiscard]] unsigned laps_at_once(const Layout& layout) const;
  /// True if some layout takes several.
  [[nodiscard]] bool has_laps() const;
  [[nodiscard]] OppositePhase opposite_phase() const;
  /// True if a thread takes two items of `layout` together: butterflies q and -q.
  [[nodiscard]] bool is_opposite(const Layout& layout) const;
  /// How many of them there are in a transform; and pairs in a tile.
  [[nodiscard]] unsigned opposite_butterflies() const;
  [[nodiscard]] unsigned opposite_items() const;
};

/// Between passes the factor of point k is the product of two roots: that of k modulo so many
/// points and that of the others. A thread, which has all of the most significant step, takes few
/// of either: a quarter of a length by the bits; of others so many values of that step that there
/// are about as many before them. All points: one root each, of rows of which half is there.
/// `before`: of the input, where k numbers that.
[[nodiscard]] std::uint32_t root_section(const Schedule& schedule, bool before);

/// How many digits number the blocks of a cluster, and how many the rounds: the last ones of the
/// threads.
struct BlockDigits {
  std::size_t cluster = 0, rounds = 0;
  [[nodiscard]] std::size_t count() const { return cluster + rounds; }
};
[[nodiscard]] BlockDigits block_digits_of(const Schedule& schedule, const Layout& layout);

/// Where the points of the tile find their factors in the spectrum of the caller's filter, in
/// points from that of the tile's first one: the stride of each digit.
[[nodiscard]] std::vector<std::uint32_t> filter_strides(const Schedule& schedule);

/// How a tile changes its rounds: half of the way, where clusters change their blocks. Both digits
/// have two values. Before it a round is a value of the digit `before`, after it one of `after`.
/// What lies between the two is in shared memory, but a quarter that waits in registers: of four
/// quarters, by both digits,
///
///   after = 0: the first quarter of shared memory, one after the other
///   after = 1: the second one (before = 0) and the third one (before = 1)
struct Turn {
  std::size_t phase = 0;  ///< the first one after it
  DigitId before = 0, after = 0;
  std::uint32_t quarter = 0;  ///< of a block's tile, in points, padded
  /// The digits that number where a point lies, above all others: `before`, `after`, the blocks.
  std::vector<DigitId> places;
};
[[nodiscard]] Turn turn_of(const Schedule& schedule);

/// Where blocks stay, see Schedule::lap_threads: the slowest digits of the threads that the first
/// and the last phase have in common have `count` values, of which either takes `of_lap` in a lap:
/// all where both take one lap, none where they do not agree.
struct SharedLaps {
  unsigned count = 1, of_lap = 0;
};
[[nodiscard]] SharedLaps shared_laps(const Schedule& schedule);

/// Step `index` of the schedule's decomposition, on the way there or back.
[[nodiscard]] const Step& step_of(const Schedule& schedule, unsigned index, bool back = false);

/// Throws UnsupportedProblem where a block cannot take that.
[[nodiscard]] Schedule schedule(const Pass& pass, const Target& target, const Shape& shape);
/// schedule() but for the padding in shared memory, which is most of its work, and takes a sixth
/// more of it at most: for who asks whether a block can take that, by which threads. Throws where
/// schedule() does.
[[nodiscard]] Schedule outline(const Pass& pass, const Target& target, const Shape& shape);
/// Gives blocks more threads, which have no points. Of a mixed tile alone.
void widen(Schedule& schedule, unsigned threads, const Target& target);
/// Of the whole problem in one pass.
[[nodiscard]] Schedule schedule(const FftProblem& problem, const Target& target,
                                const Shape& shape);

/// How the threads of `layout` access all of its points in shared memory, before the swizzle.
/// `blocks`: in a cluster the digits that number the block whose memory holds a point, which stand
/// above all others.
/// `residues`: by remainders, see Schedule::coprime_phase.
[[nodiscard]] SharedAccess shared_access(const Schedule& schedule, const Layout& layout,
                                         const std::vector<DigitId>& blocks = {},
                                         bool residues = false);

/// Where a layout of the phase before that has the digits of the last two steps.
[[nodiscard]] Residues residues_of(const std::vector<Digit>& digits, const Layout& layout);

/// The tile's digits in shared memory. Of each the stride of its points there, before the swizzle;
/// of `blocks`, that in the number of the block whose memory holds a point. Each is 0 where the
/// other is not.
struct SharedStrides {
  std::vector<std::uint32_t> place, block;
  std::uint32_t room = 1;  ///< points that a block has, padded
};
[[nodiscard]] SharedStrides shared_strides(const std::vector<Digit>& digits,
                                           const std::vector<std::uint32_t>& pads,
                                           const std::vector<DigitId>& blocks);

/// Points that the tile of a block takes in shared memory, whichever digits number the blocks; 0
/// where nothing is exchanged. In rounds: three quarters.
[[nodiscard]] unsigned shared_points(const Schedule& schedule);

[[nodiscard]] std::string to_string(const Schedule& schedule);

/// Bytes of 32-byte sectors a block touches in global memory over bytes wanted (1 is ideal), when
/// the points of `layout`, of so many bytes each, are accessed on that side.
[[nodiscard]] double sector_overhead(const std::vector<Digit>& digits, const Layout& layout,
                                     Side side, unsigned point_bytes);
/// True if that is at most `most`: of long runs it is known without looking at all threads.
[[nodiscard]] bool has_sectors_within(double most, const std::vector<Digit>& digits,
                                      const Layout& layout, Side side, unsigned point_bytes);

}  // namespace sonoma
