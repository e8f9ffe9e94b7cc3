#include "sonoma/verify/convolution.hpp"

#include <span>
#include <stdexcept>
#include <string>

#include "protocol.hpp"
#include "sonoma/verify/inputs.hpp"
#include "transform_rows.hpp"

namespace sonoma::verification {
namespace {

// All n points of a spectrum, of which memory may have the first half of every row: real numbers
// have frequencies that are the means of a point and the conjugate of its mirror image, where
// memory has both.
std::vector<ComplexD> completed(std::span<const Complex> spectrum, const FftProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto row = static_cast<std::size_t>(problem.lengths.back());
  const bool real = problem.convolution->real, correlate = problem.convolution->correlate;
  const std::size_t stored = real ? row / 2 + 1 : row;
  const auto stride = static_cast<std::size_t>(problem.convolution->spectrum_stride);
  const auto at = [&](std::size_t k) {
    return ComplexD(spectrum[(k / row * stored + k % row) * stride]);
  };
  std::vector<ComplexD> all(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t mirror = real ? mirrored(problem, k) : k;
    const bool own = k % row < stored, others = mirror % row < stored;
    all[k] = own ? at(k) : std::conj(at(mirror));
    if (real && own && others) all[k] = (all[k] + std::conj(at(mirror))) / 2.0;
    if (correlate) all[k] = std::conj(all[k]);
  }
  return all;
}

}  // namespace

std::vector<Complex> random_spectrum(const FftProblem& problem, std::uint64_t seed) {
  std::vector<Complex> spectrum = normal_row(spectrum_points(problem), seed);
  const auto length = static_cast<std::size_t>(spectrum_length(problem));
  const bool row = problem.lengths.size() == 1 && problem.convolution->spectrum_stride == 1;
  if (!problem.convolution->real || !row) return spectrum;
  spectrum[0].imag(1e30f);
  if (problem.n() % 2 == 0) spectrum[length - 1].imag(-1e30f);
  return spectrum;
}

std::vector<ComplexD> reference_convolution(const std::vector<Complex>& x,
                                            const FftProblem& problem,
                                            const std::vector<Complex>& spectrum) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto length = static_cast<std::size_t>(
      (spectrum_length(problem) - 1) * problem.convolution->spectrum_stride + 1);
  const auto apart = static_cast<std::size_t>(problem.convolution->spectrum_dist);
  const std::size_t rows = x.size() / n;
  const bool summed = problem.channels() > 1;
  if (summed || x.size() % n != 0 || (rows > 0 && spectrum.size() < (rows - 1) * apart + length)) {
    throw std::invalid_argument("reference_convolution: " + std::to_string(spectrum.size()) +
                                " points of spectra for " + std::to_string(x.size()) +
                                " values of " + to_string(problem) +
                                (summed ? "; one channel at a time" : ""));
  }
  std::vector<ComplexD> y(x.begin(), x.end());
  if (y.empty()) return y;
  transform_rows(y, problem.lengths, problem.n(), Direction::forward);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto s = completed(std::span(spectrum).subspan(row * apart, length), problem);
    for (std::size_t k = 0; k < n; ++k) y[row * n + k] *= s[k];
  }
  transform_rows(y, problem.lengths, problem.n(), Direction::inverse);
  const double factor = static_cast<double>(static_cast<float>(problem.scale));
  for (ComplexD& value : y) value *= factor;
  return y;
}

}  // namespace sonoma::verification
