// The search space of what is no row of points: columns, axes that share a launch, convolutions.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "axes.hpp"
#include "columns.hpp"
#include "mixed_shape.hpp"
#include "search.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/wisdom.hpp"
#include "trees.hpp"

namespace sonoma {
namespace {

using Wishes = std::vector<Tuning>;
using Trees = std::vector<Decomposition>;
using Counts = std::vector<unsigned>;  // of transforms that a block, or cluster, takes

// In as few steps as there are, and one more.
Trees trees_of_axis(std::int64_t n, std::size_t few) {
  if (!is_power_of_two(n)) {
    Trees trees = mixed_trees(n);
    if (trees.size() > few) trees.resize(few);
    return trees;
  }
  const auto bits = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(n)));
  const unsigned fewest = std::max(1u, (bits + 4) / 5);
  Trees trees = trees_of(n, fewest, largest_radix);
  const Trees more = trees_of(n, fewest + 1, 16);
  trees.insert(trees.end(), more.begin(), more.end());
  return trees;
}

// Those of each axis, one after the other.
Trees trees_of_axes(const std::vector<std::int64_t>& lengths) {
  const std::size_t few = lengths.size() > 1 ? 6 : 32;
  Trees trees = {{}};
  for (const std::int64_t n : lengths) {
    Trees longer;
    for (const Decomposition& begun : trees) {
      for (const Decomposition& own : trees_of_axis(n, few)) {
        longer.push_back(begun);
        longer.back().radices.insert(longer.back().radices.end(), own.radices.begin(),
                                     own.radices.end());
      }
    }
    trees = std::move(longer);
  }
  return trees;
}

// Powers of two; of other lengths divisors of the number of columns, those that waste least.
Counts columns_tried(unsigned n, std::int64_t columns, const Search& search) {
  Counts counts;
  const auto all = static_cast<unsigned>(std::min<std::int64_t>(columns, std::max(64u, 4096u / n)));
  if (is_power_of_two(n)) {
    for (unsigned count = 2; count <= all && n * count <= 4 * most_block_points; count *= 2) {
      counts.push_back(count);
    }
    return counts;
  }
  constexpr std::size_t few = 6;
  for (unsigned count = 2; count <= std::min(all, 32u) && n * count <= most_block_points; ++count) {
    if (columns % count == 0 || std::has_single_bit(count)) counts.push_back(count);
  }
  const ColumnWeights& weights = profile_of(search.target).columns.of_arrays;
  std::ranges::stable_sort(counts, {}, [&](unsigned count) {
    return cost_of_columns(n, columns_of_last(columns), count, weights);
  });
  if (counts.size() > few && !search.patient) counts.resize(few);
  return counts;
}

Counts counts_tried(const Search& search) {
  const auto n = static_cast<unsigned>(search.problem.n());
  const std::int64_t columns = subject_of(search.problem, {}).side_by_side;
  if (columns > 0) return columns_tried(n, columns, search);
  Counts counts = {1};
  while (n * 2 * counts.back() <= 2048) counts.push_back(2 * counts.back());
  return counts;
}

// Points of a thread, blocks and rounds of a tile of bits.
void append_bits(Wishes& wishes, Tuning tuning, unsigned tile) {
  constexpr unsigned least_of_cluster = 4096, most_threads = 1024;
  for (const unsigned points : {8u, 16u, 32u}) {
    for (const unsigned rounds : {1u, 2u}) {
      for (const unsigned blocks : {1u, 2u, 4u, 8u, 16u}) {
        const unsigned own = tile / blocks, threads = own / points / rounds;
        const bool whole = own <= most_block_points * rounds && threads <= most_threads;
        const bool large = blocks == 1 || own >= least_of_cluster;
        const bool fills = rounds == 1 ? threads >= 32 : points == 32 && threads >= 128;
        if (!whole || !large || !fills) continue;
        tuning.points_per_thread = points, tuning.block_points = tile;
        tuning.cluster = blocks, tuning.rounds = rounds;
        tuning.registers = points == 8 ? 32 : points == 16 ? 56 : 104;
        wishes.push_back(tuning);
      }
    }
  }
}

