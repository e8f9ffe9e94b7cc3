// Bluestein's algorithm in several launches: a convolution of m points over the passes of a
// transform of m points, there and back.
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "pass_lengths.hpp"
#include "program_parts.hpp"
#include "sonoma/convolution_lengths.hpp"
#include "sonoma/error_limit.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {
namespace {

using Place = Convolution::Place;
using Lengths = std::vector<std::int64_t>;

std::int64_t product(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>());
}

// A problem of m points whose input and output are those of `problem`.
FftProblem padded(const FftProblem& problem, std::int64_t m) {
  FftProblem longer = problem;
  longer.lengths = {m};
  longer.layout.in_dist = problem.in_dist(), longer.layout.out_dist = problem.out_dist();
  return longer;
}

// The rows of the last pass, which stay where they are.
Pass spectrum_pass(const FftProblem& problem, const Lengths& lengths) {
  Pass pass = pass_of(problem, lengths, lengths.size() - 1);
  pass.problem.scale = 1;
  pass.out_storage = Storage::f32;
  pass.out_stride = 1;
  pass.out_dist = pass.in_dist;
  pass.loops = {{problem.n() / pass.n(), pass.n(), pass.n()}};
  append_loops(pass, problem, false, false);
  return pass;
}

// The passes in the order of their launches, of lengths.size() columns, rows, and columns.
std::vector<Pass> passes_of(const FftProblem& problem, const Lengths& lengths) {
  const FftProblem longer = padded(problem, product(lengths));
  std::vector<Pass> passes;
  std::vector<Place> places;
  for (std::size_t p = 0; p + 1 < lengths.size(); ++p) {
    passes.push_back(pass_of(longer, lengths, p));
    places.push_back(p == 0 ? Place::first : Place::forward);
  }
  passes.push_back(spectrum_pass(longer, lengths));
  places.push_back(Place::spectrum);
  for (std::size_t p = lengths.size() - 1; p-- > 0;) {
    passes.push_back(reversed(pass_of(reversed(longer), lengths, p)));
    places.push_back(p == 0 ? Place::last : Place::back);
  }
  passes.back().problem.scale = problem.scale;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    passes[i].part = Part{lengths, static_cast<unsigned>(i + 1), problem};
    passes[i].convolution = Convolution{problem.n(), places[i]};
  }
  return passes;
}

bool is_bit(std::int64_t n) { return std::has_single_bit(static_cast<std::uint64_t>(n)); }

// As many rows as divide their number and fit a block of 4096 points, where columns side by side
// would take more.
unsigned points_of_rows(const Pass& pass) {
  constexpr std::int64_t block = 4096;
  const std::int64_t count = pass.loops.front().count;
  std::int64_t rows = std::clamp<std::int64_t>(block / pass.n(), 1, count);
  while (count % rows != 0) --rows;
  return static_cast<unsigned>(pass.n() * rows);
}

// The factors of the spectrum take registers beside those of the steps.
Tuning tuning_of(const Tuning& tuning, const Pass& pass, const Target& target) {
  Tuning own = tuning;
  if (pass.is(Place::spectrum)) {
    if (!own.block_points && !own.columns) own.block_points = points_of_rows(pass);
    const bool bits = is_bit(own.block_points.value_or(pass.n()));
    if (bits && !own.registers && !own.points_per_thread) own.registers = 96;
  }
  return kernel_tuning(own, pass, target, false);
}

void check_lengths(const Lengths& lengths, std::int64_t n) {
  const bool bits = std::all_of(lengths.begin(), lengths.end(), is_bit);
  const bool served = std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t length) {
    return length >= (bits ? shortest_pass : 2) && length <= largest_pass && is_smooth(length);
  });
  if (served && lengths.size() >= 2 && lengths.size() <= 3 && product(lengths) >= 2 * n - 1) return;
  throw UnsupportedProblem("pass_lengths", to_list(lengths),
                           "two or three powers of two from " + std::to_string(shortest_pass) +
                               ", or products of primes up to 31, up to " +
                               std::to_string(largest_pass) + ", whose product is " +
                               std::to_string(2 * n - 1) + " or more with the method bluestein");
}

void check_accuracy(const Program& program, const Lengths& lengths) {
  const FftProblem& problem = program.problem;
  Tuning whole = program.launches.front().tuning;
  whole.method = Method::bluestein;
  whole.pass_lengths = lengths;
  const double limit = error_limit(problem, whole);
  if (!problem.accuracy.max_rel_l2 || limit <= *problem.accuracy.max_rel_l2) return;
  throw UnsupportedProblem("accuracy", to_string(problem.accuracy),
                           to_string(Accuracy{{}, limit}) + " or more for this length and storage");
}

}  // namespace

std::vector<std::int64_t> default_lengths(const FftProblem& problem, const Tuning& tuning,
                                          const Target& target) {
  if (tuning.pass_lengths) return *tuning.pass_lengths;
  const bool longer = method_for(tuning, problem.n()) == Method::bluestein;
  if (!longer) return pass_lengths(problem.n(), longest_pass(problem.storage, target));
  const auto bits =
      static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(problem.n()) - 1));
  const std::int64_t length = takes_mma(tuning, problem) ? bits : convolution_length(problem.n());
  const std::int64_t points = std::max(length, shortest_pass * shortest_pass);
  return pass_lengths(points, longest_pass(Storage::f32, target));
}

Program convolution_program(const FftProblem& problem, const Target& target, const Tuning& tuning) {
  const Lengths lengths = default_lengths(problem, tuning, target);
  check_lengths(lengths, problem.n());
  if (tuning.fused.value_or(false)) {
    throw UnsupportedProblem("fused", "true", "the method radix; drop it");
  }
  Program program;
  program.problem = problem;
  const auto passes = passes_of(problem, lengths);
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const Pass& pass = passes[i];
    program.launches.push_back({pass,
                                resolve(tuning_of(tuning, pass, target), pass.problem, target),
                                i == 0 ? Buffer::input : Buffer::workspace,
                                i + 1 == passes.size() ? Buffer::output : Buffer::workspace});
  }
  check_accuracy(program, lengths);
  program.workspace_points = product(lengths) * transforms_of(problem);
  program.transforms_together = transforms_together(problem, tuning, program.workspace_points);
  return program;
}

}  // namespace sonoma
