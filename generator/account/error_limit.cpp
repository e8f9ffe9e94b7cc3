#include "sonoma/error_limit.hpp"

#include <cmath>

namespace sonoma {
namespace {

constexpr double half_v = 0x1p-11, bfloat_v = 0x1p-8;

double squared(double value) { return value * value; }

// Of what is made of roundings of v that are independent of each other.
double rounding(const FftProblem& problem, double v) {
  constexpr double margin = 1.5, rms = 0.41;
  return squared((problem.n() < 64 ? 1 : margin * rms) * v);
}

double of_steps(const FftProblem& problem, const Tuning& resolved) {
  constexpr double margin = 1.5, u = 0x1p-24;
  const auto points = static_cast<double>(convolution_points(resolved));
  const int products = resolved.method == Method::rader ? 1 : 3, ways = points > 0 ? 2 : 1;
  const double levels = points > 0 ? 2 * std::log2(points) + products
                                   : std::max(1.0, std::log2(static_cast<double>(problem.n())));
  double squares = squared(margin * u) * levels;
  if (arithmetic_of(resolved) != Arithmetic::half) return squares;
  const auto& radices = resolved.decomposition->radices;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    if (*resolved.tensor_steps >> s & 1u) {
      squares += ways * (radices[s] > 4 ? 2 : 1) * rounding(problem, half_v);
    }
  }
  return squares;
}

// Points that are rounded to c12e8 at each of so many boundaries.
double of_boundaries(unsigned boundaries) {
  constexpr double margin = 1.5, rms = 0.55;
  return boundaries * squared(margin * rms * half_v);
}

double of_result(const FftProblem& problem) {
  const Storage storage = problem.result_storage();
  if (!is_half(storage)) return 0;
  return rounding(problem, storage == Storage::f16 ? half_v : bfloat_v);
}

}  // namespace

// Convolutions keep FP32.
unsigned rounded_boundaries(const FftProblem& problem, const Tuning& resolved) {
  const Accuracy& wanted = problem.accuracy;
  const bool half = wanted.arithmetic.value_or(Arithmetic::half) == Arithmetic::half;
  if (!resolved.pass_lengths || resolved.method == Method::bluestein) return 0;
  if (!is_half(problem.result_storage()) || !half) return 0;
  const auto boundaries = static_cast<unsigned>(resolved.pass_lengths->size() - 1);
  const double limit =
      std::sqrt(of_steps(problem, resolved) + of_boundaries(boundaries) + of_result(problem));
  return limit <= wanted.max_rel_l2.value_or(limit) ? boundaries : 0;
}

double error_limit_unrounded(const FftProblem& problem, const Tuning& resolved) {
  return std::sqrt(of_steps(problem, resolved) +
                   of_boundaries(rounded_boundaries(problem, resolved)));
}

double error_limit(const FftProblem& problem, const Tuning& resolved) {
  return std::sqrt(of_steps(problem, resolved) +
                   of_boundaries(rounded_boundaries(problem, resolved)) + of_result(problem));
}

}  // namespace sonoma
