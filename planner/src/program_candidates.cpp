#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "fuse.hpp"
#include "mixed_shape.hpp"
#include "pass_lengths.hpp"
#include "persistent.hpp"
#include "search.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/passes.hpp"
#include "trees.hpp"
#include "variants.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// Of each first length that leaves the others at most largest_pass each, as even as possible, as
// many as `few` says for each further one.
std::vector<Lengths> lists_of(std::int64_t n, unsigned passes, std::size_t few) {
  if (passes == 1) return {{n}};
  std::vector<Lengths> lists;
  Lengths divisors = divisors_near_root(n, passes);
  std::erase_if(divisors, [&](std::int64_t d) {
    const std::int64_t rest = n / d;
    return d == n || static_cast<double>(rest) > std::pow(largest_pass, passes - 1);
  });
  if (divisors.size() > few) divisors.resize(few);
  for (const std::int64_t first : divisors) {
    for (Lengths rest : lists_of(n / first, passes - 1, few)) {
      rest.insert(rest.begin(), first);
      lists.push_back(rest);
    }
  }
  return lists;
}

std::vector<Lengths> lists_of(std::int64_t n, bool patient) {
  constexpr std::int64_t three_are_worth_it = std::int64_t{1} << 21;
  std::vector<Lengths> lists = lists_of(n, 2, patient ? 10 : 5);
  if (lists.empty() || n >= three_are_worth_it) {
    const auto three = lists_of(n, 3, patient ? 4 : 2);
    lists.insert(lists.end(), three.begin(), three.end());
  }
  return lists;
}

// Steps of radix 8 to 32, one for each phase of threads of 32 points, the most even ones first.
std::vector<Decomposition> trees_of_rounds(std::int64_t n, std::size_t few) {
  const auto bits = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(n)));
  std::vector<Decomposition> trees = trees_of(n, (bits + 4) / 5, 32, 8);
  std::ranges::stable_sort(trees, std::ranges::greater{}, [](const Decomposition& tree) {
    return std::ranges::min(tree.radices);
  });
  if (trees.size() > few) trees.resize(few);
  return trees;
}

// Of all passes, each in as few steps of radix 32 or less as its length allows.
Decomposition tree_of(const Lengths& lengths) {
  constexpr unsigned most = 5;
  Decomposition tree;
  for (const std::int64_t length : lengths) {
    auto left = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(length)));
    for (unsigned steps = (left + most - 1) / most; steps > 0; --steps) {
      tree.radices.push_back(1u << left / steps);
      left -= left / steps;
    }
  }
  return tree;
}

// What of a thread is tried, where not all is the planner's choice.
struct Threads {
  std::optional<unsigned> points, registers, radix = {};
};
constexpr Threads of_butterflies[] = {{16, 64}, {16, 80}, {32, 128}};
constexpr Threads of_products[] = {{16, 80}, {16, 128}, {32, 128}, {32, 168}};

std::span<const Threads> threads_tried(const Tuning& tuning) {
  if (tuning.engine == Engine::mma) return of_products;
  return of_butterflies;
}

void set(Tuning& tuning, const Threads& threads) {
  tuning.points_per_thread = threads.points, tuning.registers = threads.registers;
  tuning.radix = threads.radix;
}

using Wishes = std::vector<Tuning>;

// Which steps of the default tree are products: what is left open, or all of radix 16.
std::vector<std::optional<unsigned>> products_tried(const Tuning& tuning, std::int64_t n) {
  if (tuning.engine == Engine::simt) return {std::nullopt};
  unsigned all = 0;
  const std::vector<unsigned> radices = decompose(n).radices;
  for (std::size_t s = 0; s < radices.size(); ++s) all |= (radices[s] == 16 ? 1u : 0u) << s;
  return {std::nullopt, all};
}

