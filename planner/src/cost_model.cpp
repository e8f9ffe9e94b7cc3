// The cost model: cycles of an SM for a point,
//
//   T = f ((memory^p + (a issue)^p + (b shared)^p + tensor^p)^(1/p)
//          + w / loading + t factors + c - h),
//   p = p1 + p2 (1 - 1 / blocks),
//
// at least a copy's time, and more for each register that a thread needs and has not. Each term of
// the norm is the time in which one resource alone would do its part. How far they cover each other
// depends on how many blocks an SM holds: alone, a block computes while memory idles. loading:
// warps of an SM that have points where a tile is loaded, in the mean over its laps; each of their
// points waits for the one before it. factors: that a point reads from tables. f: what places that
// are no bits take more, blocks of a cluster, and rounds.
//
// Blocks that stay for a tile after the other have a formula of their own: persistent_cost.hpp.
//
// c: where shared memory leaves little of the L1 cache, see is_crowded(). One formula for all
// tiles, fitted by bench/fit_cost_model.py, which says to what; the constants are in profile.hpp.
// On lengths that it was not fitted to its first choice among what was measured loses 1.7 % in the
// median and 9.2 % at the 95th percentile. For other GPUs than an H200 it is a guess: see
// expected_time.cpp.
#include "sonoma/cost_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "axes.hpp"
#include "columns.hpp"
#include "kernel_counts.hpp"
#include "mixed_registers.hpp"
#include "mixed_shape.hpp"
#include "persistent_cost.hpp"
#include "profile.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/mirrored.hpp"
#include "sonoma/rader_accesses.hpp"
#include "step_costs.hpp"

