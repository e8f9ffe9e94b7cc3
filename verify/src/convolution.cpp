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
template <class Real>
std::vector<std::complex<Real>> completed(std::span<const Complex> spectrum,
                                          const FftProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto row = static_cast<std::size_t>(problem.lengths.back());
  const bool real = problem.convolution->real, correlate = problem.convolution->correlate;
  const std::size_t stored = real ? row / 2 + 1 : row;
  const auto stride = static_cast<std::size_t>(problem.convolution->spectrum_stride);
  const auto at = [&](std::size_t k) {
    return std::complex<Real>(spectrum[(k / row * stored + k % row) * stride]);
  };
  std::vector<std::complex<Real>> all(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t mirror = real ? mirrored(problem, k) : k;
    const bool own = k % row < stored, others = mirror % row < stored;
    all[k] = own ? at(k) : std::conj(at(mirror));
    if (real && own && others) all[k] = (all[k] + std::conj(at(mirror))) / Real{2};
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
template <class Real>
std::vector<std::complex<Real>> of_one_channel(std::vector<std::complex<Real>> rows,
                                               const FftProblem& problem,
                                               std::span<const Complex> spectra, Oracle oracle) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto apart = static_cast<std::size_t>(problem.convolution->spectrum_dist);
  transform_rows(rows, problem.lengths, Direction::forward, oracle);
  for (std::size_t row = 0; row < rows.size() / n; ++row) {
    const auto s = completed<Real>(spectra.subspan(row * apart), problem);
    for (std::size_t k = 0; k < n; ++k) rows[row * n + k] *= s[k];
  }
  transform_rows(rows, problem.lengths, Direction::inverse, oracle);
  return rows;
}

// Channel c of each of the rows.
template <class Real>
std::vector<std::complex<Real>> signals_of(const std::vector<Complex>& x, std::size_t n,
                                           std::size_t channels, std::size_t c) {
  std::vector<std::complex<Real>> rows(x.size() / channels);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = std::complex<Real>(x[(i / n * channels + c) * n + i % n]);
  }
  return rows;
}

void require_fit(const std::vector<Complex>& x, const FftProblem& problem,
                 const std::vector<Complex>& spectrum) {
  const auto length = static_cast<std::size_t>(problem.n() * problem.channels());
  FftProblem all = problem;
  all.layout = {}, all.convolution->spectrum_strides.clear();
  all.batch = static_cast<std::int64_t>(x.size() / length);
  if (x.size() % length != 0 || (!x.empty() && std::ssize(spectrum) < spectrum_points(all))) {
    throw std::invalid_argument("reference_convolution: " + std::to_string(spectrum.size()) +
                                " points of spectra for " + std::to_string(x.size()) +
                                " values of " + to_string(problem));
  }
}

template <class Real>
std::vector<ComplexD> convolution_in(const std::vector<Complex>& x, const FftProblem& problem,
                                     const std::vector<Complex>& spectrum, Oracle oracle) {
  const auto n = static_cast<std::size_t>(problem.n());
  const auto channels = static_cast<std::size_t>(problem.channels());
  const auto between = static_cast<std::size_t>(problem.convolution->channels.spectrum_dist);
  std::vector<std::complex<Real>> y(x.size() / channels);
  for (std::size_t c = 0; c < channels && !y.empty(); ++c) {
    const auto one = of_one_channel(signals_of<Real>(x, n, channels, c), problem,
                                    std::span(spectrum).subspan(c * between), oracle);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += one[i];
  }
  const auto factor = static_cast<Real>(static_cast<float>(problem.scale));
  for (auto& value : y) value *= factor;
  return {y.begin(), y.end()};
}

}  // namespace

std::vector<ComplexD> reference_convolution(const std::vector<Complex>& x,
                                            const FftProblem& problem,
                                            const std::vector<Complex>& spectrum, Oracle oracle) {
  require_fit(x, problem, spectrum);
  require_in_reach(oracle, problem);
  const bool in_double = oracle == Oracle::fftw;
  return (in_double ? convolution_in<double> : convolution_in<long double>)(x, problem, spectrum,
                                                                            oracle);
}

}  // namespace sonoma::verification