// One launch of clusters of blocks. The default steps of a convolution fill 32 points.
void append_clusters(Wishes& wishes, Tuning tuning, std::int64_t n, bool convolves) {
  for (const unsigned blocks : {2u, 4u, 8u, 16u}) {
    tuning.cluster = blocks;
    for (const Threads& threads : threads_tried(tuning)) {
      set(tuning, threads);
      if (threads.points == 16u && convolves) tuning.radix = 16;
      for (const auto& steps : products_tried(tuning, n)) {
        tuning.tensor_steps = steps;
        wishes.push_back(tuning);
      }
    }
  }
}

// One launch of blocks, or clusters of them, that take their tile in two rounds. Products have
// steps of radix 16.
void append_rounds(Wishes& wishes, Tuning tuning, std::int64_t n, const Search& search) {
  constexpr unsigned points = 32;
  const bool products = tuning.engine == Engine::mma;
  tuning.rounds = 2, tuning.points_per_thread = points, tuning.registers = 128;
  for (const Decomposition& tree :
       products ? std::vector{decompose(n)} : trees_of_rounds(n, search.patient ? 24 : 5)) {
    tuning.decomposition = tree;
    for (const unsigned blocks : {1u, 2u, 4u, 8u}) {
      const std::int64_t threads = n / (std::int64_t{points} * 2 * blocks);
      tuning.cluster = blocks;
      if (threads < 128 || threads > 512) continue;
      for (const auto& steps : products_tried(tuning, n)) {
        tuning.tensor_steps = steps;
        for (const auto& twiddles : twiddles_tried(search, tuning, n)) {
          tuning.twiddles = twiddles;
          wishes.push_back(tuning);
        }
      }
    }
  }
}

// Sections of a tree, which have tables where other passes compute the factors between them.
void append_sections(Wishes& wishes, Tuning tuning) {
  tuning.decomposition = tree_of(*tuning.pass_lengths);
  for (const bool fused : {false, true}) {
    tuning.fused = fused;
    wishes.push_back(tuning);
  }
}

// Points and registers of threads; of mixed lengths the generator's choice is one of many. Of
// threads of 32 points such steps too, where that saves an exchange.
std::vector<Threads> threads_of(const Tuning& tuning, bool bits) {
  std::vector<Threads> threads = {{}};
  if (!bits) return threads;
  const auto tried = threads_tried(tuning);
  threads.insert(threads.end(), tried.begin(), tried.end());
  const bool butterflies = tuning.engine == Engine::simt;
  const Lengths& lengths = *tuning.pass_lengths;
  const bool has_1024 = std::ranges::find(lengths, 1024) != lengths.end();
  if (has_1024 && butterflies) threads.push_back({32, 128, 32});
  return threads;
}

// Two passes in one launch, and then the ring between them.
void append_launches(Wishes& wishes, Tuning tuning, bool serves, bool patient) {
  tuning.fused = false;
  wishes.push_back(tuning);
  if (!serves) return;
  tuning.fused = true;
  wishes.push_back(tuning);
  if (!patient) return;
  // Of other lengths 2 and 6 lost at all but a few of 636, by a fifth and more.
  const std::vector<std::int64_t> bits = {2, 4, 6}, others = {4};
  for (const std::int64_t millions :
       is_power_of_two(product_of(*tuning.pass_lengths)) ? bits : others) {
    tuning.workspace_points = millions << 20;
    wishes.push_back(tuning);
  }
}

// Columns of the shorter of two passes for tiles of 2800 to 10400 points, whose last one may have
// fewer: whole sectors where a row has whole sectors.
std::vector<unsigned> ragged_columns(const Lengths& lengths) {
  constexpr unsigned sector = 4;
  const auto [n, all] = std::minmax(lengths[0], lengths[1]);
  const unsigned step = all % sector == 0 ? sector : 1;
  std::vector<unsigned> columns;
  for (const std::int64_t points : {2800, 3500, 4200, 4800, 5600, 6400, 7600, 8800, 10400}) {
    const auto some = static_cast<unsigned>(points / n) / step * step;
    const bool seen = !columns.empty() && columns.back() == some;
    if (some > 1 && some < all && all % some != 0 && !seen) columns.push_back(some);
  }
  return columns;
}

