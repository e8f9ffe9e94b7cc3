// What a problem makes of rows, by each oracle.
#include <numbers>

#include "sonoma/trigonometric.hpp"
#include "sonoma/verify/reference.hpp"
#include "transform_rows.hpp"

namespace sonoma::verification {
namespace {

// What number i of n at an end is multiplied by: see FftProblem::orthogonal.
template <class Real>
Real end_factor(Domain domain, std::int64_t n, std::int64_t i, bool input) {
  const bool first = i == 0, last = i + 1 == n;
  const bool end = type_of(domain) == 1   ? !is_sine(domain) && (first || last)
                   : type_of(domain) == 2 ? !input && (is_sine(domain) ? last : first)
                   : type_of(domain) == 3 ? input && (is_sine(domain) ? last : first)
                                          : false;
  if (!end) return 1;
  return input ? std::numbers::sqrt2_v<Real> : 1 / std::numbers::sqrt2_v<Real>;
}

template <class Real>
void scale_ends(std::vector<Real>& rows, const FftProblem& problem, bool input) {
  if (!problem.orthogonal) return;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto rest = static_cast<std::int64_t>(k);
    for (std::size_t a = problem.lengths.size(); a-- > 0; rest /= problem.lengths[a]) {
      const std::int64_t n = problem.lengths[a];
      rows[k] *= end_factor<Real>(problem.domain, n, rest % n, input);
    }
  }
}

template <class Real>
std::vector<std::complex<Real>> of_complex(const std::vector<Complex>& x, const FftProblem& problem,
                                           Oracle oracle) {
  std::vector<std::complex<Real>> rows(x.begin(), x.end());
  transform_rows(rows, problem.lengths, problem.direction, oracle);
  return rows;
}

template <class Real>
std::vector<std::complex<Real>> of_numbers(const std::vector<Complex>& x, const FftProblem& problem,
                                           Oracle oracle) {
  std::vector<Real> rows;
  for (const Complex& value : x) rows.push_back(static_cast<Real>(value.real()));
  scale_ends(rows, problem, true);
  transform_rows(rows, problem.lengths, problem.domain, oracle);
  scale_ends(rows, problem, false);
  return {rows.begin(), rows.end()};
}

template <class Real>
std::vector<std::complex<Real>> reference_in(const std::vector<Complex>& x,
                                             const FftProblem& problem, Oracle oracle) {
  if (x.empty()) return {};
  require_in_reach(oracle, problem);
  const bool numbers = is_trigonometric(problem.domain);
  auto rows = (numbers ? of_numbers<Real> : of_complex<Real>)(x, problem, oracle);
  const auto factor = static_cast<Real>(static_cast<float>(problem.scale));
  for (auto& value : rows) value = {value.real() * factor, value.imag() * factor};
  return rows;
}

}  // namespace

std::vector<ComplexL> reference_in_long_double(const std::vector<Complex>& x,
                                               const FftProblem& problem, Oracle oracle) {
  return reference_in<long double>(x, problem, oracle);
}

std::vector<ComplexD> reference(const std::vector<Complex>& x, const FftProblem& problem,
                                Oracle oracle) {
  if (oracle == Oracle::fftw) {
    if (is_trigonometric(problem.domain)) return reference_in<double>(x, problem, oracle);
    return reference_dft(x, problem.lengths, problem.direction, problem.scale);
  }
  const auto rows = reference_in<long double>(x, problem, oracle);
  return {rows.begin(), rows.end()};
}

}  // namespace sonoma::verification
