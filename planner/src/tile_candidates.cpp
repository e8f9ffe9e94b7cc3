// Which kernels of one tile a search tries: steps, shapes of a block, registers, ways to memory.
#include <algorithm>
#include <bit>
#include <map>

#include "mixed_shape.hpp"
#include "search.hpp"
#include "sonoma/check_shape.hpp"
#include "trees.hpp"

namespace sonoma {
namespace {

// Whether load and store are staged.
constexpr std::pair<bool, bool> stagings[] = {
    {false, false}, {false, true}, {true, false}, {true, true}};

}  // namespace

void add_ways(Search& search, Tuning tuning) {
  for (const auto& [load, store] : stagings) {
    tuning.stage_load = load, tuning.stage_store = store;
    search.keep(tuning);
  }
}

namespace {

// With radix 32 where that saves a step.
std::vector<Decomposition> trees_of_bits(std::int64_t n, bool patient) {
  const auto bits = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(n)));
  const unsigned fewest = (bits + 3) / 4, fewest_of_32 = (bits + 4) / 5;
  std::vector<Decomposition> trees = trees_of(n, fewest, 16);
  const auto append = [&](const std::vector<Decomposition>& more) {
    trees.insert(trees.end(), more.begin(), more.end());
  };
  if (fewest_of_32 < fewest) append(trees_of(n, fewest_of_32, 32));
  if (patient) {
    append(trees_of(n, fewest + 1, 16));
  } else if (const auto eights = decompose(n, 8); eights.radices.size() == fewest + 1) {
    append({eights});
  }
  return trees;
}

// Which steps of radix 16 are products: what is left open, the first, or the last; patient: any.
std::vector<std::optional<unsigned>> tensor_steps_of(const Decomposition& tree, bool patient) {
  std::vector<unsigned> sixteens;
  for (unsigned s = 0; s < tree.radices.size(); ++s) {
    if (tree.radices[s] == 16) sixteens.push_back(s);
  }
  std::vector<std::optional<unsigned>> masks = {std::nullopt};
  for (unsigned some = 1; some + 1 < 1u << sixteens.size(); ++some) {
    const bool end = some == 1 || some == 1u << (sixteens.size() - 1);
    if (!patient && !end) continue;
    unsigned mask = 0;
    for (unsigned i = 0; i < sixteens.size(); ++i) mask |= (some >> i & 1u) << sixteens[i];
    masks.emplace_back(mask);
  }
  return masks;
}

// Points of a thread and of a block.
std::vector<std::pair<unsigned, unsigned>> shapes_of_bits(unsigned n, bool patient) {
  std::vector<std::pair<unsigned, unsigned>> shapes;
  for (const unsigned points : {2u, 4u, 8u, 16u, 32u}) {
    if (!patient && points < 8) continue;
    const unsigned least = std::max(n, 32 * points);
    const unsigned most = patient ? most_block_points : std::max(least, 2048u);
    for (unsigned block = least; block <= most && block / points <= 1024; block *= 2) {
      shapes.emplace_back(points, block);
    }
  }
  return shapes;
}

// By the sectors first. In FP32 other ways rarely pay.
void add_stagings(Search& search, Tuning tuning) {
  add_registers(search, tuning);
  if (!search.patient && search.problem.storage == Storage::f32) return;
  for (const auto& [load, store] : stagings) {
    tuning.stage_load = load, tuning.stage_store = store;
    add_registers(search, tuning);
  }
}

void add_bits(Search& search, Tuning tuning, std::int64_t length) {
  for (const Decomposition& tree : trees_of_bits(length, search.patient)) {
    tuning.decomposition = tree;
    const bool products = tuning.engine == Engine::mma;
    for (const auto& steps : tensor_steps_of(products ? tree : Decomposition{}, search.patient)) {
      tuning.tensor_steps = steps;
      const auto n = static_cast<unsigned>(length);
      for (const auto& [points, block] : shapes_of_bits(n, search.patient)) {
        tuning.points_per_thread = points, tuning.block_points = block;
        for (const auto& twiddles : twiddles_tried(search, tuning, length)) {
          tuning.twiddles = twiddles;
          add_stagings(search, tuning);
        }
      }
    }
  }
}