// Two passes in one launch, of lengths that are no powers of two. With as many points a thread few
// threads of either are idle.
void append_tiles(Wishes& wishes, Tuning tuning) {
  constexpr unsigned least = 1024, most = 12288;
  const Lengths& lengths = *tuning.pass_lengths;
  tuning.fused = true;
  for (const unsigned points : common_tiles(lengths[0], lengths[1])) {
    if (points < least || points > most) continue;
    tuning.block_points = points;
    for (const auto& of_thread : std::vector<std::optional<unsigned>>{{}, 16, 20, 24, 30}) {
      tuning.points_per_thread = of_thread;
      wishes.push_back(tuning);
    }
  }
  tuning.block_points.reset(), tuning.points_per_thread.reset();
  for (const unsigned columns : ragged_columns(lengths)) {
    tuning.columns = columns;
    wishes.push_back(tuning);
  }
}

// Passes of a launch each, in laps, or with about as many threads as either takes.
void append_laps(Wishes& wishes, Tuning tuning) {
  tuning.fused = false;
  for (const unsigned threads : {192u, 256u, 384u, 512u, 800u, 1024u}) {
    tuning.threads = threads;
    wishes.push_back(tuning);
  }
}

// Side by side, of all passes: numbers that divide the others' lengths.
std::vector<std::optional<unsigned>> columns_tried(const Lengths& lengths, bool patient) {
  std::vector<std::optional<unsigned>> columns = {{}};
  std::int64_t of_all = product_of(lengths);
  const bool bits = is_power_of_two(of_all);
  for (const std::int64_t length : lengths) of_all = std::gcd(of_all, product_of(lengths) / length);
  const unsigned least = patient ? 2 : 4, most = patient ? 64 : bits ? 16 : 32;
  for (unsigned some = least; some <= most; ++some) {
    if (of_all % some == 0) columns.emplace_back(some);
  }
  return columns;
}

void append_passes(Wishes& wishes, Tuning tuning, std::int64_t n, const Search& search) {
  constexpr std::int64_t largest_fused = std::int64_t{1} << 21;  // two of them leave the L2 cache
  const bool bits = is_power_of_two(n);
  const bool fused = n <= largest_fused && tuning.pass_lengths->size() == 2;
  if (!bits && fused) append_tiles(wishes, tuning);
  for (const auto& side_by_side : columns_tried(*tuning.pass_lengths, search.patient)) {
    tuning.columns = side_by_side;
    for (const Threads& threads : threads_of(tuning, bits)) {
      set(tuning, threads);
      for (const auto& twiddles : twiddles_tried(search, tuning, n)) {
        tuning.twiddles = twiddles;
        append_launches(wishes, tuning, fused, search.patient);
      }
      tuning.twiddles.reset();
    }
    if (!bits) append_laps(wishes, tuning);
  }
}

// Of what was found of each product of pass lengths as many; of those that are no powers of two as
// many in one launch too, for what that gains was measured of powers of two alone.
std::vector<Candidate> cheapest(const Search& search, std::size_t few) {
  std::vector<Candidate> found = search.found();
  std::map<std::pair<std::int64_t, bool>, std::size_t> taken;
  std::erase_if(found, [&](const Candidate& one) {
    const std::int64_t points = product_of(*one.tuning.pass_lengths);
    const bool fused = !is_power_of_two(points) && one.tuning.fused.value_or(false);
    return !search.patient && taken[{points, fused}]++ >= few;
  });
  return found;
}

}  // namespace

