#include "trees.hpp"

#include <algorithm>
#include <climits>
#include <functional>
#include <tuple>
#include <utility>

namespace sonoma {
namespace {

// That divide n, large ones first.
std::vector<unsigned> radices_of(std::int64_t n, unsigned most, unsigned least) {
  std::vector<unsigned> radices;
  for (unsigned radix = most; radix >= least; --radix) {
    if (n % radix == 0 && is_radix(radix)) radices.push_back(radix);
  }
  return radices;
}

void append(std::int64_t n, unsigned steps, const std::vector<unsigned>& radices,
            std::vector<unsigned>& begun, std::vector<Decomposition>& trees) {
  if (steps == 0) {
    if (n == 1) trees.push_back({begun});
    return;
  }
  if (steps == 1 && !std::ranges::binary_search(radices, n, std::greater{})) return;
  for (const unsigned radix : radices) {
    if (n % radix != 0) continue;
    begun.push_back(radix);
    append(n / radix, steps - 1, radices, begun, trees);
    begun.pop_back();
  }
}

unsigned largest(const Decomposition& tree) { return *std::ranges::max_element(tree.radices); }

// The largest of the points that threads take at once over the smallest.
double unevenness(const Decomposition& tree, OppositePhase opposite) {
  unsigned least = UINT_MAX, most = 0;
  for (std::size_t i = 0; i < tree.radices.size(); ++i) {
    const bool twice = (i == 0 && opposite == OppositePhase::first) ||
                       (i + 1 == tree.radices.size() && opposite == OppositePhase::last);
    const unsigned points = tree.radices[i] * (twice ? 2 : 1);
    least = std::min(least, points), most = std::max(most, points);
  }
  return static_cast<double>(most) / least;
}

// Those whose radices differ least; of equal ones first those that end with a large one: fewer
// conflicts between banks, and more threads that load.
std::vector<Decomposition> most_even(std::vector<Decomposition> trees, std::size_t few,
                                     OppositePhase opposite) {
  std::ranges::reverse(trees);
  std::vector<std::pair<double, std::size_t>> order;
  for (const Decomposition& tree : trees) {
    order.emplace_back(unevenness(tree, opposite), order.size());
  }
  std::ranges::sort(order);
  std::vector<Decomposition> first;
  for (std::size_t i = 0; i < std::min(few, trees.size()); ++i) {
    first.push_back(std::move(trees[order[i].second]));
  }
  return first;
}

}  // namespace

std::vector<Decomposition> trees_of(std::int64_t n, unsigned steps, unsigned most, unsigned least) {
  std::vector<Decomposition> trees;
  std::vector<unsigned> begun;
  append(n, steps, radices_of(n, most, least), begun, trees);
  return trees;
}

std::vector<Decomposition> mixed_trees(std::int64_t n, OppositePhase opposite) {
  constexpr std::size_t few = 16;
  constexpr unsigned most_steps = 16;
  unsigned steps = opposite == OppositePhase::none ? 1 : 2;
  std::vector<Decomposition> trees;
  const auto of = [&](unsigned number) {
    return most_even(trees_of(n, number, largest_radix), few, opposite);
  };
  while (trees.empty() && steps < most_steps) trees = of(steps++);
  const auto more = of(steps);
  trees.insert(trees.end(), more.begin(), more.end());
  return trees;
}

std::vector<Decomposition> trees_in_order(std::int64_t n, unsigned steps, unsigned most) {
  std::vector<Decomposition> trees = trees_of(n, steps, most);
  const auto descending = [](Decomposition tree) {
    std::ranges::sort(tree.radices, std::greater{});
    return tree;
  };
  std::ranges::sort(trees, [&](const Decomposition& a, const Decomposition& b) {
    return std::tuple(largest(a), descending(b), a) < std::tuple(largest(b), descending(a), b);
  });
  return trees;
}

}  // namespace sonoma
