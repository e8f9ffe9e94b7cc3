#include "mixed_cost.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

constexpr unsigned reserved = 1024;  // bytes of shared memory, of each block
constexpr unsigned parts = 4 * 32;   // of an SM, whose warps have registers of their own

// The most registers that leave an SM so many blocks.
unsigned registers_left(unsigned blocks, unsigned threads, const Target& target) {
  const unsigned all = (blocks * threads + parts - 1) / parts * parts;
  return std::min(248u, static_cast<unsigned>(target.registers) / all / 8 * 8);
}

// Shared memory of a block, of whole transforms with what pads take in the median of 4,600 kernels.
unsigned bytes_of(const MixedShape& shape, const MixedKernel& kernel) {
  const unsigned bytes_of_point = shape.shares.rounds > 1 ? 6 : 8;
  const unsigned tiles = kernel.in_order && shape.threads > 0 ? 2 : 1;
  const unsigned bytes = tiles * shape.block_points / shape.shares.cluster * bytes_of_point;
  return kernel.of_pass ? bytes : bytes + bytes / 17;
}

}  // namespace

// Of others, and of primes above 13, more is spilled than registers are missing; of pairs in
// clusters not: opposite butterflies of 24 points leave a thread eight too few of 128, and spill
// two at most.
Expecting::Expecting(const Decomposition& tree, const MixedKernel& kernel, Norms& norms)
    : kernel_(kernel),
      steps_(tree, kernel),
      registers_(tree, kernel.sums, kernel.other_registers, kernel.of_pass),
      speeds_(profile_of(kernel.target).speeds),
      overlap_(kernel.of_pass ? speeds_.of_pass : speeds_.of_whole),
      blocks_of_sm_(static_cast<unsigned>(kernel.target.blocks_of_sm())),
      threads_of_sm_(static_cast<unsigned>(kernel.target.threads_of_sm())),
      plain_(kernel.other_registers == 0 && !kernel.of_pass && !has_large_primes(tree)),
      pairs_(kernel.opposite != OppositePhase::none && !has_large_primes(tree)),
      norms_(norms) {}

void Expecting::count(const Filling& filling) {
  const auto of = [](const Filling& one) { return std::tuple(one.points, one.phases, one.lanes); };
  if (needed_ > 0 && of(filling) == of(counted_)) return;
  counted_ = filling;
  cost_ = steps_.on(filling), busy_ = busy_of(cost_, overlap_);
  known_.fill({});
  needed_ = registers_(filling.points);
  with_registers_ = static_cast<unsigned>(kernel_.target.registers) / needed_ / parts * parts;
}

double Expecting::total_with(double norm, const CostEstimate& cost, const Shares& shares) const {
  const TileCosts& tile = speeds_.of_mixed;
  return tile.any * (norm + wait_of(cost, overlap_)) *
         times_of(cost, shares, speeds_, tile, overlap_);
}

// A norm takes longer to compute than to see that it is too large.
Expected Expecting::with(const Blocks& blocks, const Filling& filling, const Shares& shares,
                         double below) {
  const auto [of_sm, bytes] = blocks;
  const unsigned registers = registers_left(of_sm, filling.threads, kernel_.target);
  cost_.loading_warps = of_sm * filling.loading / 32.0, cost_.each_lap = filling.each_lap;
  cost_.crowded = is_crowded(of_sm, bytes, kernel_.target);
  cost_.missing_registers = needed_ > registers ? needed_ - registers : 0;
  KnownNorm& known = known_[(of_sm - 1) % most_blocks_of_sm];
  if (known.at_least == 0) {
    known.at_least = norm_of(of_sm).at_least(busy_, power_of(overlap_, of_sm));
  }
  double cycles = total_with(known.at_least, cost_, shares);
  if (cycles < below && !known.exactly) {
    known = {norm_of(of_sm).of(busy_, power_of(overlap_, of_sm)), true};
    cycles = total_with(known.at_least, cost_, shares);
  }
  return {registers, cost_.missing_registers, cycles};
}

