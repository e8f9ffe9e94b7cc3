#include "persistent.hpp"

#include <algorithm>
#include <utility>

#include "for_batch.hpp"
#include "mixed_registers.hpp"
#include "persistent_cost.hpp"
#include "profile.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/filling.hpp"
#include "step_costs.hpp"
#include "trees.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

constexpr std::int64_t least_length = 14000;  // of fewer points an SM holds two blocks

// What SMs leave a thread, in eights: warps of others fill their four parts evenly.
unsigned registers_left(unsigned threads, const Target& target) {
  constexpr unsigned warps_of_parts = 4 * 32, most = 168;
  const unsigned all = (threads + warps_of_parts - 1) / warps_of_parts * warps_of_parts;
  return std::min(most, static_cast<unsigned>(target.registers) / all / 8 * 8);
}

// First and last phase take as many values of the middle step's digit in each of so many laps.
unsigned threads_of_laps(const Decomposition& tree, unsigned laps) {
  const unsigned first = tree.radices[0], middle = tree.radices[1], last = tree.radices[2];
  const unsigned values = (middle + laps - 1) / laps;
  return (values * std::max(first, last) + 31) / 32 * 32;
}

// Of every three steps, in each number of laps.
std::vector<Tuning> persistent_tunings(const FftProblem& problem, const Target& target) {
  constexpr unsigned most_laps = 4, least_radix = 4, fewest_threads = 128, most_threads = 1024;
  const std::int64_t length = problem.n();
  if (length < least_length || length > largest_mixed_tile) return {};
  if (problem.storage != Storage::f32 || !target.has_bulk_prefetch()) return {};
  std::vector<Tuning> tunings;
  Tuning tuning;
  tuning.engine = Engine::simt;
  tuning.prefetch = Prefetch::persistent;
  tuning.stage_load = tuning.stage_store = false;
  tuning.block_points = static_cast<unsigned>(length);
  for (const Decomposition& tree : wide_trees_of(length, 3, least_radix)) {
    const unsigned points = *std::ranges::max_element(tree.radices);
    tuning.decomposition = tree, tuning.points_per_thread = points;
    for (unsigned laps = 1; laps <= most_laps; ++laps) {
      const unsigned threads = threads_of_laps(tree, laps);
      if (threads < fewest_threads || threads > most_threads) continue;
      tuning.threads = threads, tuning.registers = registers_left(threads, target);
      if (*tuning.registers >= 2 * points + 14) tunings.push_back(tuning);
    }
  }
  return tunings;
}

// By the steps alone: as if no banks collided.
double cycles_of(const Tuning& tuning, const MixedKernel& kernel) {
  const Decomposition& tree = *tuning.decomposition;
  const unsigned middle = tree.radices[1], threads = *tuning.threads;
  const MixedShape shape{*tuning.points_per_thread, *tuning.block_points, {}, threads};
  const Filling filling = filling_of(tree, shape);
  const CostEstimate cost = StepCosts(tree, kernel).on(filling);
  const unsigned needed = registers_of_mixed(filling.points, tree), has = *tuning.registers;
  const unsigned values = threads / std::max(tree.radices[0], tree.radices[2]);  // in a lap
  const unsigned items = *tuning.block_points / middle;
  return staying_cycles({.issue = cost.issue,
                         .shared = cost.shared,
                         .laps_of_ends = (middle + values - 1) / values,
                         .laps_within = (items - 1) / threads,
                         .points = *tuning.points_per_thread,
                         .registers = has,
                         .missing_registers = needed > has ? needed - has : 0},
                        profile_of(kernel.target).speeds.of_persistent);
}

// A cluster can share a transform, where there are few: in two phases digits of the threads have so
// many values. Else one block has one transform alone: one of 22040 = 29 x 20 x 38 took 17.1 us,
// cuFFT 11.6; one of 21750 = 25 x 30 x 29, by five blocks, 7.2.
bool may_serve_few(const Decomposition& tree) {
  constexpr unsigned fewest = 5, most = 16;
  const auto& radices = tree.radices;
  const auto both = [&](unsigned blocks) {
    return std::ranges::count_if(radices, [=](unsigned radix) { return radix % blocks == 0; }) > 1;
  };
  for (unsigned blocks = fewest; blocks <= most; ++blocks) {
    if (both(blocks)) return true;
  }
  return false;
}

// One does share it, by the rules.
bool serves_few(const FftProblem& problem, const Target& target, const Tuning& tuning) try {
  const FftProblem one = alone(problem);
  const Program program = make_program(one, target, tuning);
  return over_clusters(program.launches.front(), one, target, {}).has_value();
} catch (const UnsupportedProblem&) {
  return false;
}

}  // namespace

std::vector<Candidate> persistent_candidates(const Search& begun) {
  constexpr std::size_t most = 16;
  Search search(begun.problem, begun.target, begun.effort);
  for (const Tuning& tuning : persistent_tunings(search.problem, search.target)) {
    const auto one = search.unseen(tuning);
    if (one && one->tuning.prefetch == Prefetch::persistent) search.keep(*one);
  }
  std::vector<Candidate> found = search.found();
  if (found.size() > most) found.resize(most);
  return found;
}

std::optional<Tuning> persistent_default(const FftProblem& problem, const Target& target) {
  const bool plain = problem.lengths.size() == 1 && problem.domain == Domain::c2c &&
                     problem.order == Order::natural && problem.ends == Ends{} &&
                     problem.accuracy == Accuracy{} && !problem.convolution &&
                     !problem.out_storage && is_contiguous(single_pass(problem));
  if (!plain || problem.n() <= largest_mixed(problem.n())) return std::nullopt;
  // Those with larger primes go in one block by default as it is, which was 1.04 times as fast (23
  // by chance).
  constexpr std::int64_t largest_prime = 31;
  constexpr std::size_t most_tried = 4;
  if (largest_prime_factor(problem.n()) > largest_prime) return std::nullopt;
  std::vector<std::pair<double, Tuning>> tunings;
  const MixedKernel kernel = mixed_kernel(single_pass(problem), Method::radix, target);
  for (const Tuning& tuning : persistent_tunings(problem, target)) {
    if (may_serve_few(*tuning.decomposition)) {
      tunings.emplace_back(cycles_of(tuning, kernel), tuning);
    }
  }
  std::ranges::sort(tunings, {}, &std::pair<double, Tuning>::first);
  if (tunings.size() > most_tried) tunings.resize(most_tried);
  const auto found = std::ranges::find_if(
      tunings, [&](const auto& one) { return serves_few(problem, target, one.second); });
  return found == tunings.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace sonoma
