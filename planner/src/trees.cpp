#include "trees.hpp"

#include <algorithm>

namespace sonoma {
namespace {

struct Radices {
  unsigned most, least;
};

void append(std::int64_t n, unsigned steps, Radices allowed, std::vector<unsigned>& begun,
            std::vector<Decomposition>& trees) {
  if (steps == 0) {
    if (n == 1) trees.push_back({begun});
    return;
  }
  for (unsigned radix = allowed.most; radix >= allowed.least; --radix) {
    if (n % radix != 0) continue;
    begun.push_back(radix);
    append(n / radix, steps - 1, allowed, begun, trees);
    begun.pop_back();
  }
}

double unevenness(const Decomposition& tree) {
  const auto [least, most] = std::minmax_element(tree.radices.begin(), tree.radices.end());
  return static_cast<double>(*most) / *least;
}

std::vector<Decomposition> most_even(std::int64_t n, unsigned steps) {
  constexpr std::size_t most = 16;
  std::vector<Decomposition> trees = trees_of(n, steps, largest_radix);
  std::stable_sort(trees.begin(), trees.end(), [](const Decomposition& a, const Decomposition& b) {
    return unevenness(a) < unevenness(b);
  });
  if (trees.size() > most) trees.resize(most);
  return trees;
}

}  // namespace

std::vector<Decomposition> trees_of(std::int64_t n, unsigned steps, unsigned most, unsigned least) {
  std::vector<Decomposition> trees;
  std::vector<unsigned> begun;
  append(n, steps, {most, least}, begun, trees);
  return trees;
}

std::vector<Decomposition> mixed_trees(std::int64_t n) {
  unsigned steps = 1;
  std::vector<Decomposition> trees;
  while (trees.empty()) trees = most_even(n, steps++);
  const auto more = most_even(n, steps);
  trees.insert(trees.end(), more.begin(), more.end());
  return trees;
}

}  // namespace sonoma
