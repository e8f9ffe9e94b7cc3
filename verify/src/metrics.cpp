#include "sonoma/verify/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace sonoma::verification {
namespace {

// (error - floor) / size in u; nothing is allowed where there is nothing to be relative to.
double in_u(double error, double floor, double size) {
  const double rest = std::max(0.0, error - floor);
  if (rest == 0) return 0;
  return size > 0 ? rest / size / kUnitRoundoff : std::numeric_limits<double>::infinity();
}

bool all_finite(std::span<const Complex> y) {
  return std::all_of(y.begin(), y.end(), [](const Complex& v) {
    return std::isfinite(v.real()) && std::isfinite(v.imag());
  });
}

Metrics not_finite() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {.e2 = infinity, .einf = infinity, .adversarial = infinity, .bias = 0, .finite = false};
}

double log2_of(std::int64_t n) { return std::log2(static_cast<double>(n)); }

}  // namespace

Metrics measure(std::span<const Complex> x, std::span<const Complex> y, std::span<const ComplexD> X,
                double scale) {
  if (x.size() != y.size() || x.size() != X.size()) {
    throw std::invalid_argument("measure: input, output and reference differ in length");
  }
  if (!all_finite(y)) return not_finite();
  double error2 = 0, error_max = 0, size2 = 0, size_max = 0, input_sum = 0, bias = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const ComplexD e = ComplexD(y[k]) - X[k];
    error2 += std::norm(e);
    error_max = std::max(error_max, std::abs(e));
    size2 += std::norm(X[k]);
    size_max = std::max(size_max, std::abs(X[k]));
    bias += e.real() * X[k].real() + e.imag() * X[k].imag();
    input_sum += std::abs(ComplexD(x[k]));
  }
  const double factor = std::abs(static_cast<double>(static_cast<float>(scale)));
  const Floor floor =
      input_sum > 0 ? subnormal_floor(static_cast<std::int64_t>(x.size()), scale) : Floor{};
  return {.e2 = in_u(std::sqrt(error2), floor.l2, std::sqrt(size2)),
          .einf = in_u(error_max, floor.max, size_max),
          .adversarial = in_u(error_max, floor.max, input_sum * factor),
          .bias = size2 > 0 ? bias / size2 / kUnitRoundoff : 0,
          .finite = true};
}

double e2_limit(std::int64_t n) { return 1.5 * std::sqrt(log2_of(n)); }
double e2_alarm(std::int64_t n) { return 1.1 * std::sqrt(log2_of(n)); }
double einf_limit(std::int64_t n) { return 3.0 * std::sqrt(log2_of(n)); }
double adversarial_limit(std::int64_t n) { return 2.0 * log2_of(n); }

Floor subnormal_floor(std::int64_t n, double scale) {
  constexpr double quantum = 0x1p-149;
  const double s = std::max(1.0, std::abs(static_cast<double>(static_cast<float>(scale))));
  const double points = static_cast<double>(n), root2 = std::sqrt(2.0);
  return {.l2 = quantum * (s * std::sqrt(2 * points) * (std::sqrt(points) - 1) / (root2 - 1) +
                           std::sqrt(points / 2)),
          .max = quantum * (s * root2 * (points - 1) + 1 / root2)};
}

}  // namespace sonoma::verification
