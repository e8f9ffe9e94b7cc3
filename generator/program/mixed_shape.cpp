#include "mixed_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "phases.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/mixed_shapes.hpp"

namespace sonoma {
namespace {

// Registers that butterflies of so many points take without spills (NVRTC 13.0, sm_90), by eights.
unsigned registers_for(unsigned points, unsigned others) {
  const unsigned needed = points * 5 / 2 + 22 + others;
  return std::clamp((needed + 7) / 8 * 8, 40u, 248u);
}

// What is lost where some threads have no points in a phase, and where an SM holds too few points
// to hide the way to memory: 1 is ideal. (Balance of an H200; other shapes are for tune to find.)
constexpr double too_many_threads = 1000;

// The most points of a thread by default, and where a block has too many threads otherwise.
constexpr unsigned usual_points = 32, most_points_per_thread = 96;

// Of steps with large primes, where that saves a phase: 17 x 2, 11 x 3, or 7 x 5 in one.
constexpr unsigned usual_points_of_large = 36;

// Of an SM, whose four parts have warps and registers of their own.
constexpr unsigned all_registers = 65536;
unsigned taken_registers(unsigned warps, unsigned registers) {
  constexpr unsigned parts = 4;
  return (warps + parts - 1) / parts * parts * 32 * registers;
}

// How many of so many blocks it holds.
unsigned held_blocks(unsigned blocks, unsigned warps, unsigned registers) {
  while (blocks > 1 && taken_registers(blocks * warps, registers) > all_registers) --blocks;
  return blocks;
}

// The blocks and rounds that share a tile.
Shares parts_of(const Tuning& tuning) {
  return {tuning.cluster.value_or(1), tuning.rounds.value_or(1)};
}

// What phases make of a shape.
struct Filling {
  std::size_t phases = 0;
  unsigned points = 0, threads = 0;  // the most of a phase; whole warps of threads
  double share = 1;                  // of the threads that have points, in the mean
};

Filling filling_of(const Decomposition& tree, const MixedShape& shape) {
  const Shares& shares = shape.shares;
  const auto transforms = shape.block_points / static_cast<unsigned>(tree.n());
  const std::vector<Digit> digits = make_digits(tree, transforms);
  const std::vector<Phase> phases =
      mixed_phases(tree, digits, shape.points_per_thread, {0, 0, shares.cluster, shares.rounds});
  Filling result;
  result.phases = phases.size();
  const auto threads_of = [&](const Phase& phase) {
    return count_of(digits, phase.in.threads) / shares.parts();
  };
  for (const Phase& phase : phases) {
    result.threads = std::max(result.threads, threads_of(phase));
    result.points = std::max(result.points, count_of(digits, phase.in.registers));
  }
  result.threads = (result.threads + 31) / 32 * 32;
  double idle = 0;
  for (const Phase& phase : phases) {
    idle += static_cast<double>(result.threads) / threads_of(phase);
  }
  result.share = static_cast<double>(result.phases) / idle;
  return result;
}

// Registers that a thread misses, and spills, of steps with large primes: they leave few shapes to
// blocks of one transform.
unsigned missing_registers(const Decomposition& tree, const Filling& filling) {
  const unsigned others = registers_of_large_primes(tree);
  const unsigned there = all_registers / taken_registers(filling.threads / 32, 1),
                 wanted = registers_for(filling.points, others);
  return others > 0 && wanted > there ? wanted - there : 0;
}

double loss(const Decomposition& tree, const MixedShape& shape) {
  constexpr double sm_registers = all_registers, sm_threads = 2048, sm_bytes = 227 * 1024,
                   enough = 12000;
  const Filling filling = filling_of(tree, shape);
  const double threads = filling.threads, tile = shape.block_points / shape.shares.parts();
  if (threads > 1024) return too_many_threads;
  const unsigned large = registers_of_large_primes(tree),
                 registers = registers_for(filling.points, large);
  const double blocks =
      std::max(1.0, std::floor(std::min({32.0, sm_threads / threads, sm_bytes / (8 * tile + 1024.0),
                                         sm_registers / (registers * threads)})));
  const double resident = std::min(1.0, blocks * tile / enough);
  // Blocks of few warps, and few blocks, cover each other badly.
  const double small = threads < 96 ? 1 + (96 - threads) / 200 : 1;
  const double few = blocks < 2 ? 1.5 : blocks < 3 ? 1.1 : 1;
  // So do few warps that have points: measured, see the planner's cost model.
  const double warps = threads / 32 * filling.share *
                       held_blocks(static_cast<unsigned>(blocks), filling.threads / 32, registers);
  const double spills = 1 + 0.04 * missing_registers(tree, filling);
  // More points than usual are the way out where other shapes miss registers.
  const double many = large > 0 && filling.points > usual_points ? 2 : 1;
  return 1 / filling.share / resident * small * few * (1 + 24 / (warps * warps)) * spills * many;
}

// The most points of a block by default: where n leaves room, small blocks cover each other's
// barriers.
constexpr unsigned usual_block = 2048;

unsigned largest_of(const Decomposition& tree) {
  return *std::max_element(tree.radices.begin(), tree.radices.end());
}

// Some shapes have no steps that number blocks and rounds.
double loss_if_served(const Decomposition& tree, const MixedShape& shape) {
  try {
    return loss(tree, shape);
  } catch (const UnsupportedProblem&) {
    return std::numeric_limits<double>::infinity();
  }
}

MixedShape best_shape(const Tuning& tuning, unsigned n, unsigned most_points) {
  const Decomposition& tree = *tuning.decomposition;
  const Shares shares = parts_of(tuning);
  MixedShape best;
  double least = 0;
  const auto consider = [&](unsigned points, unsigned block) {
    const MixedShape shape{points, block, shares};
    const double value = loss_if_served(tree, shape);
    if (best.block_points == 0 || value < 0.99 * least) best = shape, least = value;
  };
  for (unsigned t = 1; t == 1 || t * n <= usual_block; ++t) {
    if (!is_smooth(t, 13)) continue;
    const unsigned block = tuning.block_points.value_or(t * n);
    for (unsigned points = largest_of(tree); points <= most_points; ++points) {
      consider(tuning.points_per_thread.value_or(points), block);
      if (tuning.points_per_thread) break;
    }
    if (tuning.block_points) break;
  }
  const bool none =
      least >= too_many_threads || missing_registers(tree, filling_of(tree, best)) > 0;
  return none && most_points < most_points_per_thread
             ? best_shape(tuning, n, most_points_per_thread)
             : best;
}

MixedShape default_shape(const Tuning& tuning, unsigned n) {
  const Decomposition& tree = *tuning.decomposition;
  const MixedShape usual = best_shape(tuning, n, usual_points);
  if (registers_of_large_primes(tree) == 0) return usual;
  const MixedShape larger = best_shape(tuning, n, usual_points_of_large);
  const Filling one = filling_of(tree, usual), other = filling_of(tree, larger);
  return other.phases < one.phases || other.points < one.points ? larger : usual;
}

// Some phase fills its threads: fewer points would be another shape.
bool is_tight(const Decomposition& tree, const MixedShape& shape) {
  const auto transforms = shape.block_points / static_cast<unsigned>(tree.n());
  const std::vector<Digit> digits = make_digits(tree, transforms);
  const auto phases = mixed_phases(tree, digits, shape.points_per_thread);
  return std::any_of(phases.begin(), phases.end(), [&](const Phase& phase) {
    return count_of(digits, phase.in.registers) == shape.points_per_thread;
  });
}

// All products of radices that make n, each radix no larger than the one before.
void append_trees(std::vector<Decomposition>& trees, Decomposition tree, unsigned n,
                  unsigned largest) {
  if (n == 1) trees.push_back(tree);
  for (unsigned radix = std::min(n, largest); n > 1 && radix > 1; --radix) {
    if (n % radix != 0) continue;
    tree.radices.push_back(radix);
    append_trees(trees, tree, n / radix, radix);
    tree.radices.pop_back();
  }
}

}  // namespace

Decomposition steps_in_parts(const Tuning& tuning, std::int64_t n) {
  std::vector<Decomposition> trees;
  append_trees(trees, {}, static_cast<unsigned>(n), usual_points);
  std::stable_sort(trees.begin(), trees.end(), [](const auto& a, const auto& b) {
    return std::pair(a.radices.size(), a.radices.front()) <
           std::pair(b.radices.size(), b.radices.front());
  });
  const Shares shares = parts_of(tuning);
  for (Decomposition& tree : trees) {
    std::sort(tree.radices.begin(), tree.radices.end());
    do {
      const unsigned points = tuning.points_per_thread.value_or(usual_points);
      const MixedShape shape{std::max(points, largest_of(tree)), static_cast<unsigned>(n), shares};
      if (std::isfinite(loss_if_served(tree, shape))) return tree;
    } while (std::next_permutation(tree.radices.begin(), tree.radices.end()));
  }
  throw UnsupportedProblem(shares.rounds > 1 ? "rounds" : "cluster",
                           std::to_string(shares.rounds > 1 ? shares.rounds : shares.cluster),
                           "a number that divides what two halves of the steps of n = " +
                               std::to_string(n) + " multiply to, or 1");
}

void check_mixed_shape(const Tuning& tuning, std::int64_t n) {
  const unsigned most_block_points = largest_mixed_tile * parts_of(tuning).parts();
  const unsigned largest = largest_of(*tuning.decomposition);
  const auto& points = tuning.points_per_thread;
  if (points && (*points < largest || *points > most_points_per_thread)) {
    throw UnsupportedProblem("points_per_thread", std::to_string(*points),
                             std::to_string(largest) + " to " +
                                 std::to_string(most_points_per_thread) +
                                 " (a thread holds a whole butterfly)");
  }
  const auto& block = tuning.block_points;
  if (block && (*block % n != 0 || *block < n || *block > most_block_points)) {
    throw UnsupportedProblem(
        "block_points", std::to_string(*block),
        "a multiple of " + std::to_string(n) + " up to " + std::to_string(most_block_points));
  }
}

unsigned registers_of_large_primes(const Decomposition& decomposition) {
  unsigned most = 0;
  for (const unsigned radix : decomposition.radices) {
    const auto prime = static_cast<unsigned>(largest_prime_factor(radix));
    if (prime > 13) most = std::max(most, prime / 2);
  }
  return most;
}

std::vector<MixedShape> mixed_shapes(const Decomposition& decomposition) {
  const auto n = static_cast<unsigned>(decomposition.n());
  std::vector<std::pair<double, MixedShape>> found;
  for (unsigned t = 1; t == 1 || t * n <= 2 * usual_block; ++t) {
    if (!is_smooth(t, 13)) continue;
    for (unsigned points = largest_of(decomposition); points <= usual_points; ++points) {
      const MixedShape shape{points, t * n};
      const double value = loss(decomposition, shape);
      if (value < too_many_threads && is_tight(decomposition, shape))
        found.emplace_back(value, shape);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<MixedShape> shapes;
  for (const auto& [value, shape] : found) shapes.push_back(shape);
  return shapes;
}

void choose_mixed_shape(Tuning& tuning, std::int64_t n) {
  if (!tuning.points_per_thread || !tuning.block_points) {
    const MixedShape shape = default_shape(tuning, static_cast<unsigned>(n));
    tuning.points_per_thread = shape.points_per_thread;
    tuning.block_points = shape.block_points;
  }
  if (tuning.registers) return;
  // The addresses of a convolution's three more tables take a few.
  const unsigned tables = tuning.method != Method::radix ? 4 : 0;
  tuning.registers = registers_for(*tuning.points_per_thread,
                                   tables + registers_of_large_primes(*tuning.decomposition));
}

}  // namespace sonoma
