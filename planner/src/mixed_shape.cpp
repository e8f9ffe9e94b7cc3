#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "decide.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "trees.hpp"

namespace sonoma {
namespace {

// Of a shape that is out of the question.
constexpr double impossible = 1e6;

// The most points of a thread by default, and where a block has too many threads otherwise.
constexpr unsigned usual_points = 32;

// Of steps with large primes, where that saves a phase: 17 x 2, 11 x 3, or 7 x 5 in one.
constexpr unsigned usual_points_of_large = 36;

// Registers that butterflies of so many points take without spills (NVRTC 13.0, sm_90), by eights.
unsigned registers_without_spills(unsigned points, unsigned others) {
  const unsigned few = points < 16 ? 4 : 0;  // a thread of few points has as many addresses
  const unsigned needed = points * 5 / 2 + 22 + few + others;
  return std::clamp((needed + 7) / 8 * 8, 40u, 248u);
}

// The most registers that leave an SM so many blocks.
unsigned registers_left(unsigned blocks, unsigned threads, const Target& target) {
  constexpr unsigned parts = 4 * 32;  // of an SM, whose warps have registers of their own
  const unsigned all = (blocks * threads + parts - 1) / parts * parts;
  return std::min(248u, static_cast<unsigned>(target.registers) / all / 8 * 8);
}

/// Registers of a thread, and cycles for a point that the cost model expects with these.
struct Expected {
  unsigned registers = 0, missing = 0;
  double cycles = impossible;
};

// How many blocks an SM holds of a shape, whatever their registers.
unsigned most_blocks(const MixedShape& shape, unsigned threads, const Target& target) {
  constexpr unsigned reserved_shared = 1024;
  const unsigned bytes_of_point = shape.shares.rounds > 1 ? 6 : 8;
  const unsigned bytes = shape.block_points / shape.shares.cluster * bytes_of_point;
  return std::min({static_cast<unsigned>(target.blocks_of_sm()),
                   static_cast<unsigned>(target.threads_of_sm()) / threads,
                   static_cast<unsigned>(target.shared_bytes) / (bytes + reserved_shared)});
}

// With as many blocks as have the registers that they need; of one they may miss some.
Expected expected_of(const Decomposition& tree, const MixedShape& shape, const Target& target,
                     unsigned other_registers = 0) {
  constexpr unsigned most_threads = 1024;
  const Filling filling = filling_of(tree, shape);
  const unsigned needed =
      registers_without_spills(filling.points, registers_of_large_primes(tree) + other_registers);
  if (filling.threads > most_threads) return {needed, 0, impossible};
  const unsigned held = most_blocks(shape, filling.threads, target);
  const Speeds& speeds = profile_of(target).speeds;
  CostEstimate cost = cost_of_steps(tree, filling, speeds);
  Expected best{needed, 0, impossible};
  for (unsigned blocks = 1; blocks <= std::max(1u, held); ++blocks) {
    const unsigned registers = registers_left(blocks, filling.threads, target);
    if (blocks > 1 && registers < needed) break;
    cost.blocks = blocks;
    cost.loading_warps = blocks * filling.loading / 32.0;
    cost.missing_registers = needed > registers ? needed - registers : 0;
    const double cycles = add_up(cost, shape.shares, true, speeds);
    if (cycles < best.cycles) best = {registers, cost.missing_registers, cycles};
  }
  return best;
}

// The most points of a block by default: where n leaves room, small blocks cover each other's
// barriers.
constexpr unsigned usual_block = 2048;

// Some shapes have no steps that number blocks and rounds.
double cycles_of(const Decomposition& tree, const MixedShape& shape, const Target& target) {
  try {
    return expected_of(tree, shape, target).cycles;
  } catch (const UnsupportedProblem&) {
    return std::numeric_limits<double>::infinity();
  }
}

// Others leave every phase with as many points as fewer do: its steps fill them by whole digits.
bool may_fill(const Decomposition& tree, unsigned points) {
  return std::ranges::any_of(tree.radices, [&](unsigned radix) { return points % radix == 0; });
}

// Of a block of so many points, those of a thread up to `most_points`.
MixedShape best_of_block(const Decomposition& tree, const Tuning& wish, unsigned block,
                         unsigned most_points, const Target& target, double& least) {
  MixedShape best;
  for (unsigned points = largest_of(tree); points <= most_points; ++points) {
    if (!wish.points_per_thread && !may_fill(tree, points)) continue;
    const MixedShape shape{wish.points_per_thread.value_or(points), block, shares_of(wish)};
    const double cycles = cycles_of(tree, shape, target);
    if (best.block_points == 0 || cycles < 0.99 * least) best = shape, least = cycles;
    if (wish.points_per_thread) break;
  }
  return best;
}

// Steps with large primes leave few shapes to blocks of one transform.
bool misses_for_large_primes(const Decomposition& tree, const MixedShape& shape,
                             const Target& target) {
  return registers_of_large_primes(tree) > 0 && expected_of(tree, shape, target).missing > 0;
}

MixedShape best_shape(const Decomposition& tree, const Tuning& wish, unsigned most_points,
                      const Target& target) {
  const auto n = static_cast<unsigned>(tree.n());
  MixedShape best;
  double least = 0;
  for (unsigned t = 1; t == 1 || t * n <= usual_block; ++t) {
    if (!is_smooth(t, 13)) continue;
    double cycles = 0;
    const MixedShape shape =
        best_of_block(tree, wish, wish.block_points.value_or(t * n), most_points, target, cycles);
    if (best.block_points == 0 || cycles < 0.99 * least) best = shape, least = cycles;
    if (wish.block_points) break;
  }
  const bool none = least >= impossible || misses_for_large_primes(tree, best, target);
  return none && most_points < most_mixed_points ? best_shape(tree, wish, most_mixed_points, target)
                                                 : best;
}

MixedShape default_shape(const Decomposition& tree, const Tuning& wish, const Target& target) {
  const MixedShape usual = best_shape(tree, wish, usual_points, target);
  if (registers_of_large_primes(tree) == 0) return usual;
  const MixedShape larger = best_shape(tree, wish, usual_points_of_large, target);
  const Filling one = filling_of(tree, usual), other = filling_of(tree, larger);
  return other.phases < one.phases || other.points < one.points ? larger : usual;
}

}  // namespace

unsigned registers_of_large_primes(const Decomposition& decomposition) {
  unsigned most = 0;
  for (const unsigned radix : decomposition.radices) {
    const auto prime = static_cast<unsigned>(largest_prime_factor(radix));
    if (prime > 13) most = std::max(most, prime / 2);
  }
  return most;
}

unsigned registers_of_mixed(unsigned points, const Decomposition& decomposition) {
  return 2 * points + 28 + registers_of_large_primes(decomposition);
}

std::vector<MixedShape> mixed_shapes(const Decomposition& decomposition, const Target& target,
                                     std::vector<unsigned> counts, const Shares& shares) {
  const auto n = static_cast<unsigned>(decomposition.n());
  if (counts.empty()) {
    counts = {1};
    for (unsigned t = 2; t * n <= 2 * usual_block; ++t) {
      if (is_smooth(t, 13)) counts.push_back(t);
    }
  }
  std::vector<std::pair<double, MixedShape>> found;
  for (const unsigned t : counts) {
    for (unsigned points = largest_of(decomposition); points <= usual_points; ++points) {
      if (!may_fill(decomposition, points)) continue;
      const MixedShape shape{points, t * n, shares};
      const double cycles = cycles_of(decomposition, shape, target);
      if (cycles >= impossible) continue;
      // Where no phase fills its threads, fewer points would be another shape.
      if (filling_of(decomposition, shape).points == points) found.emplace_back(cycles, shape);
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<double, MixedShape>::first);
  std::vector<MixedShape> shapes;
  for (const auto& [cycles, shape] : found) shapes.push_back(shape);
  return shapes;
}

std::vector<std::pair<Decomposition, MixedShape>> best_in_parts(std::int64_t n,
                                                                const Shares& shares,
                                                                const Target& target,
                                                                std::size_t few) {
  std::vector<std::pair<Decomposition, MixedShape>> found;
  for (const Decomposition& tree : mixed_trees(n)) {
    const auto shapes = mixed_shapes(tree, target, {1}, shares);
    if (!shapes.empty()) found.emplace_back(tree, shapes.front());
  }
  std::ranges::stable_sort(
      found, {}, [&](const auto& one) { return cycles_of(one.first, one.second, target); });
  if (found.size() > few) found.resize(few);
  return found;
}

Decomposition fastest_steps(std::int64_t n, const Tuning& wish, const Target& target) {
  constexpr std::int64_t one_butterfly = 16;  // the model was fitted to longer ones
  if (!is_smooth(n, 13) || n <= one_butterfly || n > largest_mixed_tile) return decompose(n);
  unsigned transforms = 1;
  for (unsigned t = 2; t * n <= usual_block; ++t) transforms = is_smooth(t, 13) ? t : transforms;
  const auto block = wish.block_points.value_or(transforms * static_cast<unsigned>(n));
  Decomposition best = decompose(n);
  double least = impossible;
  for (const Decomposition& tree : mixed_trees(n)) {
    if (largest_of(tree) > wish.points_per_thread.value_or(usual_points)) continue;
    double cycles = impossible;
    (void)best_of_block(tree, wish, block, usual_points, target, cycles);
    if (cycles < 0.99 * least) best = tree, least = cycles;
  }
  return best;
}

Decomposition steps_in_parts(std::int64_t n, const Tuning& wish, const Target& target) {
  const Shares shares = shares_of(wish);
  const std::int64_t parts = shares.parts();
  // Each half of the steps numbers all parts.
  const bool possible = n % parts == 0 && n / parts % parts == 0;
  const unsigned points = wish.points_per_thread.value_or(usual_points);
  unsigned fewest = 1;
  while (trees_of(n, fewest, usual_points).empty()) ++fewest;
  for (unsigned steps = fewest; possible && steps <= fewest + 3; ++steps) {
    for (const Decomposition& tree : trees_in_order(n, steps, usual_points)) {
      const MixedShape shape{std::max(points, largest_of(tree)), static_cast<unsigned>(n), shares};
      if (std::isfinite(cycles_of(tree, shape, target))) return tree;
    }
  }
  throw UnsupportedProblem(shares.rounds > 1 ? "rounds" : "cluster",
                           std::to_string(shares.rounds > 1 ? shares.rounds : shares.cluster),
                           "a number that divides what two halves of the steps of n = " +
                               std::to_string(n) + " multiply to, or 1");
}

void choose_mixed_shape(Shape& shape, const Tuning& wish, unsigned others, const Target& target) {
  const Decomposition& tree = shape.tree.decomposition;
  const auto n = static_cast<unsigned>(tree.n());
  const unsigned points = wish.points_per_thread.value_or(largest_of(tree));
  const unsigned block = wish.block_points.value_or(n);
  // Others are check()'s to refuse.
  const bool possible = points >= largest_of(tree) && points <= most_mixed_points && block >= n &&
                        block % n == 0 && block <= largest_mixed_tile * shape.shares.parts();
  const bool open = !wish.points_per_thread || !wish.block_points;
  const MixedShape taken = open && possible ? default_shape(tree, wish, target)
                                            : MixedShape{points, block, shape.shares};
  shape.points_per_thread = taken.points_per_thread;
  shape.block_points = taken.block_points;
  if (wish.registers || !possible) {
    shape.registers = wish.registers.value_or(registers_of_mixed(points, tree));
    return;
  }
  shape.registers = expected_of(tree, taken, target, others).registers;
}

}  // namespace sonoma
