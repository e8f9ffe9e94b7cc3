#include "sonoma/candidates.hpp"

#include <algorithm>

#include "axes.hpp"
#include "half.hpp"
#include "profile.hpp"
#include "search.hpp"
#include "sonoma/check_shape.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/half_length.hpp"
#include "sonoma/packed.hpp"
#include "sonoma/trigonometric.hpp"
#include "variants.hpp"
#include "way.hpp"

namespace sonoma {
namespace {

constexpr std::size_t few_of_mixed = 24, few_of_bits = 128;

// Larger tiles leave an SM few blocks.
constexpr std::int64_t most_alone = 6000;

// Of real rows, and of convolutions of such, those whose frequencies meet in registers.
std::vector<Candidate> opposite_candidates(const Search& search) {
  const FftProblem& problem = search.problem;
  const auto half = half_length(problem);
  const bool real = has_hermitian(problem.domain) ||
                    (problem.convolution && problem.convolution->channels.count == 1);
  if (!half || !real || problem.lengths.size() > 1) return {};
  Tuning tuning = with_arithmetic({}, Arithmetic::simt);
  tuning.opposite = true;
  std::vector<Candidate> found;
  for (unsigned blocks = 1; blocks <= most_blocks_of_pairs; ++blocks) {
    const bool shared = blocks > 1;
    if (half->n() > largest_mixed_tile * blocks) continue;
    const bool serves = search.target.has_clusters() && !problem.convolution;
    if (shared && (half->n() <= most_alone || !serves)) break;
    if (shared) tuning.cluster = blocks;
    std::ranges::move(cheapest_kernels(search, tuning, half->n(), few_of_mixed),
                      std::back_inserter(found));
  }
  return found;
}

// By a method that takes a convolution, of these lengths as many each: the model was fitted to
// kernels of bits and to mixed ones apart, and to no convolution.
void append_convolutions(std::vector<Candidate>& found, const Search& search, Tuning tuning,
                         Method method) {
  const bool rader = method == Method::rader;
  tuning.method = method;
  if (tuning.engine == Engine::simt && !tuning.sums)
    tuning.sums = default_sums(method, search.problem, search.target);
  for (const std::int64_t length :
       rader ? std::vector{search.problem.n() - 1}
             : convolution_lengths_tried(search.problem, search.patient)) {
    const std::size_t few = rader ? few_of_mixed : few_of_mixed / 2;
    for (const Candidate& one : cheapest_kernels(search, tuning, length, few)) {
      if (one.tuning != found.front().tuning) found.push_back(one);
    }
  }
}

bool is_beyond_rows(const FftProblem& problem) {
  const bool numbers = is_trigonometric(problem.domain) && !is_plain(problem, {});
  return problem.convolution || numbers || subject_of(problem, {}).side_by_side > 0;
}

// Those for the pairs of a problem that can take them: on blocks with threads for all of a phase,
// with the registers that it takes.
std::vector<Candidate> those_in_pairs(const FftProblem& problem, const Target& target,
                                      std::vector<Candidate> found) {
  const bool plain = !problem.convolution && !is_trigonometric(problem.domain);
  std::vector<Candidate> result;
  for (Candidate& one : found) {
    const bool laps = one.tuning.threads.has_value();
    one.tuning.threads.reset();
    const auto made = in_pairs(problem, target, one.tuning);
    if (!made) continue;
    const Shape& shape = made->launches.front().shape;
    if (laps || shape.sums == Sums::fp64_last) one.tuning = tuning_of(shape);
    if (!plain) one.tuning.registers = shape.registers;
    const auto same = [&](const Candidate& other) { return other.tuning == one.tuning; };
    if (std::ranges::none_of(result, same)) result.push_back(one);
  }
  return result;
}

// The planner's own first.
std::vector<Candidate> with_default(const Search& search, Arithmetic arithmetic,
                                    std::vector<Candidate> found) {
  Candidate first = search.made(with_arithmetic({}, arithmetic)).candidate;
  std::erase_if(found, [&](const Candidate& one) { return one.tuning == first.tuning; });
  found.insert(found.begin(), std::move(first));
  return found;
}

// All in one launch, where that is possible, or in passes.
std::vector<Candidate> of_axes(const Search& search) {
  std::vector<Candidate> found;
  Tuning first;
  first.engine = Engine::simt;
  if (in_one_launch(search.problem, search.target, {})) {
    found = block_candidates(search);
  } else if (const auto passes = axes_in_passes(search.problem, search.target, first)) {
    first.pass_lengths = passes->launches.front().pass.part->lengths;
    found = {search.made(first).candidate};
  } else {
    throw UnsupportedProblem("lengths", to_shape(search.problem.lengths),
                             "axes that share launches; of others one axis at a time");
  }
  for (const Candidate& one : axis_pass_candidates(search)) {
    if (one.tuning != found.front().tuning) found.push_back(one);
  }
  return found;
}

// Long convolutions in passes too.
std::vector<Candidate> blocks_and_passes(const Search& search, const Way& way) {
  constexpr std::int64_t long_one = 16384;
  if (search.problem.lengths.size() > 1) return of_axes(search);
  std::vector<Candidate> found = block_candidates(search);
  if (!search.problem.convolution || search.problem.n() < long_one) return found;
  std::size_t passes = search.patient ? 96 : 8;
  for (const Candidate& one : program_candidates(search, way, Arithmetic::simt)) {
    if (!one.tuning.pass_lengths || passes == 0) continue;
    found.push_back(one);
    --passes;
  }
  return found;
}

}  // namespace

std::string to_string(Effort effort) {
  static constexpr const char* names[] = {"estimate", "measure", "patient"};
  return names[static_cast<int>(effort)];
}

namespace {

// Axes, columns and filters, which take blocks and passes of one kind of sums.
bool is_of_blocks(const FftProblem& problem, const Way& way) {
  return problem.lengths.size() > 1 || (!way.passes && is_beyond_rows(problem));
}

void require_searched(const FftProblem& problem, const Way& way, Arithmetic arithmetic) {
  const bool served = problem.domain == Domain::c2c && problem.lengths.size() == 1 &&
                      !is_beyond_rows(problem) && is_power_of_two(problem.n());
  const bool beyond = way.passes || !is_plain(problem, {});
  if (beyond && engine_of(arithmetic) == Engine::mma && !served) {
    throw UnsupportedProblem("arithmetic", to_string(arithmetic),
                             "simt beyond one block, or rows of a power of two");
  }
  if (is_of_blocks(problem, way) && arithmetic == Arithmetic::simt64) {
    throw UnsupportedProblem("arithmetic", to_string(arithmetic),
                             "simt for several axes, columns and filters: others are not searched");
  }
}

// It is the default of some of the primes that it may take.
bool may_take_rader(const FftProblem& problem, const Target& target) try {
  Tuning tuning;
  tuning.method = Method::rader;
  return !way_of(problem, target, tuning).passes &&
         largest_prime_factor(problem.n() - 1) <= profile_of(target).rader.largest_prime;
} catch (const UnsupportedProblem&) {
  return false;
}

std::vector<Candidate> together(const FftProblem& problem, const Target& target,
                                Arithmetic arithmetic, Effort effort) {
  const auto half = half_length(problem);
  const Search search(problem, target, effort);
  const bool paired = half && in_pairs(problem, target, {});
  // Those that take a cluster might go in passes.
  if (paired && half->n() <= largest_mixed_tile) {
    auto found = those_in_pairs(problem, target, together(*half, target, arithmetic, effort));
    return with_default(search, arithmetic, std::move(found));
  }
  const Way way = way_of(problem, target, {});
  const bool beyond = way.passes || !is_plain(problem, {});
  require_searched(problem, way, arithmetic);
  if (is_of_blocks(problem, way)) return blocks_and_passes(search, way);
  const Tuning tuning = with_arithmetic({}, arithmetic);
  std::vector<Candidate> result = beyond ? program_candidates(search, way, arithmetic)
                                         : std::vector{search.made(tuning).candidate};
  const bool rader = effort == Effort::patient && way.method == Method::bluestein &&
                     engine_of(arithmetic) == Engine::simt && may_take_rader(problem, target);
  if (way.method == Method::rader || rader) {
    append_convolutions(result, search, tuning, Method::rader);
  }
  if (beyond) return paired ? with_default(search, arithmetic, std::move(result)) : result;
  if (way.method != Method::radix) {
    append_convolutions(result, search, tuning, Method::bluestein);
    return result;
  }
  Search others = search;
  (void)others.unseen(tuning);
  const bool bits = is_power_of_two(problem.n());
  for (const Candidate& one :
       cheapest_kernels(others, tuning, problem.n(), bits ? few_of_bits : few_of_mixed)) {
    result.push_back(one);
  }
  const bool shared = problem.n() > most_alone && !bits && arithmetic == Arithmetic::simt;
  if (shared) std::ranges::move(candidates_in_parts(others), std::back_inserter(result));
  return result;
}

// Those of the half that have steps.
std::vector<Candidate> packed_candidates(const FftProblem& problem, const Target& target,
                                         Effort effort) {
  std::vector<Candidate> found = candidates(packed_half(problem), target, Arithmetic::simt, effort);
  std::erase_if(found, [](const Candidate& one) { return convolves(one.tuning); });
  return found;
}

}  // namespace

std::vector<Candidate> candidates(const FftProblem& problem, const Target& target,
                                  Arithmetic arithmetic, Effort effort) {
  if (arithmetic == Arithmetic::packed) return packed_candidates(problem, target, effort);
  const Search search(problem, target, effort);
  std::vector<Candidate> found = together(problem, target, arithmetic, effort);
  if (arithmetic == Arithmetic::simt) {
    for (const Candidate& one : opposite_candidates(search)) {
      if (one.tuning != found.front().tuning) found.push_back(one);
    }
  }
  const auto each = axis_by_axis_candidate(search);
  if (each && each->tuning != found.front().tuning) found.push_back(*each);
  return found;
}

}  // namespace sonoma
