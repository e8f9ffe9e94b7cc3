#include "poisson.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sonoma/device_buffer.hpp"

namespace examples {
namespace {

sonoma::FftProblem sine_transform(std::size_t axes, std::size_t n) {
  sonoma::FftProblem problem;
  problem.domain = sonoma::Domain::dst1;
  problem.lengths.assign(axes, static_cast<std::int64_t>(n));
  problem.placement = sonoma::Placement::in_place;
  return problem;
}

sonoma::PlanOptions on(sonoma::Device device) {
  sonoma::PlanOptions options;
  options.device = device;
  return options;
}

// Calls visit(index, indices along the axes) for every point.
template <class Visit>
void for_each_point(std::size_t axes, std::size_t n, const Visit& visit) {
  std::vector<std::size_t> at(axes);
  std::size_t count = 1;
  for (std::size_t a = 0; a < axes; ++a) count *= n;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (std::size_t a = axes; a-- > 0; rest /= n) at[a] = rest % n;
    visit(i, at);
  }
}

// Of one axis: s (1 - s) exp(a s), and its second derivative.
constexpr double slopes[] = {1, -2, 1.5};
double bump(double s, double a) { return s * (1 - s) * std::exp(a * s); }
double bent(double s, double a) {
  return (-2 + 2 * a * (1 - 2 * s) + a * a * s * (1 - s)) * std::exp(a * s);
}

}  // namespace

PoissonSolver::PoissonSolver(std::size_t axes, std::size_t n, sonoma::Device device)
    : axes_(axes), n_(n), plan_(sonoma::make_plan(sine_transform(axes, n), on(device))) {}

std::vector<float> PoissonSolver::solve(std::vector<float> f) const {
  const auto points = static_cast<double>(n_ + 1);
  std::vector<double> eigenvalue(n_);
  for (std::size_t k = 0; k < n_; ++k) {
    const double sine = std::sin(std::numbers::pi * static_cast<double>(k + 1) / (2 * points));
    eigenvalue[k] = 4 * points * points * sine * sine;  // 2 (1 - cos) / h^2
  }
  const double gain = std::pow(2 * points, axes_);  // of both transforms
  const std::size_t bytes = f.size() * sizeof f[0];
  sonoma::DeviceBuffer buffer(plan_.device(), bytes);
  buffer.upload(f.data(), bytes);
  plan_.execute(buffer.data(), buffer.data());
  buffer.download(f.data(), bytes);
  for_each_point(axes_, n_, [&](std::size_t i, const std::vector<std::size_t>& k) {
    double sum = 0;
    for (const std::size_t index : k) sum += eigenvalue[index];
    f[i] = static_cast<float>(static_cast<double>(f[i]) / (sum * gain));
  });
  buffer.upload(f.data(), bytes);
  plan_.execute(buffer.data(), buffer.data());
  buffer.download(f.data(), bytes);
  return f;
}

std::vector<double> sampled(const Field& field, std::size_t axes, std::size_t n) {
  std::vector<double> values, at(axes);
  for_each_point(axes, n, [&](std::size_t, const std::vector<std::size_t>& index) {
    for (std::size_t a = 0; a < axes; ++a) {
      at[a] = static_cast<double>(index[a] + 1) / static_cast<double>(n + 1);
    }
    values.push_back(field(at));
  });
  return values;
}

double exact_solution(std::span<const double> at) {
  double product = 1;
  for (std::size_t a = 0; a < at.size(); ++a) product *= bump(at[a], slopes[a]);
  return product;
}

double right_side(std::span<const double> at) {
  double sum = 0;
  for (std::size_t a = 0; a < at.size(); ++a) {
    double product = -bent(at[a], slopes[a]);
    for (std::size_t b = 0; b < at.size(); ++b) product *= b == a ? 1 : bump(at[b], slopes[b]);
    sum += product;
  }
  return sum;
}

double relative_error(const PoissonSolver& solver, std::size_t axes, std::size_t n) {
  const std::vector<double> f = sampled(right_side, axes, n), u = sampled(exact_solution, axes, n);
  const std::vector<float> found = solver.solve({f.begin(), f.end()});
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    error = std::max(error, std::abs(static_cast<double>(found[i]) - u[i]));
    largest = std::max(largest, std::abs(u[i]));
  }
  return error / largest;
}

}  // namespace examples
