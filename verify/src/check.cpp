#include "sonoma/verify/check.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "protocol.hpp"

namespace sonoma::verification {
namespace {

// Plans ask for 16-byte alignment; std::vector gives what operator new does.
static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16);

struct Row {
  std::span<const Complex> x, y;
  std::span<const ComplexD> X;
};

// With a factor, the contract "finite if sum|x| <= FLT_MAX" can only hold for |factor| sum|x|.
Gauge gauge_of(const InputCase& input, double factor) {
  if (input.gauge != Gauge::statistical && input.gauge != Gauge::adversarial) return input.gauge;
  double sum = 0;
  for (const auto& v : input.x) sum += std::abs(ComplexD(v));
  return sum * std::max(1.0, std::abs(factor)) > static_cast<double>(FLT_MAX) ? Gauge::unbounded
                                                                              : input.gauge;
}

// Largest error away from the largest output, relative to it, in u (1u = -144.5 dBc).
double spur(const Row& row) {
  double carrier = 0, error = 0;
  for (const auto& v : row.X) carrier = std::max(carrier, std::abs(v));
  for (std::size_t k = 0; k < row.X.size(); ++k) {
    const bool peak = std::abs(row.X[k]) > carrier / 2;
    if (!peak) error = std::max(error, std::abs(ComplexD(row.y[k]) - row.X[k]));
  }
  return error / carrier / kUnitRoundoff;
}

void judge_errors(const Subject& subject, const InputCase& input, const Row& row, bool statistical,
                  Findings& findings) {
  const Metrics m = measure(row.x, row.y, row.X, subject.options.scale);
  const std::string note = m.finite ? "" : "output is not finite";
  if (statistical) {
    findings.judge(input.name, "E2", m.e2, e2_limit(subject.n), note);
    findings.judge(input.name, "Einf", m.einf, einf_limit(subject.n), note);
    findings.tell(input.name, "bias", m.bias);
    if (input.hits == "spurs") findings.tell(input.name, "spur", spur(row));
  }
  findings.judge(input.name, "max|e|/|x|_1", m.adversarial, adversarial_limit(subject.n), note);
}

// Elements of y that are not X rounded to FP32.
double wrong_elements(const Row& row) {
  double wrong = 0;
  for (std::size_t k = 0; k < row.y.size(); ++k) wrong += row.y[k] != Complex(row.X[k]) ? 1 : 0;
  return wrong;
}

double finite_elements(const Row& row) {
  double finite = 0;
  for (const auto& v : row.y) finite += std::isfinite(v.real()) && std::isfinite(v.imag()) ? 1 : 0;
  return finite;
}

void judge_row(const Subject& subject, const InputCase& input, const Row& row, Findings& findings) {
  switch (gauge_of(input, subject.factor())) {
    case Gauge::statistical:
      return judge_errors(subject, input, row, true, findings);
    case Gauge::adversarial:
      return judge_errors(subject, input, row, false, findings);
    case Gauge::constant:
      return findings.judge(input.name, "wrong elements", wrong_elements(row), 0,
                            "X[0] = float(n c scale), all others exactly zero");
    case Gauge::exact:
      return findings.judge(input.name, "wrong elements", wrong_elements(row), 0,
                            "no twiddle and no sum needs rounding");
    case Gauge::zero:
      return findings.judge(input.name, "wrong elements", wrong_elements(row), 0,
                            "zeros in, zeros out");
    case Gauge::poisoned:
      return findings.judge(input.name, "finite elements", finite_elements(row), 0,
                            "a non-finite input reaches every output of its transform");
    case Gauge::unbounded:
      return;  // only its neighbours are judged, in check_containment
  }
}

// FFTW's constant rows may be off by rounding; theirs are known exactly.
void make_exact(const Subject& subject, const InputCase& input, std::span<ComplexD> X) {
  if (input.gauge != Gauge::constant && input.gauge != Gauge::zero) return;
  std::fill(X.begin(), X.end(), ComplexD{});
  if (input.gauge == Gauge::zero) return;
  const double gain = static_cast<double>(subject.n) * subject.factor();
  X[0] = {gain * static_cast<double>(input.x[0].real()),
          gain * static_cast<double>(input.x[0].imag())};
}

void validate(const TransformFn& transform, std::int64_t n, const CheckOptions& options) {
  if (!transform) throw std::invalid_argument("check_transform: no transform was given");
  if (n < 2 || !std::has_single_bit(static_cast<std::uint64_t>(n))) {
    throw std::invalid_argument("check_transform: n = " + std::to_string(n) +
                                "; a power of two, at least 2, is needed");
  }
  if (!std::isfinite(options.scale) || static_cast<float>(options.scale) == 0) {
    throw std::invalid_argument("check_transform: scale = " + std::to_string(options.scale) +
                                "; it must be finite and not zero");
  }
  if (options.random_transforms < 1) {
    throw std::invalid_argument(
        "check_transform: random_transforms = " + std::to_string(options.random_transforms) +
        "; at least 1 is needed");
  }
}

}  // namespace

std::vector<Complex> Subject::run(const std::vector<Complex>& rows) const {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<Complex> out(rows.size(), Complex{nan, nan});
  transform(rows.data(), out.data(), static_cast<std::int64_t>(rows.size() / length()));
  return out;
}

void check_inputs(const Subject& subject, Findings& findings) {
  const auto& options = subject.options;
  auto cases = random_inputs(subject.n, options.random_transforms, options.seed);
  if (options.adversarial) {
    const auto table = adversarial_inputs(subject.n, options.seed);
    cases.insert(cases.end(), table.begin(), table.end());
  }
  const auto x = concatenate(cases);
  const auto y = subject.run(x);
  auto X = reference_dft(x, subject.n, subject.direction, options.scale);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t at = i * subject.length();
    const auto reference = std::span(X).subspan(at, subject.length());
    make_exact(subject, cases[i], reference);
    judge_row(subject, cases[i],
              {std::span(x).subspan(at, subject.length()),
               std::span(y).subspan(at, subject.length()), reference},
              findings);
  }
}

Report check_transform(const TransformFn& transform, std::int64_t n, Direction direction,
                       const CheckOptions& options) {
  validate(transform, n, options);
  const Subject subject{transform, n, direction, options};
  Findings findings;
  check_inputs(subject, findings);
  if (options.properties) check_erguen(subject, findings);
  if (options.bit_exact) check_bit_exact(subject, findings);
  findings.alarm_above(e2_alarm(n));
  return {n, direction, options.scale, findings.take()};
}

}  // namespace sonoma::verification
