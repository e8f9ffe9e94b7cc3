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

namespace {

// Of rows of n points of one channel, whose spectra are `apart` from each other.
std::vector<ComplexD> of_one_channel(std::vector<ComplexD> rows, const FftProblem& problem,
                                     std::span<const Complex> spectra) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto apart = static_cast<std::size_t>(problem.convolution->spectrum_dist);
  transform_rows(rows, problem.lengths, problem.n(), Direction::forward);
  for (std::size_t row = 0; row < rows.size() / n; ++row) {
    const auto s = completed(spectra.subspan(row * apart), problem);
    for (std::size_t k = 0; k < n; ++k) rows[row * n + k] *= s[k];
  }
  transform_rows(rows, problem.lengths, problem.n(), Direction::inverse);
  return rows;
}

// Channel c of each of the rows.
std::vector<ComplexD> signals_of(const std::vector<Complex>& x, std::size_t n, std::size_t channels,
                                 std::size_t c) {
  std::vector<ComplexD> rows(x.size() / channels);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = ComplexD(x[(i / n * channels + c) * n + i % n]);
  }
  return rows;
}

}  // namespace

std::vector<ComplexD> reference_convolution(const std::vector<Complex>& x,
                                            const FftProblem& problem,
                                            const std::vector<Complex>& spectrum) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto channels = static_cast<std::size_t>(problem.channels());
  const auto between = static_cast<std::size_t>(problem.convolution->channels.spectrum_dist);
  FftProblem all = problem;
  all.layout = {}, all.convolution->spectrum_strides.clear();
  all.batch = static_cast<std::int64_t>(x.size() / (n * channels));
  if (x.size() % (n * channels) != 0 ||
      (!x.empty() && std::ssize(spectrum) < spectrum_points(all))) {
    throw std::invalid_argument("reference_convolution: " + std::to_string(spectrum.size()) +
                                " points of spectra for " + std::to_string(x.size()) +
                                " values of " + to_string(problem));
  }
  std::vector<ComplexD> y(x.size() / channels);
  for (std::size_t c = 0; c < channels && !y.empty(); ++c) {
    const auto one = of_one_channel(signals_of(x, n, channels, c), problem,
                                    std::span(spectrum).subspan(c * between));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += one[i];
  }
  const double factor = static_cast<double>(static_cast<float>(problem.scale));
  for (ComplexD& value : y) value *= factor;
  return y;
}

}  // namespace sonoma::verification
