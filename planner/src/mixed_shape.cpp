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

// Registers that butterflies of so many points take without spills (NVRTC 13.0, sm_90), by eights.
unsigned registers_for(unsigned points, unsigned others) {
  const unsigned needed = points * 5 / 2 + 22 + others;
  return std::clamp((needed + 7) / 8 * 8, 40u, 248u);
}

// Of a shape that is out of the question.
constexpr double too_many_threads = 1000;

// The most points of a thread by default, and where a block has too many threads otherwise.
constexpr unsigned usual_points = 32;

// Of steps with large primes, where that saves a phase: 17 x 2, 11 x 3, or 7 x 5 in one.
constexpr unsigned usual_points_of_large = 36;

// Of an SM, whose four parts have warps and registers of their own.
unsigned taken_registers(unsigned warps, unsigned registers) {
  constexpr unsigned parts = 4;
  return (warps + parts - 1) / parts * parts * 32 * registers;
}

// How many of so many blocks it holds.
unsigned held_blocks(unsigned blocks, unsigned warps, unsigned registers, const MixedRules& rules) {
  while (blocks > 1 && taken_registers(blocks * warps, registers) > rules.registers) --blocks;
  return blocks;
}

// Registers that a thread misses, and spills, of steps with large primes: they leave few shapes to
// blocks of one transform.
unsigned missing_registers(const Decomposition& tree, const Filling& filling,
                           const MixedRules& rules) {
  const unsigned others = registers_of_large_primes(tree);
  const unsigned there = rules.registers / taken_registers(filling.threads / 32, 1),
                 wanted = registers_for(filling.points, others);
  return others > 0 && wanted > there ? wanted - there : 0;
}

double loss(const Decomposition& tree, const MixedShape& shape, const MixedRules& rules) {
  const Filling filling = filling_of(tree, shape);
  const unsigned points = shape.block_points / shape.shares.parts();
  const double threads = filling.threads, tile = points;
  if (threads > 1024) return too_many_threads;
  const unsigned large = registers_of_large_primes(tree),
                 registers = registers_for(filling.points, large);
  const double by_registers = rules.registers / (registers * threads);
  const double blocks =
      std::max(1.0, std::floor(std::min({rules.blocks, rules.threads / threads,
                                         rules.shared_bytes / (8 * tile + 1024.0), by_registers})));
  const double resident = std::min(1.0, blocks * tile / rules.enough_points);
  const double small = 1 + std::max(0.0, rules.few_threads - threads) / rules.per_missing_thread;
  const double few = blocks < 2 ? rules.one_block : blocks < 3 ? rules.two_blocks : 1;
  const double warps =
      threads / 32 * filling.share *
      held_blocks(static_cast<unsigned>(blocks), filling.threads / 32, registers, rules);
  const double spills = 1 + rules.missing_register * missing_registers(tree, filling, rules);
  const double many = large > 0 && filling.points > usual_points ? rules.unusual_points : 1;
  return 1 / filling.share / resident * small * few * (1 + rules.few_warps / (warps * warps)) *
         spills * many;
}

// The most points of a block by default: where n leaves room, small blocks cover each other's
// barriers.
constexpr unsigned usual_block = 2048;

// Some shapes have no steps that number blocks and rounds.
double loss_if_served(const Decomposition& tree, const MixedShape& shape, const MixedRules& rules) {
  try {
    return loss(tree, shape, rules);
  } catch (const UnsupportedProblem&) {
    return std::numeric_limits<double>::infinity();
  }
}

