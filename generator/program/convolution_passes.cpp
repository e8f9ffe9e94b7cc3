// Convolutions in several launches, over the passes of a transform there and back: with a filter of
// the caller's, and, of m points, Bluestein's algorithm.
#include <algorithm>

#include "sonoma/convolution.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {
namespace {

// A problem of m points whose input and output are those of `problem`.
FftProblem padded(const FftProblem& problem, std::int64_t m) {
  FftProblem longer = problem;
  longer.lengths = {m}, longer.domain = Domain::c2c, longer.orthogonal = false;
  longer.layout.in_dist = problem.in_dist(), longer.layout.out_dist = problem.out_dist();
  return longer;
}

// Of the way to frequencies: once for all filters of a signal, and each channel by itself.
FftProblem of_signals(const FftProblem& problem) {
  FftProblem there = problem;
  std::erase_if(there.layout.loops, [&](const Loop& loop) { return is_of_filters(problem, loop); });
  if (problem.channels() > 1) {
    there.layout.loops.push_back({problem.channels(), problem.channel_dist(), 0});
  }
  return there;
}

// Where the frequencies of signals, and behind them those of results, lie in the workspace, if
// these do not take the place of those.
void keep_apart(std::vector<Pass>& passes, const FftProblem& longer, const Lengths& lengths) {
  const std::int64_t points = points_in_workspace(longer, lengths),
                     signals = points * transforms_of(of_signals(longer)),
                     results = points * transforms_of(longer);
  const auto turn = std::ranges::find_if(passes, [](const Pass& pass) { return pass.convolves(); });
  const auto set = [&](PassSide& side, bool of_results) {
    if (!side.end) side.dist = signals + results, side.first = of_results ? signals : 0;
  };
  for (auto pass = passes.begin(); pass != passes.end(); ++pass) {
    set(pass->in, pass > turn), set(pass->out, pass >= turn);
  }
}

// The rows of the last pass, which stay where they are.
Pass spectrum_pass(const FftProblem& problem, const Lengths& lengths) {
  Pass pass = pass_of(problem, lengths, lengths.size() - 1);
  pass.problem.scale = 1;
  pass.out = {Storage::f32, 1, pass.in.dist, false};
  pass.between = {Factor::Kind::spectrum, problem.n()};
  pass.loops.clear();
  for (std::size_t p = lengths.size() - 1; p-- > 0;) {
    const std::int64_t apart = apart_in_workspace(problem, lengths, p);
    const bool follow =
        !pass.loops.empty() && pass.loops.back().count * pass.loops.back().in_stride == apart;
    if (follow) {
      pass.loops.back().count *= lengths[p];
    } else {
      pass.loops.push_back({lengths[p], apart, apart});
    }
  }
  append_loops(pass, problem, lengths, false, false);
  return pass;
}

// The same where the spectrum is the caller's: rows that are neighbours in it, k1 and k1 + 1, go
// together.
Pass filter_pass(const FftProblem& problem, const Lengths& lengths) {
  Pass pass = spectrum_pass(problem, lengths);
  pass.between = {Factor::Kind::filter, problem.n()};
  pass.loops.clear();
  const FilterSide whole = filter_side(problem);
  FilterSide& filter = pass.filter.emplace(whole);
  filter.loops.clear();
  std::int64_t frequency = whole.stride;
  for (std::size_t p = 0; p + 1 < lengths.size(); ++p) {
    const std::int64_t apart = apart_in_workspace(problem, lengths, p);
    pass.loops.push_back({lengths[p], apart, apart});
    filter.loops.push_back(frequency);
    frequency *= lengths[p];
  }
  filter.stride = frequency;
  std::int64_t signals = points_in_workspace(problem, lengths), results = signals;
  for (const Loop& loop : problem.layout.loops) {
    const bool again = is_of_filters(problem, loop);
    pass.loops.push_back({loop.count, again ? 0 : signals, results, loop.in_index, loop.out_index});
    signals *= again ? 1 : loop.count, results *= loop.count;
  }
  if (problem.channels() > 1) filter.channels.in_dist = signals;
  filter.loops.insert(filter.loops.end(), whole.loops.begin(), whole.loops.end());
  return pass;
}

}  // namespace

std::vector<Pass> convolution_passes(const FftProblem& problem, const Lengths& lengths) {
  const FftProblem longer = padded(problem, product_of(lengths)), there = of_signals(longer);
  std::vector<Pass> passes;
  for (std::size_t p = 0; p + 1 < lengths.size(); ++p) {
    passes.push_back(pass_of(there, lengths, p));
  }
  const bool filter = problem.convolution.has_value();
  passes.push_back(filter ? filter_pass(longer, lengths) : spectrum_pass(longer, lengths));
  for (std::size_t p = lengths.size() - 1; p-- > 0;) {
    passes.push_back(reversed(pass_of(reversed(longer), lengths, p)));
  }
  passes.back().problem.scale = problem.scale;
  if (!filter) passes.front().before = passes.back().after = {Factor::Kind::chirp, problem.n()};
  if (filter && !problem.convolution->real) {
    passes.back().after = {Factor::Kind::conjugate, problem.n()};
  }
  for (std::size_t i = 0; i < passes.size(); ++i) {
    passes[i].part = Part{lengths,
                          static_cast<unsigned>(i + 1),
                          i + 1 < lengths.size() ? of_signals(problem) : problem,
                          {},
                          true};
  }
  if (keeps_signals_apart(problem)) keep_apart(passes, longer, lengths);
  return passes;
}

void check_convolution_lengths(const Lengths& lengths, const FftProblem& problem) {
  const std::int64_t n = problem.n();
  const bool bits = std::all_of(lengths.begin(), lengths.end(), is_power_of_two);
  const bool served = std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t length) {
    return length >= (bits ? shortest_pass : 2) && length <= largest_pass && is_smooth(length);
  });
  if (served && lengths.size() >= 2 && lengths.size() <= 3 && product_of(lengths) >= 2 * n - 1)
    return;
  throw UnsupportedProblem("pass_lengths", to_list(lengths),
                           "two or three powers of two from " + std::to_string(shortest_pass) +
                               ", or products of primes up to 61, up to " +
                               std::to_string(largest_pass) + ", whose product is " +
                               std::to_string(2 * n - 1) + " or more with the method bluestein");
}

}  // namespace sonoma
