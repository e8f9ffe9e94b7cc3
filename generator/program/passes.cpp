#include "sonoma/passes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "sonoma/errors.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

void check_pass_lengths(const Lengths& lengths, const FftProblem& problem) {
  std::int64_t product = 1;
  for (const std::int64_t length : lengths) {
    const bool served = is_power_of_two(length)
                            ? length >= shortest_pass || !is_power_of_two(problem.n())
                            : length >= 2 && is_smooth(length);
    if (!served || length > largest_pass || product > problem.n() / length) {
      throw UnsupportedProblem("pass_lengths", to_list(lengths),
                               "powers of two from " + std::to_string(shortest_pass) +
                                   ", or products of primes up to 61, up to " +
                                   std::to_string(largest_pass) +
                                   ", whose product is n = " + std::to_string(problem.n()));
    }
    product *= length;
  }
  if (product == problem.n() && lengths.size() >= 2) return;
  throw UnsupportedProblem(
      "pass_lengths", to_list(lengths),
      "two or more lengths whose product is n = " + std::to_string(problem.n()));
}

std::int64_t transforms_of(const FftProblem& problem) {
  std::int64_t count = 1;
  for (const Loop& loop : problem.layout.loops) count *= loop.count;
  return count;
}

namespace {

std::int64_t product(const Lengths& lengths, std::size_t from, std::size_t to) {
  return std::accumulate(lengths.begin() + static_cast<std::ptrdiff_t>(from),
                         lengths.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1},
                         std::multiplies<>());
}

}  // namespace

std::int64_t row_in_workspace(std::int64_t points, const FftProblem& problem) {
  constexpr std::int64_t sector = 4;  // points of 32 bytes
  const bool fp32 = !is_half(problem.storage) && !is_half(problem.result_storage());
  return fp32 ? (points + sector - 1) / sector * sector : points;
}

std::int64_t apart_in_workspace(const FftProblem& problem, const Lengths& lengths, std::size_t p) {
  const std::int64_t below = product(lengths, p + 1, lengths.size());
  return p > 0 ? below : row_in_workspace(below, problem);
}

std::int64_t points_in_workspace(const FftProblem& problem, const Lengths& lengths) {
  return lengths.front() * apart_in_workspace(problem, lengths, 0);
}

void append_loops(Pass& pass, const FftProblem& problem, const Lengths& lengths, bool first,
                  bool last) {
  std::int64_t inner = points_in_workspace(problem, lengths);
  for (const Loop& loop : problem.layout.loops) {
    pass.loops.push_back({loop.count, first ? loop.in_stride : inner,
                          last ? loop.out_stride : inner, loop.in_index, loop.out_index});
    inner *= loop.count;
  }
}

// One transform of a pass, before it is known where it stores.
FftProblem transform_along(const FftProblem& problem, std::int64_t length) {
  FftProblem one = problem;
  one.layout = {}, one.ends = {}, one.out_storage.reset();
  one.domain = Domain::c2c, one.orthogonal = false;
  one.convolution.reset();
  one.accuracy.max_rel_l2.reset();  // of all passes together
  one.lengths = {length}, one.batch = 1, one.scale = 1;
  return one;
}

Pass pass_of(const FftProblem& problem, const Lengths& lengths, std::size_t p) {
  const std::int64_t below = product(lengths, p + 1, lengths.size());
  const bool first = p == 0, last = p + 1 == lengths.size();
  const DataLayout& layout = problem.layout;
  Pass pass;
  pass.problem = transform_along(problem, lengths[p]);
  const std::int64_t between = points_in_workspace(problem, lengths) * transforms_of(problem);
  pass.part = Part{lengths, static_cast<unsigned>(p + 1), problem};
  pass.part->whole.batch = 1;
  pass.in = {first ? problem.storage : Storage::f32,
             first ? below * layout.in_stride : apart_in_workspace(problem, lengths, p),
             first ? problem.in_dist() : between, first};
  pass.problem.storage = pass.in.storage;
  if (!last) {
    const std::int64_t above = below * lengths[p], rows = apart_in_workspace(problem, lengths, 0);
    pass.out = {Storage::f32, apart_in_workspace(problem, lengths, p), between, false};
    pass.after = {Factor::Kind::twiddle, above};
    pass.loops = {{below, first ? layout.in_stride : 1, 1}};
    if (p > 1) pass.loops.push_back({product(lengths, 1, p), above, above});
    if (p > 0) pass.loops.push_back({lengths[0], rows, rows});
  } else {
    pass.problem.scale = problem.scale;
    pass.out = {problem.result_storage(), problem.n() / lengths[p] * layout.out_stride,
                problem.out_dist(), true};
    // k1 is the fastest in the output: its values are the columns; then k2, ...
    std::int64_t out_stride = layout.out_stride;
    for (std::size_t q = 0; q < p; ++q) {
      pass.loops.push_back({lengths[q], apart_in_workspace(problem, lengths, q), out_stride});
      out_stride *= lengths[q];
    }
  }
  append_loops(pass, problem, lengths, first, last);
  return pass;
}

std::vector<Pass> passes_of(const FftProblem& problem, const Lengths& lengths) {
  if (problem.order == Order::transposed) return transposed_passes(problem, lengths);
  if (has_hermitian(problem.domain)) return real_passes(problem, lengths);
  std::vector<Pass> passes;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    passes.push_back(pass_of(problem, lengths, p));
  }
  return passes;
}

}  // namespace sonoma
