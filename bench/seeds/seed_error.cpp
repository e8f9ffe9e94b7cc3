#include "seed_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "in_parallel.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::bench {
namespace {

using Complex = std::complex<float>;
using ComplexD = std::complex<double>;

constexpr std::int64_t at_a_time = std::int64_t{1} << 18;  // points, but whole transforms

/// What is known of an output after a part of its transforms.
struct Part {
  double sum = 0, worst = 0;
};

// The terms of the mean go to `terms`, one a point.
Part judge(std::span<const Complex> y, std::span<const ComplexD> exact, std::size_t n, double norm,
           float* terms) {
  Part part;
  for (std::size_t first = 0; first < y.size(); first += n) {
    double error = 0, all = 0;
    for (std::size_t k = first; k < first + n; ++k) {
      const ComplexD d = ComplexD(y[k]) - exact[k];
      part.sum += std::abs(d) / norm;
      terms[k] = static_cast<float>((std::abs(d.real()) + std::abs(d.imag())) / norm);
      error += std::norm(d / norm);
      all += std::norm(exact[k] / norm);
    }
    const double relative = std::sqrt(error / all);
    part.worst = relative >= 0 ? std::max(part.worst, relative) : HUGE_VAL;
  }
  return part;
}

double finite_or_infinite(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

SeedError error_of(const std::vector<Part>& parts, const std::vector<float>& terms,
                   double divisor) {
  SeedError result;
  for (const Part& part : parts) {
    result.sum += part.sum;
    result.rel_l2 = std::max(result.rel_l2, part.worst);
  }
  double sum = 0;
  float sum_f32 = 0;
  for (const float term : terms) sum += term, sum_f32 += term;
  divisor *= static_cast<double>(terms.size());
  return {finite_or_infinite(result.sum), finite_or_infinite(sum / divisor),
          finite_or_infinite(sum_f32 / divisor), finite_or_infinite(result.rel_l2)};
}

}  // namespace

std::vector<SeedError> seed_errors(const SeedRow& row, std::span<const Complex> input,
                                   const std::vector<std::vector<Complex>>& outputs) {
  const std::int64_t n = row.problem().n();
  const auto chunk = static_cast<std::size_t>(std::max<std::int64_t>(at_a_time / n, 1) * n);
  const std::size_t chunks = (input.size() + chunk - 1) / chunk;
  (void)verification::reference_dft({Complex{}}, 1, Direction::forward);  // throws without FFTW
  std::vector<std::vector<Part>> parts(outputs.size(), std::vector<Part>(chunks));
  std::vector<std::vector<float>> terms(outputs.size(), std::vector<float>(input.size()));
  for_each_in_parallel(chunks, [&](std::size_t c) {
    const std::size_t first = c * chunk, count = std::min(chunk, input.size() - first);
    const auto part = input.subspan(first, count);
    const auto exact =
        verification::reference_dft({part.begin(), part.end()}, row.lengths, Direction::forward);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      parts[i][c] = judge(std::span(outputs[i]).subspan(first, count), exact,
                          static_cast<std::size_t>(n), row.norm, terms[i].data() + first);
    }
  });
  std::vector<SeedError> errors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    errors.push_back(error_of(parts[i], terms[i], row.divisor()));
  }
  return errors;
}

}  // namespace sonoma::bench