namespace sonoma {
namespace {

constexpr double mma_flops = 2.0 * 16 * 8 * 16;

struct Occupancy {
  unsigned blocks = 1;                            // resident on an SM
  unsigned registers = 1, missing_registers = 0;  // of a thread
};

// What threads took in kernels without spills (NVRTC 13.0.88, sm_90): simt 8, 16 and 32 points: 32,
// 56, 104; mma 16 and 32: 80, 144; complex words: 64, 96.
unsigned registers_needed(const Schedule& schedule) {
  const unsigned points = schedule.points_per_thread();
  const Decomposition& tree = schedule.shape.tree.decomposition;
  const unsigned of_sums = registers_of_sums(schedule.shape.sums, tree);
  if (schedule.mixed()) {
    unsigned most = 0;
    for (const Phase& phase : schedule.phases) {
      const unsigned points_of_lap =
          count_of(schedule.digits, phase.in.registers) * (schedule.is_opposite(phase.in) ? 2 : 1);
      most = std::max(most, points_of_lap * schedule.laps_at_once(phase.in));
    }
    constexpr unsigned of_spectrum = 16;
    const bool both = schedule.shape.opposite && schedule.pass.filter;
    return registers_of_mixed(most, tree) + of_sums + (both ? of_spectrum : 0);
  }
  if (schedule.engine() == Engine::simt) return 3 * points + 8 + of_sums;
  if (schedule.words()) return 2 * points + 32;
  return 4 * points + 16;
}

Occupancy occupancy_of(const Schedule& schedule, const Target& target) {
  constexpr unsigned reserved_shared = 1024;
  const unsigned threads = schedule.launch.threads;
  // Of a mixed tile the warps are counted for each of the SM's four parts.
  const unsigned parts = schedule.mixed() ? 4 * 32 : 1;
  const auto registers = static_cast<unsigned>(target.registers);
  // What the launch bounds leave a thread: the compiler counts in eights.
  const unsigned all = (schedule.min_blocks * threads + parts - 1) / parts * parts;
  const unsigned left = std::min(255u, registers / all / 8 * 8);
  const unsigned needed = registers_needed(schedule);
  const unsigned by_shared = (static_cast<unsigned>(target.shared_bytes) + reserved_shared) /
                             (schedule.launch.shared_bytes + reserved_shared);
  const unsigned by_threads = std::max(1u, static_cast<unsigned>(target.threads_of_sm()) / threads);
  const unsigned by_registers = std::max(1u, registers / (std::max(left, 32u) * threads));
  return {
      std::min({static_cast<unsigned>(target.blocks_of_sm()), by_shared, by_threads, by_registers}),
      left, needed > left ? needed - left : 0};
}

// Lanes of warps that work for each that has points, in the mean over phases.
double lanes_for_each(const Schedule& schedule) {
  double lanes = 0;
  for (const Phase& phase : schedule.phases) {
    const unsigned parts = schedule.shape.shares.parts();
    const double numbers = schedule.thread_numbers(phase.in) * parts;
    lanes += std::ceil(numbers / 32) * 32 / (schedule.work_items(phase.in) * parts);
  }
  return lanes / static_cast<double>(schedule.phases.size());
}

// Threads of a block with points where they are loaded.
unsigned loading_threads(const Schedule& schedule) {
  return std::min(schedule.work_items(schedule.phases.front().in), schedule.launch.threads);
}

// And of those, in the mean over laps.
double share_of_each_lap(const Schedule& schedule) {
  const Layout& first = schedule.phases.front().in;
  const unsigned at_once = schedule.laps_at_once(first);
  const unsigned turns = (schedule.laps(first) + at_once - 1) / at_once;
  const double items = schedule.work_items(first);
  return items / (at_once * turns) / loading_threads(schedule);
}

StayingWork staying_work(const Schedule& schedule, const CostEstimate& cost,
                         const Occupancy& occupancy) {
  StayingWork work{.issue = cost.issue,
                   .shared = cost.shared,
                   .laps_of_ends = schedule.laps(schedule.phases.front().in),
                   .points = schedule.points_per_thread(),
                   .registers = occupancy.registers,
                   .missing_registers = occupancy.missing_registers};
  for (std::size_t p = 1; p + 1 < schedule.phases.size(); ++p) {
    work.laps_within += schedule.laps(schedule.phases[p].in) - 1;
  }
  return work;
}

// Of a point after this step: reads of a table, or of smaller ones.
double reads_of(unsigned radix, Twiddles twiddles) {
  if (twiddles == Twiddles::table) return 1;
  if (twiddles == Twiddles::products || twiddles == Twiddles::cosines) return 0.5;
  const unsigned others = radix - 1, read = 1 + others / 4;
  return radix < least_radix_of_powers ? 1 : static_cast<double>(read) / others;
}

// `between`: how many steps have factors behind them.
double factors_of(const Decomposition& tree, Twiddles twiddles, std::size_t between) {
  double sum = 0;
  for (std::size_t step = 0; step < between; ++step) {
    sum += reads_of(tree.radices[step], twiddles);
  }
  return sum;
}

// Where a thread has room for so many points, the last two steps begin a phase of theirs, or the
// first of them does: no factors are between them then, see Schedule::coprime_phase.
bool last_two_begin(const Decomposition& tree, unsigned most_points) {
  unsigned points = tree.radices.front();
  bool begins = false;
  for (std::size_t step = 1; step + 1 < tree.radices.size(); ++step) {
    begins = points * tree.radices[step] > most_points;
    points = begins ? tree.radices[step] : points * tree.radices[step];
  }
  return begins;
}

// Of one of the two sums of all pairs of results: products, what they are split into, what is put
// together of it.
double in_half(double pairs, Split split) {
  switch (split) {
    case Split::none:
      break;
    case Split::by_two:
      return pairs * pairs / 2 + 2 * pairs;
    case Split::by_three:
      return pairs * pairs * 5 / 9 + 8 * pairs / 3;
    case Split::by_halves:
      return pairs * pairs * 3 / 4 + pairs;
  }
  return pairs * pairs;
}

// Of a point.
double in_prime(unsigned prime, bool halves) {
  if (prime == 2) return 2;
  const unsigned half = prime / 2;
  const double pairs = half;
  const Splits split = splits_of(prime);
  const auto sum = [=](Split one) {
    return in_half(pairs, one == Split::by_halves && !halves ? Split::none : one);
  };
  return 2 * (5 * pairs + sum(split.even) + sum(split.odd)) / prime;
}

double sum_over_primes(unsigned radix) {
  double sum = 0;
  for (unsigned prime = 2; radix > 1; ++prime) {
    for (bool again = false; radix % prime == 0; radix /= prime, again = true) {
      sum += in_prime(prime, false);
      if (again) sum += prime == 2 ? 0.7 : 4 * (prime - 1.0) / prime;
    }
  }
  return sum;
}

}  // namespace

double instructions_of_butterfly(unsigned radix, bool halves) {
  if (halves) return in_prime(radix, true);
  static const auto known = [] {
    std::array<double, largest_radix + 1> sums{};
    for (unsigned one = 2; one <= largest_radix; ++one) sums[one] = sum_over_primes(one);
    return sums;
  }();
  return known.at(radix);
}

double instructions_in(bool fp64, double of_butterfly) {
  // FP64 has half of the lanes. Points are converted four times, by a pipe of their own: not
  // fitted.
  constexpr double times = 2, conversions = 4 * 4;
  return fp64 ? times * of_butterfly + conversions : of_butterfly;
}

StepCosts::StepCosts(const Decomposition& tree, const MixedKernel& kernel)
    : tree_(tree),
      speeds_(profile_of(kernel.target).speeds),
      coprime_(kernel.coprime && ends_coprime(tree)),
      ways_(kernel.filters ? 2 : 1),
      twiddles_(kernel.powers && kernel.sums == Sums::fp32 ? Twiddles::powers : Twiddles::table),
      instructions_(simt_costs.io + (kernel.filters ? cost_of_filter : 0)) {
  for (std::size_t step = 0; step < tree.radices.size(); ++step) {
    const bool halves = takes_halves(tree, tree.radices[step]);
    instructions_ += ways_ * instructions_in(is_in_fp64(kernel.sums, step, tree),
                                             instructions_of_butterfly(tree.radices[step], halves));
  }
}

CostEstimate StepCosts::with(const Filling& filling, std::size_t factors) const {
  constexpr double wavefronts_of_point = 2.0 / 32;
  const double accesses = ways_ * 2 * (filling.phases - 1);
  const double instructions = instructions_ + simt_costs.thread / filling.points +
                              simt_costs.shared * accesses +
                              ways_ * twiddle_cost * static_cast<double>(factors);
  CostEstimate cost;
  cost.copy = cost.memory = 2 * point_bytes(Storage::f32) / speeds_.bytes;
  cost.issue = instructions * filling.lanes / speeds_.lanes;
  cost.shared = accesses * wavefronts_of_point;
  cost.factors = ways_ * factors_of(tree_, twiddles_, factors);
  return cost;
}

CostEstimate StepCosts::on(const Filling& filling) const {
  const std::size_t steps = tree_.radices.size();
  const bool fewer = coprime_ && last_two_begin(tree_, filling.points);
  return with(filling, steps - (fewer ? 2 : 1));
}

CostEstimate StepCosts::at_least_on(const Filling& filling) const {
  return with(filling, tree_.radices.size() - (coprime_ ? 2 : 1));
}

CostEstimate estimate_cost(const Schedule& schedule, const Target& target) {
  const Speeds& speeds = profile_of(target).speeds;
  const KernelCounts count = count_kernel(schedule);
  const Occupancy occupancy = occupancy_of(schedule, target);
  CostEstimate cost;
  cost.copy = 2 * point_bytes(schedule.pass.in.storage) / speeds.bytes;
  cost.memory = count.bytes / speeds.bytes;
  // A convolution has more points in the tile than in memory.
  const double padding = static_cast<double>(schedule.points_per_block()) /
                         (static_cast<double>(schedule.launch.transforms_per_block) *
                          static_cast<double>(schedule.pass.n()));
  cost.issue = padding * count.instructions * lanes_for_each(schedule) / speeds.lanes;
  cost.shared = padding * count.wavefronts;
  cost.tensor = padding * count.mmas * mma_flops / speeds.mma_flops;
  cost.blocks = occupancy.blocks;
  cost.missing_registers = occupancy.missing_registers;
  cost.loading_warps = cost.blocks * loading_threads(schedule) / 32.0;
  cost.each_lap = share_of_each_lap(schedule);
  const Decomposition& tree = schedule.shape.tree.decomposition;
  const std::size_t between = tree.radices.size() - (schedule.coprime_phase > 0 ? 2 : 1);
  cost.factors = factors_of(tree, schedule.shape.twiddles, between);
  cost.crowded = is_crowded(cost.blocks, schedule.launch.shared_bytes, target);
  if (schedule.stays()) {
    const double cycles =
        staying_cycles(staying_work(schedule, cost, occupancy), speeds.of_persistent);
    cost.total = std::max(cost.copy, cycles);
    return cost;
  }
  cost.total = total_of(cost, schedule.shape.shares, schedule.mixed(), speeds,
                        schedule.pass.part ? speeds.of_pass : speeds.of_whole);
  return cost;
}

}  // namespace sonoma
