#include "sonoma/half_length.hpp"

#include <algorithm>

namespace sonoma {

// Every pair begins at an even place.
bool lies_in_pairs(const FftProblem& problem) {
  const bool input = problem.domain == Domain::r2c;
  const DataLayout& layout = problem.layout;
  const auto even = [&](const Loop& loop) { return loop.stride(input) % 2 == 0; };
  return (input ? layout.in_stride : layout.out_stride) == 1 &&
         (input ? problem.in_dist() : problem.out_dist()) % 2 == 0 &&
         std::ranges::all_of(layout.loops, even);
}

std::optional<FftProblem> half_length(const FftProblem& problem) {
  const bool several = problem.lengths.size() > 1, even = problem.lengths.back() % 2 == 0;
  if (several && (problem.ends != Ends{} || problem.layout != DataLayout{} ||
                  problem.placement == Placement::in_place)) {
    return std::nullopt;
  }
  if (!has_hermitian(problem.domain) || !even) return std::nullopt;
  const bool forward = problem.domain == Domain::r2c;
  Ends others = problem.ends;
  (forward ? others.load_code : others.store_code).clear();
  if (others != Ends{} || !lies_in_pairs(problem)) return std::nullopt;
  FftProblem half = problem;
  half.lengths.back() /= 2;
  half.domain = Domain::c2c;
  half.layout = {};
  half.placement = Placement::out_of_place;
  return half;
}

Pass half_length_pass(const FftProblem& problem) {
  const bool forward = problem.domain == Domain::r2c;
  FftProblem half = half_length(problem).value();
  half.batch = problem.batch, half.layout = problem.layout;
  DataLayout& layout = half.layout;
  layout.in_dist = problem.in_dist(), layout.out_dist = problem.out_dist();
  std::int64_t& real_dist = forward ? layout.in_dist : layout.out_dist;
  real_dist /= 2;
  for (Loop& loop : layout.loops) (forward ? loop.in_stride : loop.out_stride) /= 2;
  Pass pass = single_pass(half);
  (forward ? pass.after : pass.before) = Factor{Factor::Kind::mirrored, problem.lengths.back()};
  return pass;
}

}  // namespace sonoma
