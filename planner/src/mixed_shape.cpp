#include "mixed_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "mixed_cost.hpp"
#include "remembered.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/trigonometric.hpp"
#include "trees.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

// The most points of a thread by default, and where a block has too many threads otherwise.
constexpr unsigned usual_points = 32;

// The most that a search tries but for primes above 31: 5 x 7 and 7 x 7 save an exchange. On an
// H100 more than 32 points won at 17 of 554 lengths by 3 % or more: 8575 .854 to .905.
constexpr unsigned searched_points = 49;

// Of steps with large primes, where that saves a phase: 17 x 2, 11 x 3, or 7 x 5 in one; beside one
// of 43 points 29 x 2.
unsigned usual_points_of_large(const Decomposition& tree) {
  constexpr unsigned usual = 36;
  const unsigned one = largest_of(tree);
  return one > largest_usual_radix ? one * 3 / 2 : usual;
}

// Opposite butterflies of a cluster: a thread holds two of them, and has room for as many points of
// other phases, whose loads then are under way together. On an H200 138240 real numbers had .41 of
// a copy's speed with 24 points at a time, .56 with 48.
unsigned usual_points_of(const Decomposition& tree, const Tuning& wish, const MixedKernel& kernel) {
  if (kernel.opposite == OppositePhase::none || shares_of(wish).parts() == 1) return usual_points;
  const auto& radices = tree.radices;
  const bool first = kernel.opposite == OppositePhase::first;
  return std::max(usual_points, 2 * (first ? radices.front() : radices.back()));
}

