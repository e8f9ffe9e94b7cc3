// Cosine and sine transforms in double precision, by FFTW's real-to-real ones.
#include <algorithm>
#include <mutex>
#include <numbers>
#include <stdexcept>

#include "fftw.hpp"
#include "sonoma/trigonometric.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {
namespace {

// FFTW_REDFT00, 10, 01 and 11, then FFTW_RODFT00, 10, 01 and 11.
int kind_of(Domain domain) {
  static constexpr int kinds[] = {3, 5, 4, 6, 7, 9, 8, 10};
  return kinds[static_cast<int>(domain) - static_cast<int>(Domain::dct1)];
}

void transform_rows(std::vector<double>& rows, const FftProblem& problem) {
  const std::vector<int> shape(problem.lengths.begin(), problem.lengths.end());
  const std::vector<int> kinds(shape.size(), kind_of(problem.domain));
  const auto length = static_cast<int>(problem.points());
  const auto batch = static_cast<int>(rows.size() / static_cast<std::size_t>(length));
  FftwPlan plan;
  {
    const std::lock_guard lock(planner_mutex());
    plan.reset(fftw().plan_many_r2r(static_cast<int>(shape.size()), shape.data(), batch,
                                    rows.data(), nullptr, 1, length, rows.data(), nullptr, 1,
                                    length, kinds.data(), Fftw::estimate));
  }
  if (!plan) throw std::invalid_argument("reference: FFTW has no plan for " + to_string(problem));
  fftw().execute(plan.get());
}

// What number i of n at an end is multiplied by: see FftProblem::orthogonal.
double end_factor(Domain domain, std::int64_t n, std::int64_t i, bool input) {
  const bool first = i == 0, last = i + 1 == n;
  const bool end = type_of(domain) == 1   ? !is_sine(domain) && (first || last)
                   : type_of(domain) == 2 ? !input && (is_sine(domain) ? last : first)
                   : type_of(domain) == 3 ? input && (is_sine(domain) ? last : first)
                                          : false;
  if (!end) return 1;
  return input ? std::numbers::sqrt2 : 1 / std::numbers::sqrt2;
}

void scale_ends(std::vector<double>& rows, const FftProblem& problem, bool input) {
  if (!problem.orthogonal) return;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto rest = static_cast<std::int64_t>(k);
    for (std::size_t a = problem.lengths.size(); a-- > 0; rest /= problem.lengths[a]) {
      const std::int64_t n = problem.lengths[a];
      rows[k] *= end_factor(problem.domain, n, rest % n, input);
    }
  }
}

}  // namespace

std::vector<ComplexD> reference(const std::vector<Complex>& x, const FftProblem& problem) {
  if (!is_trigonometric(problem.domain)) {
    return reference_dft(x, problem.lengths, problem.direction, problem.scale);
  }
  std::vector<double> rows;
  for (const Complex& value : x) rows.push_back(static_cast<double>(value.real()));
  scale_ends(rows, problem, true);
  transform_rows(rows, problem);
  scale_ends(rows, problem, false);
  const auto factor = static_cast<double>(static_cast<float>(problem.scale));
  std::vector<ComplexD> result;
  for (const double value : rows) result.emplace_back(value * factor);
  return result;
}

}  // namespace sonoma::verification
