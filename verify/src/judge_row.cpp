// What one row of a result is held against.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "protocol.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::verification {
namespace {

// With a factor, the contract "finite if sum|x| <= FLT_MAX" can only hold for |factor| sum|x|; the
// numbers of a cosine or sine transform have one of their own. Of FP16 throughout it is 65504.
Gauge gauge_of(const InputCase& input, const Subject& subject) {
  const bool packed = subject.roundings.arithmetic == Arithmetic::packed;
  const bool bounded = input.gauge == Gauge::statistical || input.gauge == Gauge::structured ||
                       input.gauge == Gauge::adversarial ||
                       (packed && input.gauge == Gauge::constant);
  if (!bounded) return input.gauge;
  const double factor = std::max(1.0, std::abs(subject.factor()));
  const double most = sum_of_moduli(input.x) * largest_factor(subject.problem) * factor;
  const double largest = packed ? format_of(Storage::f16).largest : static_cast<double>(FLT_MAX);
  return most > largest ? Gauge::unbounded : input.gauge;
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

void judge_errors(const Subject& subject, const InputCase& input, const Row& row, Gauge gauge,
                  Findings& findings) {
  const Storage storage = subject.problem.result_storage();
  const Metrics m = measure(row.x, row.y, row.X, subject.problem.scale, storage, subject.floor);
  const std::string note = m.finite ? "" : "output is not finite";
  const std::string unrounded = storage == Storage::f32 ? "" : " unrounded";
  const auto judge = [&](const std::string& metric, double value, double limit) {
    findings.judge(input.name, metric + unrounded, value, limit, note);
  };
  const Limits& limits = subject.limits;
  if (gauge == Gauge::statistical) {
    judge("E2", m.e2, limits.e2);
    judge("Einf", m.einf, limits.einf);
  }
  if (gauge == Gauge::structured) {
    judge("E2", m.e2, limits.structured_e2);
    // Beside one large output, errors of `half` are large for the others, in which einf looks.
    if (subject.roundings.arithmetic != Arithmetic::half) judge("Einf", m.einf, limits.einf);
  }
  if (gauge != Gauge::adversarial) {
    findings.tell(input.name, "bias", m.bias);
    if (input.hits == "spurs") findings.tell(input.name, "spur", spur(row));
  }
  if (!subject.problem.convolution) judge("max|e|/|x|_1", m.adversarial, limits.adversarial);
  if (is_half(storage) && input.name == "normal") {
    findings.judge(input.name, "E2", m.stored_e2, limits.stored_e2, note);
  }
}

// Elements of y that are not X rounded to the storage.
double wrong_elements(const Subject& subject, const Row& row) {
  double wrong = 0;
  for (std::size_t k = 0; k < row.y.size(); ++k) {
    wrong += row.y[k] != rounded_to(subject.problem.result_storage(), Complex(row.X[k])) ? 1 : 0;
  }
  return wrong;
}

double finite_elements(const Row& row) {
  double finite = 0;
  for (const auto& v : row.y) finite += std::isfinite(v.real()) && std::isfinite(v.imag()) ? 1 : 0;
  return finite;
}

}  // namespace

double sum_of_moduli(const std::vector<Complex>& x) {
  double sum = 0;
  for (const auto& v : x) sum += std::abs(ComplexD(v));
  return sum;
}

void judge_row(const Subject& subject, const InputCase& input, const Row& row, Findings& findings) {
  const auto judge_elements = [&](const char* note) {
    findings.judge(input.name, "wrong elements", wrong_elements(subject, row), 0, note);
  };
  switch (const Gauge gauge = gauge_of(input, subject)) {
    case Gauge::statistical:
    case Gauge::structured:
    case Gauge::adversarial:
      return judge_errors(subject, input, row, gauge, findings);
    case Gauge::constant:
      return judge_elements("X[0] = n c scale, rounded, all others exactly zero");
    case Gauge::exact:
      return judge_elements("no twiddle and no sum needs rounding");
    case Gauge::zero:
      return judge_elements("zeros in, zeros out");
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
  const double gain = static_cast<double>(subject.n()) * subject.factor();
  X[0] = {gain * static_cast<double>(input.x[0].real()),
          gain * static_cast<double>(input.x[0].imag())};
}

}  // namespace sonoma::verification
