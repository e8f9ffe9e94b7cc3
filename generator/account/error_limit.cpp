#include "sonoma/error_limit.hpp"

#include <algorithm>
#include <cmath>

namespace sonoma {
namespace {

constexpr double half_v = 0x1p-11, bfloat_v = 0x1p-8;

double squared(double value) { return value * value; }

// Points whose roundings are independent of each other: no more than are read, for those make all
// others, nor than are stored.
std::int64_t independent_points(const FftProblem& problem) {
  const Ends& ends = problem.ends;
  std::int64_t points = problem.n();
  if (ends.in_length > 0 || !ends.in_lengths.empty())
    points = std::min(points, problem.in_length());
  if (ends.out_length > 0 || !ends.out_lengths.empty()) {
    points = std::min(points, problem.out_length());
  }
  return points;
}

// Of what is made of roundings of v: of few points all may be as large as that.
double rounding(const FftProblem& problem, double v) {
  constexpr double margin = 1.5, rms = 0.41;
  constexpr std::int64_t few = 64;
  return squared((independent_points(problem) < few ? 1 : margin * rms) * v);
}

double of_steps(const FftProblem& problem, const Roundings& roundings) {
  constexpr double margin = 1.5;
  return squared(margin * roundings.unit_roundoff()) * levels_of(problem, roundings) +
         (roundings.half_data + roundings.half_matrices) * rounding(problem, half_v);
}

// Points that are rounded to c12e8 at each of so many boundaries.
double of_boundaries(std::size_t boundaries) {
  constexpr double margin = 1.5, rms = 0.55;
  return static_cast<double>(boundaries) * squared(margin * rms * half_v);
}

double of_result(const FftProblem& problem) {
  const Storage storage = problem.result_storage();
  if (!is_half(storage)) return 0;
  return rounding(problem, storage == Storage::f16 ? half_v : bfloat_v);
}

// Squared.
double unrounded(const FftProblem& problem, const Roundings& roundings) {
  return of_steps(problem, roundings) + of_boundaries(roundings.behind_boundaries.size());
}

}  // namespace

Roundings roundings_of(const Shape& shape, const FftProblem& problem) {
  Roundings roundings{.arithmetic = shape.arithmetic};
  const bool filter = problem.convolution.has_value(), convolves = shape.convolves() || filter;
  if (convolves) {
    roundings.convolution_points = filter ? problem.n() : shape.length();
    roundings.products = filter || shape.method == Method::rader ? 1 : 3;
    roundings.channels = problem.channels();
  }
  const unsigned ways = convolves ? 2 : 1;
  const auto& radices = shape.tree.decomposition.radices;
  for (std::size_t step = 0; step < radices.size(); ++step) {
    if (!shape.in_fp64(step)) continue;
    roundings.spared_levels += ways * (std::log2(radices[step]) - 1);
  }
  if (shape.arithmetic != Arithmetic::half) return roundings;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if ((shape.tree.tensor_steps >> s & 1u) == 0) continue;
    roundings.half_data += ways;
    roundings.half_matrices += radices[s] > 4 ? ways : 0;
  }
  return roundings;
}

double levels_of(const FftProblem& problem, const Roundings& roundings) {
  const auto levels = [](std::int64_t points) { return std::log2(static_cast<double>(points)); };
  const std::int64_t points = roundings.convolution_points;
  const double spared = roundings.spared_levels;
  if (points == 0) return std::max(1.0, levels(problem.n()) - spared) + roundings.products;
  // Of c channels of one size a sum of j has j / c of the square of the whole: j = 2, 3, ..., c.
  const double sums = static_cast<double>(roundings.channels - 1) / 2;
  return 2 * levels(points) - spared + roundings.products + levels(roundings.direct_points) + sums;
}

double error_limit_unrounded(const FftProblem& problem, const Roundings& roundings) {
  return std::sqrt(unrounded(problem, roundings));
}

double error_limit(const FftProblem& problem, const Roundings& roundings) {
  return std::sqrt(unrounded(problem, roundings) + of_result(problem));
}

}  // namespace sonoma