// The most promising shapes of each number of transforms.
void append_mixed(Wishes& wishes, Tuning tuning, unsigned count, const Search& search) {
  const std::size_t few = search.patient ? 6 : 2;
  const Decomposition& tree = *tuning.decomposition;
  auto shapes = mixed_shapes(tree, search.mixed_kernel(), {count});
  if (shapes.size() > few) shapes.resize(few);
  for (const MixedShape& shape : shapes) wishes.push_back(with_shape(tuning, tree, shape));
}

Wishes wishes_of(const Search& search) {
  Wishes wishes;
  Tuning tuning;
  tuning.engine = Engine::simt;
  const auto n = static_cast<unsigned>(search.problem.n());
  const Counts counts = counts_tried(search);
  for (const Decomposition& tree : trees_of_axes(search.problem.dft_lengths())) {
    tuning.decomposition = tree;
    for (const unsigned count : counts) {
      if (is_power_of_two(n)) {
        append_bits(wishes, tuning, n * count);
      } else {
        append_mixed(wishes, tuning, count, search);
      }
    }
  }
  return wishes;
}

// The cheapest steps of each shape of a block, of shapes as they are cheap; then the next ones of
// the first shapes.
Wishes drafts_of(const Search& whole) {
  const std::size_t most = whole.patient ? 96 : 14, again = whole.patient ? 96 : 4;
  Search search(whole.problem, whole.target, whole.effort);
  for (const Tuning& wish : wishes_of(search)) {
    search.keep(wish);
  }
  using Shape = std::array<std::optional<unsigned>, 4>;
  std::map<Shape, unsigned> of_shape;
  Wishes firsts, seconds;
  for (const Candidate& one : search.found()) {
    const Tuning& t = one.tuning;
    const unsigned count = of_shape[{t.points_per_thread, t.block_points, t.cluster, t.rounds}]++;
    if (count == 0 && firsts.size() < most) firsts.push_back(t);
    if (count == 1 && seconds.size() < again) seconds.push_back(t);
  }
  firsts.insert(firsts.end(), seconds.begin(), seconds.end());
  return firsts;
}

}  // namespace

std::vector<FftProblem> parts_of(const FftProblem& problem, const Target& target) {
  validate(problem);
  std::vector<FftProblem> parts;
  const std::int64_t points = problem.batch * transforms_of(problem) * problem.points();
  const auto append = [&](const FftProblem& part) {
    const DataLayout& layout = part.layout;
    const bool rows = layout.in_stride == 1 && layout.out_stride == 1;
    if (!rows && subject_of(part, {}).side_by_side == 0) return;
    const FftProblem measured = problem_of(subject_of(part, Arithmetic::simt), points);
    if (std::ranges::find(parts, measured) == parts.end()) parts.push_back(measured);
  };
  if (problem.lengths.size() == 1) {
    append(problem);
  } else {
    for (const AxisTransform& axis : launched_axes(problem, target, {})) append(axis.problem);
  }
  return parts;
}

std::vector<Candidate> block_candidates(const Search& begun) {
  Search search = begun;
  constexpr std::size_t staged = 3;  // drafts with other ways to memory
  Tuning tuning;
  tuning.engine = Engine::simt;
  std::vector<Candidate> result = {search.made(tuning).candidate};
  (void)search.unseen(tuning);
  const Wishes drafts = drafts_of(search);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    Tuning wish = drafts[i];
    wish.stage_load.reset(), wish.stage_store.reset();
    if (i < staged || search.patient) add_ways(search, wish);
    add_registers(search, wish, 0, search.problem.convolution ? 2 : 1);
  }
  for (const Candidate& one : search.found()) result.push_back(one);
  return result;
}

}  // namespace sonoma
