#include "sonoma/half_length.hpp"

#include <algorithm>

#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

// Every pair begins at an even place.
bool lies_in_pairs(const FftProblem& problem, bool input) {
  const DataLayout& layout = problem.layout;
  const auto even = [&](const Loop& loop) {
    return loop.stride(input) % 2 == 0 && loop.index(input) % 2 == 0;
  };
  return (input ? layout.in_stride : layout.out_stride) == 1 &&
         (input ? problem.in_dist() : problem.out_dist()) % 2 == 0 &&
         (!input || problem.channels() == 1 || problem.channel_dist() % 2 == 0) &&
         problem.ends.index(input).step == 1 && std::ranges::all_of(layout.loops, even);
}

// As if points followed each other.
FftProblem of_pairs(const FftProblem& problem) {
  FftProblem half = problem;
  half.lengths = problem.dft_lengths(), half.lengths.back() /= 2;
  half.domain = Domain::c2c, half.orthogonal = false;
  half.layout = {};
  half.placement = Placement::out_of_place;
  return half;
}

// Of a convolution.
std::optional<FftProblem> half_of_filter(const FftProblem& problem) {
  const Ends& ends = problem.ends;
  const bool even = problem.n() % 2 == 0 && ends.in_length % 2 == 0 && ends.out_length % 2 == 0;
  const bool one = problem.lengths.size() == 1 && problem.convolution->spectrum_stride == 1;
  if (!problem.convolution->real || !one || !even || problem.n() == 2 || !lies_in_pairs(problem)) {
    return std::nullopt;
  }
  FftProblem half = of_pairs(problem);
  half.ends.in_length /= 2, half.ends.out_length /= 2;
  half.convolution = Convolution{};
  half.convolution->correlate = problem.convolution->correlate;
  half.convolution->channels.count = problem.channels();
  return half;
}

// The points of type 4 are pairs of numbers already.
std::optional<FftProblem> half_of_numbers(const FftProblem& problem) {
  const bool even = problem.lengths.size() == 1 && problem.n() % 2 == 0;
  if (!even || type_of(problem.domain) == 4 || problem.ends != Ends{}) return std::nullopt;
  return of_pairs(problem);
}

// Over memory of real numbers on both sides.
Pass pass_of_numbers(const FftProblem& problem, FftProblem half) {
  half.batch = problem.batch, half.layout = problem.layout;
  half.layout.in_dist = problem.in_dist(), half.layout.out_dist = problem.out_dist();
  Pass pass = single_pass(half);
  const bool back = type_of(problem.domain) == 3;
  (back ? pass.in : pass.out).mirror = {Mirror::Kind::pairs, problem.n()};
  pass.pairs_of = problem, pass.pairs_of->batch = 1;
  return pass;
}

void halve(DataLayout& layout, bool input) {
  (input ? layout.in_dist : layout.out_dist) /= 2;
  for (Loop& loop : layout.loops) {
    (input ? loop.in_stride : loop.out_stride) /= 2;
    (input ? loop.in_index : loop.out_index) /= 2;
  }
}

}  // namespace

bool lies_in_pairs(const FftProblem& problem) {
  if (problem.convolution) return lies_in_pairs(problem, true) && lies_in_pairs(problem, false);
  return lies_in_pairs(problem, problem.domain == Domain::r2c);
}

std::optional<FftProblem> half_length(const FftProblem& problem) {
  if (problem.convolution) return half_of_filter(problem);
  if (is_trigonometric(problem.domain)) return half_of_numbers(problem);
  const bool several = problem.lengths.size() > 1, even = problem.lengths.back() % 2 == 0;
  if (several && (problem.ends != Ends{} || problem.layout != DataLayout{} ||
                  problem.placement == Placement::in_place)) {
    return std::nullopt;
  }
  if (!has_hermitian(problem.domain) || !even) return std::nullopt;
  const bool forward = problem.domain == Domain::r2c;
  Ends others = problem.ends;
  (forward ? others.load_code : others.store_code).clear();
  (forward ? others.in_index : others.out_index) = {};
  if (others != Ends{} || !lies_in_pairs(problem)) return std::nullopt;
  return of_pairs(problem);
}

Pass half_length_pass(const FftProblem& problem) {
  if (is_trigonometric(problem.domain)) {
    return pass_of_numbers(problem, half_length(problem).value());
  }
  const bool forward = problem.domain == Domain::r2c;
  FftProblem half = half_length(problem).value();
  half.batch = problem.batch, half.layout = problem.layout;
  DataLayout& layout = half.layout;
  layout.in_dist = problem.in_dist(), layout.out_dist = problem.out_dist();
  if (problem.convolution) {
    halve(layout, true), halve(layout, false);
    half.convolution = problem.convolution;
    half.convolution->real = false;
    half.convolution->channels.in_dist = problem.channel_dist() / 2;
    Pass pass = single_pass(half);
    pass.filter->values = Values::hermitian, pass.filter->pairs = true;
    return pass;
  }
  halve(layout, forward);
  Pass pass = single_pass(half);
  (forward ? pass.out : pass.in).mirror = {Mirror::Kind::pairs, problem.lengths.back()};
  return pass;
}

}  // namespace sonoma