// With as few registers as they need: fewer would spill much.
std::vector<Candidate> cheapest_mixed_shapes(const Search& whole, Tuning tuning,
                                             std::int64_t length) {
  const std::size_t of_tree = whole.patient ? 24 : 3;
  Search search(whole.problem, whole.target, whole.effort);
  const MixedKernel kernel = search.mixed_kernel(tuning);
  for (const auto& tree : searched_trees(length, kernel.opposite, tuning.cluster.value_or(1))) {
    tuning.decomposition = tree;
    auto shapes = mixed_shapes(tree, kernel, {}, shares_of(tuning));
    if (shapes.size() > of_tree) shapes.resize(of_tree);
    for (const MixedShape& shape : shapes) search.keep(with_shape(tuning, tree, shape));
  }
  return search.found();
}

// Lengths that are no powers of two have many decompositions and shapes: of all of them the
// cheapest, not all of one decomposition; then registers and ways of those.
void add_mixed(Search& search, const Tuning& tuning, std::int64_t length) {
  const std::size_t most = search.patient ? 96 : 8, of_tree = search.patient ? 24 : 2;
  std::map<Decomposition, std::size_t> of_trees;
  std::size_t taken = 0;
  for (const Candidate& shape : cheapest_mixed_shapes(search, tuning, length)) {
    if (taken == most) break;
    if (of_trees[*shape.tuning.decomposition]++ == of_tree) continue;
    Tuning own = tuning;
    own.decomposition = shape.tuning.decomposition;
    own.points_per_thread = shape.tuning.points_per_thread;
    own.block_points = shape.tuning.block_points;
    own.threads = shape.tuning.threads;
    for (const auto& twiddles : twiddles_tried(search, tuning, length)) {
      own.twiddles = twiddles;
      add_registers(search, own);
    }
    own.twiddles.reset();
    ++taken;
    own.registers = shape.tuning.registers;
    if (!search.patient && taken >= 4 && search.problem.storage == Storage::f32) continue;
    add_ways(search, own);
  }
}

// Ways of the best ones that the model says little of, each behind the one that it is a way of.
template <class Ways>
void add_ways_of_best(const Search& search, std::vector<Candidate>& found, const Ways& ways_of) {
  constexpr std::size_t most = 8;
  std::vector<Candidate> with;
  for (std::size_t i = 0; i < found.size(); ++i) {
    with.push_back(found[i]);
    if (i >= most) continue;
    for (const Tuning& tuning : ways_of(found[i].tuning)) {
      const Candidate other = search.made(tuning).candidate;
      if (other.tuning == tuning && tuning != found[i].tuning) with.push_back(other);
    }
  }
  found = std::move(with);
}

// When a block asks for the next tile, and not.
std::vector<Tuning> prefetches_of(Tuning tuning) {
  std::vector<Tuning> ways;
  for (const Prefetch when : {Prefetch::none, Prefetch::early, Prefetch::late}) {
    tuning.prefetch = when;
    ways.push_back(tuning);
  }
  return ways;
}

// Convolutions are limited by shared memory as much as by instructions: phases in rows.
std::vector<Tuning> rows_of(Tuning tuning) {
  std::vector<Tuning> ways;
  const bool convolves = tuning.method.value_or(Method::radix) != Method::radix;
  const std::size_t steps = tuning.decomposition ? tuning.decomposition->radices.size() : 0;
  for (unsigned phases = 1; convolves && phases >> std::min<std::size_t>(steps, 3) == 0; ++phases) {
    tuning.rows = phases;
    ways.push_back(tuning);
  }
  return ways;
}

}  // namespace

std::vector<Candidate> cheapest_kernels(Search search, const Tuning& tuning, std::int64_t length,
                                        std::size_t few) {
  constexpr double hopeless = 1.5;
  const bool bits = is_power_of_two(length) && !tuning.opposite.value_or(false);
  bits ? add_bits(search, tuning, length) : add_mixed(search, tuning, length);
  std::vector<Candidate> found = search.found();
  const auto end = std::ranges::find_if(found, [&](const Candidate& one) {
    return one.cost.total > hopeless * found.front().cost.total;
  });
  found.erase(end, found.end());
  if (!search.patient && found.size() > few) found.resize(few);
  if (!search.patient) return found;
  add_ways_of_best(search, found, prefetches_of);
  add_ways_of_best(search, found, rows_of);
  return found;
}

}  // namespace sonoma