MixedShape best_shape(const Decomposition& tree, const Tuning& wish, unsigned most_points,
                      const MixedRules& rules) {
  const auto n = static_cast<unsigned>(tree.n());
  MixedShape best;
  double least = 0;
  const auto consider = [&](unsigned points, unsigned block) {
    const MixedShape shape{points, block, shares_of(wish)};
    const double value = loss_if_served(tree, shape, rules);
    if (best.block_points == 0 || value < 0.99 * least) best = shape, least = value;
  };
  for (unsigned t = 1; t == 1 || t * n <= usual_block; ++t) {
    if (!is_smooth(t, 13)) continue;
    const unsigned block = wish.block_points.value_or(t * n);
    for (unsigned points = largest_of(tree); points <= most_points; ++points) {
      consider(wish.points_per_thread.value_or(points), block);
      if (wish.points_per_thread) break;
    }
    if (wish.block_points) break;
  }
  const bool none =
      least >= too_many_threads || missing_registers(tree, filling_of(tree, best), rules) > 0;
  return none && most_points < most_mixed_points ? best_shape(tree, wish, most_mixed_points, rules)
                                                 : best;
}

MixedShape default_shape(const Decomposition& tree, const Tuning& wish, const MixedRules& rules) {
  const MixedShape usual = best_shape(tree, wish, usual_points, rules);
  if (registers_of_large_primes(tree) == 0) return usual;
  const MixedShape larger = best_shape(tree, wish, usual_points_of_large, rules);
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

std::vector<MixedShape> mixed_shapes(const Decomposition& decomposition, const MixedRules& rules,
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
      const MixedShape shape{points, t * n, shares};
      const double value = loss_if_served(decomposition, shape, rules);
      if (value >= too_many_threads) continue;
      // Where no phase fills its threads, fewer points would be another shape.
      if (filling_of(decomposition, shape).points == points) found.emplace_back(value, shape);
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<double, MixedShape>::first);
  std::vector<MixedShape> shapes;
  for (const auto& [value, shape] : found) shapes.push_back(shape);
  return shapes;
}

std::vector<std::pair<Decomposition, MixedShape>> best_in_parts(std::int64_t n,
                                                                const Shares& shares,
                                                                const Target& target,
                                                                std::size_t few) {
  const MixedRules& rules = profile_of(target).mixed;
  std::vector<std::pair<Decomposition, MixedShape>> found;
  for (const Decomposition& tree : mixed_trees(n)) {
    const auto shapes = mixed_shapes(tree, rules, {1}, shares);
    if (!shapes.empty()) found.emplace_back(tree, shapes.front());
  }
  std::ranges::stable_sort(found, {},
                           [&](const auto& one) { return loss(one.first, one.second, rules); });
  if (found.size() > few) found.resize(few);
  return found;
}

Decomposition steps_in_parts(std::int64_t n, const Tuning& wish) {
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
      if (std::isfinite(loss_if_served(tree, shape, {}))) return tree;
    }
  }
  throw UnsupportedProblem(shares.rounds > 1 ? "rounds" : "cluster",
                           std::to_string(shares.rounds > 1 ? shares.rounds : shares.cluster),
                           "a number that divides what two halves of the steps of n = " +
                               std::to_string(n) + " multiply to, or 1");
}

void choose_mixed_shape(Shape& shape, const Tuning& wish, bool convolves, const MixedRules& rules) {
  const Decomposition& tree = shape.tree.decomposition;
  const auto n = static_cast<unsigned>(tree.n());
  const unsigned points = wish.points_per_thread.value_or(largest_of(tree));
  const unsigned block = wish.block_points.value_or(n);
  // Others are check()'s to refuse.
  const bool possible = points >= largest_of(tree) && points <= most_mixed_points && block >= n &&
                        block % n == 0 && block <= largest_mixed_tile * shape.shares.parts();
  const bool open = !wish.points_per_thread || !wish.block_points;
  const MixedShape taken =
      open && possible ? default_shape(tree, wish, rules) : MixedShape{points, block, shape.shares};
  shape.points_per_thread = taken.points_per_thread;
  shape.block_points = taken.block_points;
  // The addresses of a convolution's three more tables take a few.
  const unsigned others = (convolves ? 4 : 0) + registers_of_large_primes(tree);
  shape.registers = wish.registers.value_or(registers_for(taken.points_per_thread, others));
}

}  // namespace sonoma
