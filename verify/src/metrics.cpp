#include "sonoma/verify/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sonoma/error_limit.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma::verification {
namespace {

// (error - floor) / size in u; nothing is allowed where there is nothing to be relative to.
double in_u(double error, double floor, double size) {
  const double rest = std::max(0.0, error - floor);
  if (rest == 0) return 0;
  return size > 0 ? rest / size / kUnitRoundoff : std::numeric_limits<double>::infinity();
}

// Infinity is one of the values that f16 and bf16 round to.
bool all_finite(std::span<const Complex> y, Storage storage) {
  const auto good = [&](float v) {
    return storage == Storage::f32 ? std::isfinite(v) : !std::isnan(v);
  };
  return std::all_of(y.begin(), y.end(),
                     [&](const Complex& v) { return good(v.real()) && good(v.imag()); });
}

Metrics not_finite() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {.e2 = infinity,
          .einf = infinity,
          .adversarial = infinity,
          .bias = 0,
          .stored_e2 = infinity,
          .finite = false};
}

// The reals that round to `magnitude` >= 0.
struct Interval {
  double low, high;
};

Interval rounding_interval(const StorageFormat& format, double magnitude) {
  if (std::isinf(magnitude)) return {format.overflow, magnitude};
  if (magnitude < format.smallest) {
    return {magnitude - format.quantum / 2, magnitude + format.quantum / 2};
  }
  const double power = std::exp2(std::ilogb(magnitude)), half_unit = power * format.unit_roundoff;
  const bool finer_below = magnitude == power && power > format.smallest;
  return {magnitude - (finer_below ? half_unit / 2 : half_unit), magnitude + half_unit};
}

// The reals that round to the integer y: at either end of the range all beyond it do.
Interval integer_interval(double y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {y <= -32768 ? -infinity : y - 0.5, y >= 32767 ? infinity : y + 0.5};
}

double outside(const Interval& share, double exact) {
  if (exact < share.low) return share.low - exact;
  return exact > share.high ? share.high - exact : 0;
}

// Of one component; 0 for the infinity that stands for a value beyond the range.
double stored_error(Storage storage, float y, double X) {
  const bool beyond = std::abs(X) >= format_of(storage).overflow;
  if (std::isinf(y) && beyond && std::signbit(y) == std::signbit(X)) return 0;
  return static_cast<double>(y) - X;
}

// Levels of an FFT; a single point is rounded too, with the factor.
double levels_of(std::int64_t n) { return std::max(1.0, std::log2(static_cast<double>(n))); }

// Of points between passes: half a quantum q = 2^-136 in either part, sqrt(1/2) q together, and the
// passes that follow.
Floor boundary_floor(const FftProblem& problem, const Roundings& roundings) {
  const double s = std::abs(static_cast<double>(static_cast<float>(problem.scale)));
  const double error = s * std::sqrt(0.5) * 0x1p-136;
  const auto n = static_cast<double>(problem.n());
  Floor floor;
  for (const std::int64_t points : roundings.behind_boundaries) {
    const auto behind = static_cast<double>(points);
    floor.l2 += error * std::sqrt(n * behind);
    floor.max += error * behind;
  }
  return floor;
}

Floor convolution_floor(std::int64_t n, double scale, std::int64_t padded) {
  constexpr double quantum = 0x1p-149;
  const double s = std::max(1.0, std::abs(static_cast<double>(static_cast<float>(scale))));
  const double points = static_cast<double>(n), m = static_cast<double>(padded);
  const double gain = 2.5 * std::sqrt(points / m);  // max|B| / sqrt(m)
  const double transform = subnormal_floor(padded, 1).l2;
  const double l2 = s * (std::sqrt(2.0) * quantum * (points + m + 2 * std::sqrt(points)) +
                         (gain + 1) * transform);
  return {.l2 = l2, .max = l2};
}

}  // namespace

double error_beyond_rounding(Storage storage, float y, double X) {
  const auto value = static_cast<double>(y);
  if (storage == Storage::f32) return value - X;
  if (!(rounded_to(storage, y) == y)) return std::numeric_limits<double>::infinity();
  if (storage == Storage::i16) return outside(integer_interval(value), X);
  const double sign = std::signbit(y) ? -1 : 1;
  return sign * outside(rounding_interval(format_of(storage), std::abs(value)), sign * X);
}

ComplexD error_beyond_rounding(Storage storage, Complex y, ComplexD X) {
  return {error_beyond_rounding(storage, y.real(), X.real()),
          error_beyond_rounding(storage, y.imag(), X.imag())};
}

