#include "sonoma/verify/convolution.hpp"

#include <span>
#include <stdexcept>
#include <string>

#include "sonoma/verify/inputs.hpp"
#include "transform_rows.hpp"

namespace sonoma::verification {
namespace {

// All n points of a spectrum, of which memory may have the first half.
std::vector<ComplexD> completed(std::span<const Complex> spectrum, const FftProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.n());
  std::vector<ComplexD> all(spectrum.begin(), spectrum.end());
  if (problem.convolution->real) {
    all[0] = all[0].real();
    if (n % 2 == 0) all[n / 2] = all[n / 2].real();
    all.resize(n);
    for (std::size_t k = n / 2 + 1; k < n; ++k) all[k] = std::conj(all[n - k]);
  }
  if (problem.convolution->correlate) {
    for (ComplexD& value : all) value = std::conj(value);
  }
  return all;
}

}  // namespace

std::vector<Complex> random_spectrum(const FftProblem& problem, std::uint64_t seed) {
  std::vector<Complex> spectrum = normal_row(spectrum_points(problem), seed);
  if (!problem.convolution->real) return spectrum;
  const auto length = static_cast<std::size_t>(spectrum_length(problem));
  spectrum[0].imag(1e30f);
  if (problem.n() % 2 == 0) spectrum[length - 1].imag(-1e30f);
  return spectrum;
}

std::vector<ComplexD> reference_convolution(const std::vector<Complex>& x,
                                            const FftProblem& problem,
                                            const std::vector<Complex>& spectrum) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto length = static_cast<std::size_t>(spectrum_length(problem));
  const auto apart = static_cast<std::size_t>(problem.convolution->spectrum_dist);
  const std::size_t rows = x.size() / n;
  if (x.size() % n != 0 || (rows > 0 && spectrum.size() < (rows - 1) * apart + length)) {
    throw std::invalid_argument("reference_convolution: " + std::to_string(spectrum.size()) +
                                " points of spectra for " + std::to_string(x.size()) +
                                " values of " + to_string(problem));
  }
  std::vector<ComplexD> y(x.begin(), x.end());
  if (y.empty()) return y;
  transform_rows(y, {problem.n()}, problem.n(), Direction::forward);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto s = completed(std::span(spectrum).subspan(row * apart, length), problem);
    for (std::size_t k = 0; k < n; ++k) y[row * n + k] *= s[k];
  }
  transform_rows(y, {problem.n()}, problem.n(), Direction::inverse);
  const double factor = static_cast<double>(static_cast<float>(problem.scale));
  for (ComplexD& value : y) value *= factor;
  return y;
}

}  // namespace sonoma::verification
