#include "mixed_shape.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "mixed_cost.hpp"
#include "mixed_registers.hpp"
#include "remembered.hpp"
#include "shape_of_block.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/trigonometric.hpp"
#include "trees.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

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

// Steps with large primes leave few shapes to blocks of one transform.
bool misses_for_large_primes(const Decomposition& tree, const MixedShape& shape,
                             const MixedKernel& kernel) {
  return has_large_primes(tree) && expected_of(tree, shape, kernel).missing > 0;
}

MixedShape best_shape(const Decomposition& tree, const Tuning& wish, unsigned most_points,
                      const MixedKernel& kernel) {
  const auto n = static_cast<unsigned>(tree.n());
  BlockJudge judge(wish, kernel);
  const unsigned block = wish.block_points.value_or(n);
  JudgedShape best = judge.best(tree, block, most_points).value();
  for (unsigned t = 2; !wish.block_points && t * n <= usual_block_of(kernel); ++t) {
    if (!is_smooth(t, 13)) continue;
    const double below = 0.99 * best.cycles;
    const auto one = judge.best(tree, t * n, most_points, below);
    if (one && one->cycles < below) best = *one;
  }
  const bool none =
      best.cycles >= impossible_cycles || misses_for_large_primes(tree, best.shape, kernel);
  return none && most_points < most_mixed_points ? best_shape(tree, wish, most_mixed_points, kernel)
                                                 : best.shape;
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

MixedShape remembered_shape(const Decomposition& tree, const Tuning& wish,
                            const MixedKernel& kernel) {
  using Count = std::optional<unsigned>;
  static Remembered<std::tuple<Decomposition, Count, Count, Count, Shares, MixedKernel>, MixedShape>
      remembered;
  return remembered.of(
      {tree, wish.points_per_thread, wish.block_points, wish.threads, shares_of(wish), kernel},
      [&] { return default_shape(tree, wish, kernel); });
}

using Judgements = std::vector<std::pair<double, MixedShape>>;

// The shape on each number of threads.
void append_shapes(Judgements& found, const Decomposition& tree, MixedShape shape,
                   const MixedKernel& kernel) {
  std::optional<Fillings> fillings;
  try {
    fillings.emplace(work_of(tree, shape), shape.points_per_thread);
  } catch (const UnsupportedProblem&) {
    return;  // no digits number the blocks
  }
  Norms norms = {};
  Expecting expected(tree, kernel, norms);
  std::vector<unsigned> counts;
  count_threads(counts, *fillings, shape, kernel);
  for (const unsigned threads : counts) {
    shape.threads = threads;
    const Filling filling = fillings->on(threads);
    const double cycles = expected.of(filling, shape).cycles;
    // Where no phase fills its threads, fewer points would be another shape.
    if (cycles < impossible_cycles && filling.points == shape.points_per_thread) {
      found.emplace_back(cycles, shape);
    }
  }
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
  const MixedShape taken = open && possible ? remembered_shape(tree, wish, kernel) : said;
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