// Threads of a block: as many as the phases take, or so few that all their items are taken in some
// whole number of laps. None where a phase leaves nothing to a barrier.
std::vector<unsigned> thread_counts(const std::vector<PhaseWork>& work, const MixedShape& shape,
                                    const MixedKernel& kernel) {
  constexpr unsigned least = 64, most = 1024, most_laps = 8, warp = 32;
  std::vector<unsigned> counts;
  counts.reserve(1 + most_laps * work.size());
  counts.push_back(0);
  const bool shares = shape.shares.parts() > 1 && shape.opposite == OppositePhase::none;
  if (!kernel.laps || work.size() == 1 || shares) return counts;
  const unsigned all = std::ranges::max(work, {}, &PhaseWork::items).items;
  for (const PhaseWork& phase : work) {
    for (unsigned laps = 1; laps <= most_laps; ++laps) {
      const unsigned threads = (phase.items + laps * warp - 1) / (laps * warp) * warp;
      if (threads < least) break;
      if (threads <= most && threads < all) counts.push_back(threads);
    }
  }
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

// The most points of a block by default: where n leaves room, small blocks cover each other's
// barriers.
constexpr unsigned usual_block = 2048;

// Convolutions have twice the barriers: blocks of two at 1500 points are a tenth faster.
unsigned usual_block_of(const MixedKernel& kernel) {
  return kernel.filters ? 2 * usual_block : usual_block;
}

// Others leave every phase with as many points as fewer do: its steps fill them by whole digits.
bool may_fill(const Decomposition& tree, unsigned points) {
  return std::ranges::any_of(tree.radices, [&](unsigned radix) { return points % radix == 0; });
}

// Room for more points that fills no phase further, and takes no more laps at once.
bool is_no_use(unsigned points, const std::vector<PhaseWork>& work, unsigned before,
               const std::vector<PhaseWork>& work_before) {
  return std::ranges::equal(work, work_before, [=](const PhaseWork& one, const PhaseWork& other) {
    return one == other && points / one.points == before / other.points;
  });
}

// Of a block of so many points, those of a thread up to `most_points`, or one butterfly.
MixedShape best_of_block(const Decomposition& tree, const Tuning& wish, unsigned block,
                         unsigned most_points, const MixedKernel& kernel, double& least) {
  MixedShape best;
  const unsigned one = largest_of(tree);
  Expecting expected(tree, kernel);
  std::vector<PhaseWork> work_before;
  unsigned before = 0;
  for (unsigned points = one; points <= std::max(most_points, one); ++points) {
    if (!wish.points_per_thread && !may_fill(tree, points)) continue;
    MixedShape shape{wish.points_per_thread.value_or(points),
                     block,
                     shares_of(wish),
                     0,
                     kernel.opposite,
                     kernel.coprime};
    const std::vector<PhaseWork> work = work_of(tree, shape);
    if (is_no_use(points, work, before, work_before)) continue;
    for (const unsigned threads :
         wish.threads ? std::vector{*wish.threads} : thread_counts(work, shape, kernel)) {
      shape.threads = threads;
      const double below =
          best.block_points == 0 ? std::numeric_limits<double>::infinity() : 0.99 * least;
      const double cycles = expected.of(filling_of(work, shape), shape, below).cycles;
      if (cycles < below) best = shape, least = cycles;
    }
    if (wish.points_per_thread) break;
    before = points, work_before = work;
  }
  return best;
}

// Steps with large primes leave few shapes to blocks of one transform.
bool misses_for_large_primes(const Decomposition& tree, const MixedShape& shape,
                             const MixedKernel& kernel) {
  return has_large_primes(tree) && expected_of(tree, shape, kernel).missing > 0;
}

MixedShape best_shape(const Decomposition& tree, const Tuning& wish, unsigned most_points,
                      const MixedKernel& kernel) {
  const auto n = static_cast<unsigned>(tree.n());
  MixedShape best;
  double least = 0;
  for (unsigned t = 1; t == 1 || t * n <= usual_block_of(kernel); ++t) {
    if (!is_smooth(t, 13)) continue;
    double cycles = 0;
    const MixedShape shape =
        best_of_block(tree, wish, wish.block_points.value_or(t * n), most_points, kernel, cycles);
    if (best.block_points == 0 || cycles < 0.99 * least) best = shape, least = cycles;
    if (wish.block_points) break;
  }
  const bool none = least >= impossible_cycles || misses_for_large_primes(tree, best, kernel);
  return none && most_points < most_mixed_points ? best_shape(tree, wish, most_mixed_points, kernel)
                                                 : best;
}

MixedShape default_shape_of(const Decomposition& tree, const Tuning& wish,
                            const MixedKernel& kernel) {
  const MixedShape usual = best_shape(tree, wish, usual_points_of(tree, wish, kernel), kernel);
  if (!has_large_primes(tree)) return usual;
  const MixedShape larger = best_shape(tree, wish, usual_points_of_large(tree), kernel);
  const Filling one = filling_of(tree, usual), other = filling_of(tree, larger);
  return other.phases < one.phases || other.points < one.points ? larger : usual;
}

// To 8192 points laps were not measured with primes of 17 to 31. Real ends and numbers of cosine
// and sine transforms take none where there is another way: 16284 = 12 x 23 x 59 has none.
MixedShape default_shape(const Decomposition& tree, const Tuning& wish, MixedKernel kernel) {
  constexpr std::int64_t long_block = 8192;
  const bool measured = goes_by_cost_model(tree.n()) || tree.n() > long_block;
  kernel.laps = kernel.laps && measured;
  const MixedShape shape = default_shape_of(tree, wish, kernel);
  const bool possible = expected_of(tree, shape, kernel).cycles < impossible_cycles;
  if (possible || kernel.laps || !kernel.laps_at_need || wish.threads) return shape;
  kernel.laps = true;
  return default_shape_of(tree, wish, kernel);
}

using Judgements = std::vector<std::pair<double, MixedShape>>;

// The shape on each number of threads.
void append_shapes(Judgements& found, const Decomposition& tree, MixedShape shape,
                   const MixedKernel& kernel) {
  std::vector<PhaseWork> work;
  try {
    work = work_of(tree, shape);
  } catch (const UnsupportedProblem&) {
    return;  // no digits number the blocks
  }
  Expecting expected(tree, kernel);
  for (const unsigned threads : thread_counts(work, shape, kernel)) {
    shape.threads = threads;
    const Filling filling = filling_of(work, shape);
    const double cycles = expected.of(filling, shape).cycles;
    // Where no phase fills its threads, fewer points would be another shape.
    if (cycles < impossible_cycles && filling.points == shape.points_per_thread) {
      found.emplace_back(cycles, shape);
    }
  }
}

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
  Decomposition best = decompose(n);
  double least = impossible_cycles;
  const unsigned blocks = wish.cluster.value_or(1);
  const auto trees = mixed_trees(n, kernel.opposite, blocks);
  if (blocks > 1 && trees.empty()) {
    throw UnsupportedProblem("cluster", std::to_string(blocks),
                             "1 for n = " + std::to_string(n) +
                                 ", or a decomposition: no usual radix gives each block 4 points");
  }
  for (const Decomposition& tree : trees) {
    if (largest_of(tree) > wish.points_per_thread.value_or(most)) continue;
    if (holds_large_prime_within(tree)) continue;
    double cycles = impossible_cycles;
    (void)best_of_block(tree, wish, block, usual_points_of(tree, wish, kernel), kernel, cycles);
    if (cycles < 0.99 * least) best = tree, least = cycles;
  }
  return best;
}

}  // namespace

