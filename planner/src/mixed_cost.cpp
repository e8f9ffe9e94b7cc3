#include "mixed_cost.hpp"

#include <algorithm>
#include <limits>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// Registers that butterflies of so many points take without spills (NVRTC 13.0, sm_90), by eights.
// Results of a prime above 31 are stored one pair after the other, as soon as they are there.
unsigned registers_without_spills(unsigned points, const Decomposition& tree, Sums sums,
                                  unsigned others) {
  const unsigned few = points < 16 ? 4 : 0;  // a thread of few points has as many addresses
  const unsigned needed = points * 5 / 2 + 22 + few + others + registers_of_large_primes(tree) +
                          registers_of_sums(sums, tree);
  const bool one = points > largest_composite_radix && points == std::ranges::max(tree.radices);
  const unsigned most = one && sums == Sums::fp32 ? (points > 47 ? 168 : 128) : 248;
  return std::clamp((needed + 7) / 8 * 8, 40u, most);
}

constexpr unsigned parts = 4 * 32;  // of an SM, whose warps have registers of their own

// The most registers that leave an SM so many blocks.
unsigned registers_left(unsigned blocks, unsigned threads, const Target& target) {
  const unsigned all = (blocks * threads + parts - 1) / parts * parts;
  return std::min(248u, static_cast<unsigned>(target.registers) / all / 8 * 8);
}

// Shared memory of a block, but for pads.
unsigned bytes_of(const MixedShape& shape) {
  const unsigned bytes_of_point = shape.shares.rounds > 1 ? 6 : 8;
  return shape.block_points / shape.shares.cluster * bytes_of_point;
}

// How many blocks an SM holds of a shape, whatever their registers.
unsigned most_blocks(const MixedShape& shape, unsigned threads, const Target& target) {
  constexpr unsigned reserved_shared = 1024;
  return std::min(
      {static_cast<unsigned>(target.blocks_of_sm()),
       static_cast<unsigned>(target.threads_of_sm()) / threads,
       static_cast<unsigned>(target.shared_bytes) / (bytes_of(shape) + reserved_shared)});
}

// With so many blocks an SM.
Expected expected_with(unsigned blocks, unsigned needed, CostEstimate cost, const Filling& filling,
                       const MixedShape& shape, const Target& target) {
  const unsigned registers = registers_left(blocks, filling.threads, target);
  cost.blocks = blocks;
  cost.loading_warps = blocks * filling.loading / 32.0;
  cost.crowded = is_crowded(blocks, bytes_of(shape), target);
  cost.missing_registers = needed > registers ? needed - registers : 0;
  return {registers, cost.missing_registers,
          add_up(cost, shape.shares, true, profile_of(target).speeds)};
}

}  // namespace

Expected expected_of(const Decomposition& tree, const Filling& filling, const MixedShape& shape,
                     const MixedKernel& kernel) {
  constexpr unsigned most_threads = 1024;
  const Target& target = kernel.target;
  const unsigned threads = filling.threads;
  const unsigned needed =
      registers_without_spills(filling.points, tree, kernel.sums, kernel.other_registers);
  const bool alone = filling.phases == 1 && kernel.opposite != OppositePhase::none;
  if (threads > most_threads || alone) return {needed, 0, impossible_cycles};
  const unsigned by_registers =
      static_cast<unsigned>(target.registers) / needed / parts * parts / threads;
  const CostEstimate cost = cost_of_steps(tree, filling, kernel);
  unsigned blocks = std::max(1u, std::min(by_registers, most_blocks(shape, threads, target)));
  const Expected most = expected_with(blocks, needed, cost, filling, shape, target);
  while (blocks > 1 && is_crowded(blocks, bytes_of(shape), target)) --blocks;
  const Expected fewer = expected_with(blocks, needed, cost, filling, shape, target);
  return fewer.cycles < most.cycles ? fewer : most;
}

Expected expected_of(const Decomposition& tree, const MixedShape& shape,
                     const MixedKernel& kernel) {
  return expected_of(tree, filling_of(tree, shape), shape, kernel);
}

double cycles_of(const Decomposition& tree, const MixedShape& shape, const MixedKernel& kernel) {
  try {
    return expected_of(tree, shape, kernel).cycles;
  } catch (const UnsupportedProblem&) {
    return std::numeric_limits<double>::infinity();
  }
}

bool goes_by_cost_model(std::int64_t n) {
  return is_smooth(n, 13) || !is_smooth(n, largest_composite_radix);
}

bool has_large_primes(const Decomposition& decomposition) {
  return !is_smooth(decomposition.n(), 13);
}

unsigned registers_of_large_primes(const Decomposition& decomposition) {
  unsigned most = 0;
  for (const unsigned radix : decomposition.radices) {
    if (radix < 17) continue;  // most are
    const auto prime = static_cast<unsigned>(largest_prime_factor(radix));
    if (prime > 13 && prime <= largest_composite_radix) most = std::max(most, prime / 2);
  }
  return most;
}

unsigned registers_of_sums(Sums sums, const Decomposition& decomposition) {
  unsigned largest = 0;
  for (std::size_t step = 0; step < decomposition.radices.size(); ++step) {
    if (is_in_fp64(sums, step, decomposition))
      largest = std::max(largest, decomposition.radices[step]);
  }
  return 2 * largest;
}

unsigned registers_of_mixed(unsigned points, const Decomposition& decomposition) {
  return 2 * points + 28 + registers_of_large_primes(decomposition);
}

unsigned registers_of(const Decomposition& tree, const MixedShape& shape, Sums sums) {
  return registers_without_spills(filling_of(tree, shape).points, tree, sums, 0);
}

}  // namespace sonoma