std::vector<Candidate> candidates_in_parts(Search& search) {
  const std::int64_t n = search.problem.n();
  const std::size_t few = search.patient ? 8 : 2;
  std::vector<Candidate> found;
  Tuning tuning;
  tuning.engine = Engine::simt;
  for (const unsigned blocks : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 10u, 12u, 16u}) {
    for (const unsigned rounds : {1u, 2u}) {
      const Shares shares{blocks, rounds};
      const bool divides = n % shares.parts() == 0 && n / shares.parts() <= largest_mixed_tile;
      const bool alone = shares.parts() == 1, short_one = alone && n <= largest_mixed(n);
      if (short_one || !divides) continue;  // those are candidates() of their own
      tuning.cluster = blocks, tuning.rounds = rounds;
      tuning.block_points.reset();
      if (alone) tuning.block_points = static_cast<unsigned>(n);
      for (const auto& [tree, shape] : best_in_parts(n, shares, search.mixed_kernel(), few)) {
        tuning.decomposition = tree;
        tuning.points_per_thread = shape.points_per_thread;
        tuning.threads.reset();
        if (shape.threads > 0) tuning.threads = shape.threads;
        if (auto one = search.unseen(tuning)) found.push_back(std::move(*one));
      }
    }
  }
  if (search.patient) std::ranges::move(persistent_candidates(search), std::back_inserter(found));
  return found;
}

namespace {

// What is taken where nothing was measured; of passes also with launches of their own.
std::vector<Candidate> defaults(Search& search, const Way& way, const Tuning& tuning) {
  Tuning first = tuning;
  if (way.passes) first = with_passes(search.problem, tuning, search.target, way.method);
  std::vector<Candidate> result;
  const bool simt = tuning.engine == Engine::simt && way.method == Method::radix;
  if (const auto one = simt ? persistent_default(search.problem, search.target) : std::nullopt) {
    if (const auto stays = search.unseen(*one)) result.push_back(*stays);
  }
  result.push_back(search.made(first).candidate);
  (void)search.unseen(first);
  if (!way.passes) return result;
  Tuning apart = tuning;
  apart.pass_lengths = default_lengths(search.problem, tuning, search.target, way.method);
  if (const auto one = search.unseen(apart)) result.push_back(*one);
  return result;
}

}  // namespace

std::vector<Candidate> program_candidates(const Search& begun, const Way& way,
                                          Arithmetic arithmetic) {
  Search search = begun;
  const std::int64_t n = search.problem.n();
  const bool bits = is_power_of_two(n), convolves = way.method != Method::radix;
  Tuning tuning = with_arithmetic({}, arithmetic);
  std::vector<Candidate> result = defaults(search, way, tuning);

  Wishes unjudged, passes;  // the model does not know the first: all are kept
  if (bits || convolves) append_clusters(unjudged, tuning, n, convolves);
  if (bits && !convolves) append_rounds(unjudged, tuning, n, search);
  // What the passes multiply to: n, or some lengths of its convolution.
  const Lengths products = convolves ? convolution_lengths_of_passes(n, 4) : Lengths{n};
  for (const std::int64_t points : products) {
    // What lies between the passes of a convolution is written and read twice: as much of it at
    // once as the L2 cache holds.
    if (convolves) {
      tuning.pass_lengths = pass_lengths(points), tuning.workspace_points = 3 << 20;
      unjudged.push_back(tuning);
      tuning.workspace_points.reset();
    }
    for (const Lengths& lengths : lists_of(points, search.patient)) {
      tuning.pass_lengths = lengths;
      if (bits && !convolves && arithmetic == Arithmetic::simt) append_sections(unjudged, tuning);
      append_passes(passes, tuning, n, search);
    }
  }
  if (!bits && !convolves && arithmetic == Arithmetic::simt) {
    for (Candidate& one : candidates_in_parts(search)) result.push_back(std::move(one));
  }
  for (const Tuning& wish : unjudged) {
    if (const auto one = search.unseen(wish)) result.push_back(*one);
  }
  for (const Tuning& wish : passes) search.keep(wish);
  for (const Candidate& one : cheapest(search, 28 / products.size())) result.push_back(one);
  return result;
}

}  // namespace sonoma