Expected Expecting::of(const Filling& filling, const MixedShape& shape, double below) {
  const Target& target = kernel_.target;
  count(filling);
  const bool alone = filling.phases == 1 && kernel_.opposite != OppositePhase::none;
  if (filling.threads > most_threads_of_block || alone) return {needed_, 0, impossible_cycles};
  const unsigned bytes = bytes_of(shape, kernel_);
  const unsigned by_registers = with_registers_ / filling.threads;
  // An SM holds them, whatever their registers.
  const unsigned room = std::min({blocks_of_sm_, threads_of_sm_ / filling.threads,
                                  static_cast<unsigned>(target.shared_bytes) / (bytes + reserved)});
  const unsigned blocks = std::clamp(by_registers, 1u, std::max(1u, room));
  unsigned fewer = blocks;
  while (fewer > 1 && is_crowded(fewer, bytes, target)) --fewer;
  const bool spares = plain_ || (pairs_ && shape.shares.cluster > 1);
  const unsigned more = spares && blocks < room ? blocks + 1 : blocks;
  Expected best = with({blocks, bytes}, filling, shape.shares, below);
  for (const unsigned other : {fewer, more}) {
    if (other == blocks) continue;
    const double less = std::min(below, best.cycles);
    const Expected one = with({other, bytes}, filling, shape.shares, less);
    if (one.cycles < best.cycles) best = one;
  }
  return best;
}

// Threads need the fewest registers with one lap at a time, and the fewest instructions with the
// most points. Of many blocks, as many as there can be: warps beyond those that have their
// registers save less than missing registers cost, see Overlap. Of few, each number of them: either
// all threads have their registers, and go round for what is left, or they miss eight at least.
double Expecting::at_least(const Fillings& fillings, const MixedShape& shape) {
  constexpr unsigned few = 3;  // blocks of an SM, each of which is looked at
  Filling filling = fillings.on(0);
  const Target& target = kernel_.target;
  const unsigned bytes = bytes_of(shape, kernel_);
  const unsigned threads = std::min(
      threads_of_sm_, static_cast<unsigned>(target.registers) / registers_(filling.points));
  const unsigned blocks =
      std::max(1u, std::min({blocks_of_sm_, threads / std::min(filling.threads, fewest_threads) + 1,
                             static_cast<unsigned>(target.shared_bytes) / (bytes + reserved)}));
  filling.points = std::max(shape.points_per_thread, filling.points);
  CostEstimate cost = steps_.at_least_on(filling);
  const auto of = [&](unsigned of_sm, double loading) {
    cost.loading_warps = loading / 32;
    const double norm = norm_of(of_sm).at_least(busy_of(cost, overlap_), power_of(overlap_, of_sm));
    return total_with(norm, cost, shape.shares);
  };
  const unsigned loading = std::min(filling.loading, most_threads_of_block);
  if (blocks > few) return of(blocks, std::min(threads, blocks * loading));
  double least = std::numeric_limits<double>::infinity();
  for (unsigned b = 1; b <= blocks; ++b) {
    cost.crowded = is_crowded(b, bytes, target);
    const unsigned of_block = threads / b;  // those that have their registers
    const unsigned laps = (filling.loading + of_block - 1) / of_block;
    if (laps == 1) {
      least = std::min(least, of(b, b * loading));
      continue;
    }
    const double of_lap = overlap_.in_laps ? static_cast<double>(filling.loading) / laps : of_block;
    double missing = of(b, std::min(threads, b * loading));
    cost.missing_registers = 8;
    missing = std::max(missing, of(b, b * loading));
    cost.missing_registers = 0;
    least = std::min({least, of(b, b * of_lap), missing});
  }
  return least;
}

Expected expected_of(const Decomposition& tree, const MixedShape& shape,
                     const MixedKernel& kernel) {
  Norms norms;
  return Expecting(tree, kernel, norms).of(filling_of(tree, shape), shape);
}

double cycles_of(const Decomposition& tree, const MixedShape& shape, const MixedKernel& kernel) {
  try {
    return expected_of(tree, shape, kernel).cycles;
  } catch (const UnsupportedProblem&) {
    return std::numeric_limits<double>::infinity();
  }
}

bool goes_by_cost_model(std::int64_t n) {
  return is_smooth(n, 13) || !is_smooth(n, largest_usual_radix);
}

bool has_large_primes(const Decomposition& decomposition) {
  return !is_smooth(decomposition.n(), 13);
}

}  // namespace sonoma
