#include "trees.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <climits>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

namespace sonoma {
namespace {

using IsRadix = bool (*)(std::uint64_t);
constexpr unsigned most_steps = 16;

// That divide n, large ones first.
std::vector<unsigned> radices_of(std::int64_t n, unsigned most, unsigned least,
                                 IsRadix is_one = is_usual_radix) {
  std::vector<unsigned> radices;
  for (unsigned radix = most; radix >= least; --radix) {
    if (n % radix == 0 && is_one(radix)) radices.push_back(radix);
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

// Of the trees of n of so many steps the few whose phases differ least in the points that threads
// take at once; of equal ones first those that end with a large radix: fewer conflicts between
// banks, and more threads that load.
class EvenTrees {
 public:
  EvenTrees(std::int64_t n, unsigned steps, OppositePhase opposite, unsigned blocks,
            IsRadix is_one = is_usual_radix)
      : radices_(radices_of(n, largest_radix, 2, is_one)), opposite_(opposite), blocks_(blocks) {
    found_.reserve(few + 1);
    for (const unsigned radix : radices_) serves_.set(radix);
    if (!radices_.empty()) append(n, steps, {UINT_MAX, 0});
  }

  [[nodiscard]] std::vector<Decomposition> all() const {
    std::vector<Decomposition> trees;
    for (const Found& one : found_) {
      trees.push_back({{one.radices.begin(), one.radices.begin() + one.steps}});
    }
    return trees;
  }

 private:
  struct Points {
    unsigned least, most;
    [[nodiscard]] double unevenness() const { return static_cast<double>(most) / least; }
  };
  static constexpr std::size_t few = 16;
  struct Found {
    double unevenness;
    std::array<std::uint8_t, most_steps> radices;
    std::uint8_t steps;
  };
  static_assert(largest_composite_radix <= UINT8_MAX && largest_radix <= UINT8_MAX);

  [[nodiscard]] bool is_opposite(bool last) const {
    return (begun_.empty() && opposite_ == OppositePhase::first) ||
           (last && opposite_ == OppositePhase::last);
  }
  [[nodiscard]] Points with(const Points& points, unsigned radix, bool last) const {
    const unsigned taken = radix * (is_opposite(last) ? 2 : 1);
    return {std::min(points.least, taken), std::max(points.most, taken)};
  }
  [[nodiscard]] bool is_too_uneven(const Points& points) const {
    return found_.size() == few && points.unevenness() > found_.back().unevenness;
  }

  // Large radices first. What is left of n behind a small one may be too much for the steps left.
  void append(std::int64_t n, unsigned steps, const Points& points) {
    if (steps == 1) return append_last(n, points);
    const bool serves = opposite_ != OppositePhase::last || shares_sectors(n, blocks_);
    if (!serves) return;  // nor does any divisor
    std::int64_t most_left = 1;
    for (unsigned step = 1; step < steps; ++step)
      most_left = std::min(most_left * radices_.front(), n);
    for (const unsigned radix : radices_) {
      if (n / radix > most_left) return;
      const Points all = with(points, radix, false);
      if (n % radix != 0 || is_too_uneven(all)) continue;
      if (is_opposite(false) && !shares_sectors(radix, blocks_)) continue;
      begun_.push_back(static_cast<std::uint8_t>(radix));
      append(n / radix, steps - 1, all);
      begun_.pop_back();
    }
  }
  void append_last(std::int64_t n, const Points& points) {
    if (n > std::int64_t{largest_radix} || !serves_[static_cast<std::size_t>(n)]) return;
    const auto radix = static_cast<unsigned>(n);
    const Points all = with(points, radix, true);
    if (is_too_uneven(all) || (is_opposite(true) && !shares_sectors(radix, blocks_))) return;
    Found one{all.unevenness(), {}, static_cast<std::uint8_t>(begun_.size() + 1)};
    std::ranges::copy(begun_, one.radices.begin());
    one.radices[begun_.size()] = static_cast<std::uint8_t>(radix);
    const auto at = std::ranges::lower_bound(found_, one.unevenness, {}, &Found::unevenness);
    found_.insert(at, one);
    if (found_.size() > few) found_.pop_back();
  }

  std::vector<unsigned> radices_;
  std::bitset<largest_radix + 1> serves_;  // the same
  std::vector<std::uint8_t> begun_;
  OppositePhase opposite_;
  unsigned blocks_;
  std::vector<Found> found_;  // the most even first
};

unsigned largest(const Decomposition& tree) { return *std::ranges::max_element(tree.radices); }

}  // namespace

std::vector<Decomposition> trees_of(std::int64_t n, unsigned steps, unsigned most, unsigned least) {
  std::vector<Decomposition> trees;
  std::vector<unsigned> begun;
  append(n, steps, radices_of(n, most, least), begun, trees);
  return trees;
}

std::vector<Decomposition> mixed_trees(std::int64_t n, OppositePhase opposite, unsigned blocks) {
  unsigned steps = opposite == OppositePhase::none ? 1 : 2;
  std::vector<Decomposition> trees;
  const auto of = [&](unsigned number) { return EvenTrees(n, number, opposite, blocks).all(); };
  while (trees.empty() && steps < most_steps) trees = of(steps++);
  const auto more = of(steps);
  trees.insert(trees.end(), more.begin(), more.end());
  return trees;
}

std::vector<Decomposition> searched_trees(std::int64_t n, OppositePhase opposite, unsigned blocks) {
  constexpr std::int64_t long_block = 8192;  // shorter ones are near a copy's speed as it is
  std::vector<Decomposition> trees = mixed_trees(n, opposite, blocks);
  const std::size_t steps = trees.empty() ? 0 : trees.front().radices.size();
  if (n <= long_block || steps < 2 || opposite != OppositePhase::none) return trees;
  const EvenTrees wide(n, static_cast<unsigned>(steps - 1), opposite, blocks, is_radix);
  for (const Decomposition& tree : wide.all()) trees.push_back(tree);
  return trees;
}

std::vector<Decomposition> wide_trees_of(std::int64_t n, unsigned steps, unsigned least) {
  std::vector<Decomposition> trees;
  std::vector<unsigned> begun;
  append(n, steps, radices_of(n, largest_composite_radix, least, is_radix), begun, trees);
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