// Complex points as they lie. Others take registers for addresses and factors of their own.
MixedKernel mixed_kernel(const Pass& pass, Method method, const Target& target, bool opposite) {
  const FftProblem& problem = pass.problem;
  if (opposite) {
    const bool filters = pass.filter.has_value();
    const auto phase = pass.is_mirrored(true) ? OppositePhase::first : OppositePhase::last;
    return {target, true, filters ? 24u : 8u, phase, filters, Sums::fp32};
  }
  const bool complex =
      problem.values(true) == Values::complex && problem.values(false) == Values::complex;
  const bool plain = complex && problem.ends == Ends{} && !problem.convolution;
  const bool pairs = problem.n() % 2 == 0 || is_trigonometric(problem.domain);
  const bool laps = (complex || !pairs) && pass.may_go_round() && method != Method::rader;
  const bool convolves = method != Method::radix || problem.convolution.has_value();
  const bool others = !plain || method == Method::rader;
  const bool coprime = method == Method::bluestein && !problem.convolution && !pass.part;
  return {target,
          laps,
          others ? 8u : 0u,
          OppositePhase::none,
          convolves,
          Sums::fp32,
          pass.part.has_value(),
          takes_powers(pass),
          coprime,
          pass.may_go_round(),
          method == Method::rader};
}

std::vector<MixedShape> mixed_shapes(const Decomposition& decomposition, const MixedKernel& kernel,
                                     std::vector<unsigned> counts, const Shares& shares) {
  const auto n = static_cast<unsigned>(decomposition.n());
  if (counts.empty()) {
    counts = {1};
    for (unsigned t = 2; t * n <= 2 * usual_block; ++t) {
      if (is_smooth(t, 13)) counts.push_back(t);
    }
  }
  Judgements found;
  const unsigned one = largest_of(decomposition),
                 most = std::max(searched_points, usual_points_of_large(decomposition));
  for (const unsigned t : counts) {
    for (unsigned points = one; points <= most; ++points) {
      if (may_fill(decomposition, points)) {
        append_shapes(found, decomposition,
                      {points, t * n, shares, 0, kernel.opposite, kernel.coprime}, kernel);
      }
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<double, MixedShape>::first);
  std::vector<MixedShape> shapes;
  for (const auto& [cycles, shape] : found) shapes.push_back(shape);
  return shapes;
}

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
  using Arguments = std::tuple<std::int64_t, Tuning, Target, bool, unsigned, OppositePhase, bool,
                               Sums, bool, bool, bool, bool>;
  static Remembered<Arguments, Decomposition> remembered;
  return remembered.of(
      {n, wish, kernel.target, kernel.laps, kernel.other_registers, kernel.opposite, kernel.filters,
       kernel.sums, kernel.of_pass, kernel.powers, kernel.coprime, kernel.in_order},
      [&] { return searched_steps(n, wish, kernel); });
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

unsigned butterflies_of(const Shape& shape) {
  const MixedShape block{shape.points_per_thread, shape.block_points, shape.shares};
  return filling_of(shape.tree.decomposition, block).threads;
}

void choose_mixed_shape(Shape& shape, const Tuning& wish, const MixedKernel& kernel) {
  const Decomposition& tree = shape.tree.decomposition;
  const auto n = static_cast<unsigned>(tree.n());
  const unsigned points = wish.points_per_thread.value_or(largest_of(tree));
  const unsigned block = wish.block_points.value_or(n);
  // Others are check()'s to refuse.
  const bool possible = points >= largest_of(tree) && points <= most_mixed_points && block >= n &&
                        block % n == 0 && block <= largest_mixed_tile * shape.shares.parts();
  const bool open = !wish.points_per_thread || !wish.block_points;
  const MixedShape said{points,          block,         shape.shares, wish.threads.value_or(0),
                        kernel.opposite, kernel.coprime};
  const MixedShape taken = open && possible ? default_shape(tree, wish, kernel) : said;
  shape.points_per_thread = taken.points_per_thread;
  shape.block_points = taken.block_points;
  shape.threads = taken.threads;
  if (wish.registers || !possible) {
    shape.registers = wish.registers.value_or(registers_of_mixed(points, tree));
    return;
  }
  shape.registers = expected_of(tree, taken, kernel).registers;
}

}  // namespace sonoma