Metrics measure(std::span<const Complex> x, std::span<const Complex> y, std::span<const ComplexD> X,
                double scale, Storage storage, std::optional<Floor> lowest) {
  const bool signals = !y.empty() && x.size() % y.size() == 0;  // of one or several channels
  if (y.size() != X.size() || (!signals && x.size() != y.size())) {
    throw std::invalid_argument("measure: input, output and reference differ in length");
  }
  if (!all_finite(y, storage)) return not_finite();
  double error2 = 0, error_max = 0, size2 = 0, size_max = 0, input_sum = 0, bias = 0, stored2 = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const ComplexD e = error_beyond_rounding(storage, y[k], X[k]);
    error2 += std::norm(e);
    error_max = std::max(error_max, std::abs(e));
    size2 += std::norm(X[k]);
    size_max = std::max(size_max, std::abs(X[k]));
    bias += e.real() * X[k].real() + e.imag() * X[k].imag();
    stored2 += std::norm(ComplexD(stored_error(storage, y[k].real(), X[k].real()),
                                  stored_error(storage, y[k].imag(), X[k].imag())));
  }
  for (const Complex& value : x) input_sum += std::abs(ComplexD(value));
  const double factor = std::abs(static_cast<double>(static_cast<float>(scale)));
  if (!lowest) lowest = subnormal_floor(static_cast<std::int64_t>(y.size()), scale);
  const Floor floor = input_sum > 0 ? *lowest : Floor{};
  return {.e2 = in_u(std::sqrt(error2), floor.l2, std::sqrt(size2)),
          .einf = in_u(error_max, floor.max, size_max),
          .adversarial = in_u(error_max, floor.max, input_sum * factor),
          .bias = size2 > 0 ? bias / size2 / kUnitRoundoff : 0,
          .stored_e2 = in_u(std::sqrt(stored2), floor.l2, std::sqrt(size2)),
          .finite = true};
}

double e2_limit(std::int64_t n) { return 1.5 * std::sqrt(levels_of(n)); }

double largest_factor(const FftProblem& problem) {
  const auto axes = static_cast<double>(problem.lengths.size());
  return is_trigonometric(problem.domain) ? std::exp2(axes) : 1;
}

Limits limits_of(const FftProblem& problem, const Roundings& roundings) {
  constexpr double v = 0x1p-11 / kUnitRoundoff;
  const double e2 = error_limit_unrounded(problem, roundings) / kUnitRoundoff;
  const double data = roundings.half_data, matrices = roundings.half_matrices;
  const auto boundaries = static_cast<double>(roundings.behind_boundaries.size());
  const double between = std::sqrt(2.0) * v * boundaries;
  const double levels = levels_of(problem, roundings);
  const double unit = roundings.unit_roundoff() / kUnitRoundoff;
  Roundings all = roundings;
  all.spared_levels = 0;
  const double gain = largest_factor(problem);
  return {
      .stored_e2 = error_limit(problem, roundings) / kUnitRoundoff,
      .e2 = e2,
      .einf = 2 * e2,
      .structured_e2 = 1.5 * unit * std::sqrt(levels) + v * (data + matrices / 3) + between,
      .adversarial = gain * (2 * unit * levels_of(problem, all) + v * (data + matrices) + between)};
}

Floor floor_of(const FftProblem& problem, const Roundings& roundings) {
  if (roundings.arithmetic == Arithmetic::packed) {
    return subnormal_floor(problem.n(), problem.scale, 0, format_of(Storage::f16).quantum);
  }
  const Floor steps = subnormal_floor(problem.n(), problem.scale,
                                      roundings.convolution_points * roundings.direct_points);
  const Floor between = boundary_floor(problem, roundings);
  return {.l2 = steps.l2 + between.l2, .max = steps.max + between.max};
}

Floor subnormal_floor(std::int64_t n, double scale, std::int64_t padded, double quantum) {
  if (padded != 0) return convolution_floor(n, scale, padded);
  const double s = std::max(1.0, std::abs(static_cast<double>(static_cast<float>(scale))));
  const double points = static_cast<double>(n), root2 = std::sqrt(2.0);
  return {.l2 = quantum * (s * std::sqrt(2 * points) * (std::sqrt(points) - 1) / (root2 - 1) +
                           std::sqrt(points / 2)),
          .max = quantum * (s * root2 * (points - 1) + 1 / root2)};
}

}  // namespace sonoma::verification
