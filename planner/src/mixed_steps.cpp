// The steps of a length that is no power of two: those whose best shape the cost model likes best.
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mixed_cost.hpp"
#include "mixed_shape.hpp"
#include "remembered.hpp"
#include "shape_of_block.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "trees.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// Of a prime above 31 a thread holds all points and all results at a time, but where it stores
// results as they come: first or last. On an H100 1749 points as 3 x 53 x 11 have .35 of a copy's
// speed, as 53 x 11 x 3 .69; 2684 as 4 x 61 x 11 .28, as 61 x 11 x 4 .64.
bool holds_large_prime_within(const Decomposition& tree) {
  const auto& radices = tree.radices;
  if (radices.size() < 3) return false;
  return std::any_of(radices.begin() + 1, radices.end() - 1,
                     [](unsigned radix) { return radix > largest_usual_radix; });
}

Decomposition searched_steps(std::int64_t n, const Tuning& wish, const MixedKernel& kernel) {
  unsigned transforms = 1;
  for (unsigned t = 2; t * n <= usual_block_of(kernel); ++t) {
    if (is_smooth(t, 13)) transforms = t;
  }
  const auto block = wish.block_points.value_or(transforms * static_cast<unsigned>(n));
  const auto most = std::max(usual_points, static_cast<unsigned>(largest_prime_factor(n)));
  const Decomposition* best = nullptr;
  double least = impossible_cycles;
  const unsigned blocks = wish.cluster.value_or(1);
  const auto trees = mixed_trees(n, kernel.opposite, blocks);
  if (blocks > 1 && trees.empty()) {
    throw UnsupportedProblem("cluster", std::to_string(blocks),
                             "1 for n = " + std::to_string(n) +
                                 ", or a decomposition: no usual radix gives each block 4 points");
  }
  BlockJudge judge(wish, kernel);
  for (const Decomposition& tree : trees) {
    if (largest_of(tree) > wish.points_per_thread.value_or(most)) continue;
    if (holds_large_prime_within(tree)) continue;
    const auto shape = judge.best(tree, block, usual_points_of(tree, wish, kernel), 0.99 * least);
    if (shape && shape->cycles < 0.99 * least) best = &tree, least = shape->cycles;
  }
  return best ? *best : decompose(n);
}

}  // namespace

std::vector<std::pair<Decomposition, MixedShape>> best_in_parts(std::int64_t n,
                                                                const Shares& shares,
                                                                const MixedKernel& kernel,
                                                                std::size_t few) {
  std::vector<std::pair<Decomposition, MixedShape>> found;
  for (const Decomposition& tree : shares.parts() == 1 ? searched_trees(n) : mixed_trees(n)) {
    const auto shapes = mixed_shapes(tree, kernel, {1}, shares);
    if (!shapes.empty()) found.emplace_back(tree, shapes.front());
  }
  std::ranges::stable_sort(
      found, {}, [&](const auto& one) { return cycles_of(one.first, one.second, kernel); });
  if (found.size() > few) found.resize(few);
  return found;
}

Decomposition fastest_steps(std::int64_t n, const Tuning& wish, const MixedKernel& kernel) {
  constexpr std::int64_t one_butterfly = 16;  // the model was fitted to longer ones
  const bool open = n > one_butterfly && n <= largest_mixed_tile * shares_of(wish).parts();
  if (!open || !goes_by_cost_model(n)) return decompose(n);
  static Remembered<std::tuple<std::int64_t, Tuning, MixedKernel>, Decomposition> remembered;
  return remembered.of({n, wish, kernel}, [&] { return searched_steps(n, wish, kernel); });
}

Decomposition steps_in_parts(std::int64_t n, const Tuning& wish, const Target& target) {
  const Shares shares = shares_of(wish);
  const std::int64_t parts = shares.parts();
  // Each half of the steps numbers all parts.
  const bool possible = n % parts == 0 && n / parts % parts == 0;
  const unsigned points = wish.points_per_thread.value_or(usual_points);
  const auto most = std::max(usual_points, static_cast<unsigned>(largest_prime_factor(n)));
  unsigned fewest = 1;
  while (trees_of(n, fewest, most).empty()) ++fewest;
  for (unsigned steps = fewest; possible && steps <= fewest + 3; ++steps) {
    for (const Decomposition& tree : trees_in_order(n, steps, most)) {
      const MixedShape shape{std::max(points, largest_of(tree)), static_cast<unsigned>(n), shares};
      if (std::isfinite(cycles_of(tree, shape, {target}))) return tree;
    }
  }
  throw UnsupportedProblem(shares.rounds > 1 ? "rounds" : "cluster",
                           std::to_string(shares.rounds > 1 ? shares.rounds : shares.cluster),
                           "a number that divides what two halves of the steps of n = " +
                               std::to_string(n) + " multiply to, or 1");
}

}  // namespace sonoma
