#include "sonoma/verify/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "protocol.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/convolution.hpp"

namespace sonoma::verification {
namespace {

// Plans ask for 16-byte alignment; std::vector gives what operator new does.
static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16);

void check_arguments(const TransformFn& transform, const FftProblem& problem,
                     const CheckOptions& options) {
  if (!transform) throw std::invalid_argument("check_transform: no transform was given");
  if (problem.lengths.empty() || problem.points() < 1) {
    throw std::invalid_argument("check_transform: " + to_string(problem) +
                                "; n must be at least 1");
  }
  if (problem.ends.has_code()) {
    throw std::invalid_argument("check_transform: " + to_string(problem) +
                                "; there is no reference for code of the caller's");
  }
  const auto& convolution = problem.convolution;
  if (convolution && (convolution->spectrum_dist != 0 ||
                      std::ssize(options.spectrum) != spectrum_points(problem))) {
    throw std::invalid_argument(
        "check_transform: " + to_string(problem) + "; one spectrum for all rows, of " +
        std::to_string(spectrum_points(problem)) + " points, not " +
        std::to_string(options.spectrum.size()) + ": CheckOptions::spectrum");
  }
  if (!std::isfinite(problem.scale) || static_cast<float>(problem.scale) == 0) {
    throw std::invalid_argument("check_transform: scale = " + std::to_string(problem.scale) +
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
  const std::size_t batch = rows.size() / in_length();
  std::vector<Complex> out(batch * length(), Complex{nan, nan});
  transform(rows.data(), out.data(), static_cast<std::int64_t>(batch));
  return out;
}

bool Subject::whole() const {
  const auto all = [&](bool input) {
    FftProblem uncut = problem;
    uncut.ends = {};
    const std::vector<Axis> axes = problem.axes(), whole = uncut.axes();
    return std::equal(axes.begin(), axes.end(), whole.begin(), [&](const Axis& a, const Axis& b) {
      return a.length(input) >= b.length(input);
    });
  };
  return all(true) && all(false) && !takes_or_makes(Storage::i16);
}

float Subject::unit() const {
  const double way = std::sqrt(static_cast<double>(n()));
  const double ways = problem.convolution ? way * way : way;
  const double gain =
      std::abs(factor()) * ways * std::sqrt(static_cast<double>(problem.channels()));
  if (takes_or_makes(Storage::i16)) {
    const double least = problem.storage == Storage::i16 ? 16 : 0x1p-20;
    return static_cast<float>(
        std::exp2(std::round(std::log2(std::clamp(4096 / gain, least, 4096.0)))));
  }
  if (!takes_or_makes(Storage::f16)) return 1;
  return static_cast<float>(std::exp2(-std::round(std::log2(gain) / 2)));
}

std::vector<Complex> Subject::stored(std::vector<Complex> rows) const {
  for (auto& v : rows) v = rounded_to(problem.storage, v);
  return rows;
}

std::vector<InputCase> Subject::table() const {
  const bool half =
      roundings.arithmetic == Arithmetic::half || roundings.arithmetic == Arithmetic::packed;
  auto cases = adversarial_inputs(in_n(), options.seed, problem.storage, half ? 11 : 24);
  // Nothing is exact about a chirp, nor, along other axes, what one axis makes of the rows.
  for (auto& c : cases) {
    const bool rounded = roundings.arithmetic == Arithmetic::packed && factor() != 1;
    const bool exact = roundings.convolution_points == 0 && !rounded &&
                       (c.gauge == Gauge::constant || problem.lengths.size() == 1);
    if (!exact && (c.gauge == Gauge::constant || c.gauge == Gauge::exact)) {
      c.gauge = Gauge::structured;
    }
  }
  return cases;
}

bool is_in_memory(const std::vector<Axis>& axes, bool input, std::int64_t t) {
  for (std::size_t a = axes.size(); a-- > 0; t /= axes[a].n) {
    if (t % axes[a].n >= axes[a].length(input)) return false;
  }
  return true;
}

std::size_t mirrored(const FftProblem& problem, std::size_t k) {
  std::size_t place = 0, stride = 1;
  for (std::size_t a = problem.lengths.size(); a-- > 0;) {
    const auto n = static_cast<std::size_t>(problem.lengths[a]);
    place += (n - k % n) % n * stride;
    k /= n, stride *= n;
  }
  return place;
}

// Of two points that mirror each other, the one that memory has.
bool leads(const FftProblem& problem, std::size_t k, std::size_t mirror) {
  const auto n = static_cast<std::size_t>(problem.lengths.back());
  return k % n != mirror % n ? k % n < mirror % n : k < mirror;
}

// Real, or Hermitian, as the input is to be.
void make_real(const FftProblem& problem, std::vector<Complex>& x) {
  const Values values = problem.values(true);
  for (std::size_t k = 0; k < x.size() && values != Values::complex; ++k) {
    const std::size_t mirror = is_real(values) ? k : mirrored(problem, k);
    if (mirror == k) x[k] = x[k].real();
    if (mirror != k && !leads(problem, k, mirror)) x[k] = std::conj(x[mirror]);
  }
}

// What padding adds is zero: of two Hermitian points of which memory has places for both, both.
void pad(const Subject& subject, std::vector<InputCase>& cases) {
  const FftProblem& problem = subject.problem;
  const std::vector<Axis> axes = problem.axes();
  const auto last = static_cast<std::size_t>(problem.lengths.back());
  const bool hermitian = problem.values(true) == Values::hermitian;
  const auto is_padding = [&](std::size_t t) {
    const bool follows = hermitian && t % last > last / 2;
    return !follows && !is_in_memory(axes, true, static_cast<std::int64_t>(t));
  };
  for (auto& c : cases) {
    for (std::size_t t = 0; t < c.x.size(); ++t) {
      const std::size_t own = t % subject.length();
      if (is_padding(own) || (hermitian && is_padding(mirrored(problem, own)))) c.x[t] = Complex{};
    }
    make_real(problem, c.x);
  }
}

// Points that are not stored follow from others, or count as right.
void complete(const Subject& subject, std::span<const ComplexD> X, std::span<Complex> y) {
  const FftProblem& problem = subject.problem;
  const std::vector<Axis> axes = problem.axes();
  const bool follow = problem.values(false) == Values::hermitian;
  const auto is_there = [&](std::size_t k) {
    return is_in_memory(axes, false, static_cast<std::int64_t>(k));
  };
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (is_there(k)) continue;
    const std::size_t from = follow ? mirrored(problem, k) : k;
    y[k] =
        is_there(from) ? std::conj(y[from]) : rounded_to(problem.result_storage(), Complex(X[k]));
  }
}

std::vector<ComplexD> Subject::expected(const std::vector<Complex>& rows) const {
  if (problem.convolution)
    return reference_convolution(rows, problem, options.spectrum, options.oracle);
  return reference(rows, problem, options.oracle);
}

// A one somewhere: what comes out is the filter itself.
std::vector<InputCase> impulses(const Subject& subject) {
  std::vector<InputCase> cases;
  for (const std::size_t at : {std::size_t{0}, subject.in_length() / 3}) {
    cases.push_back({"impulse", "the spectrum", Gauge::statistical, {}});
    cases.back().x.resize(subject.in_length());
    cases.back().x[at] = subject.unit();
  }
  return cases;
}

// Of the table what is not about a DFT.
bool is_of_any_map(Gauge gauge) {
  return gauge == Gauge::zero || gauge == Gauge::poisoned || gauge == Gauge::unbounded;
}

// Those that are left of the table where the input is real or Hermitian.
bool survives(Gauge gauge) {
  return gauge == Gauge::statistical || gauge == Gauge::structured || gauge == Gauge::adversarial ||
         gauge == Gauge::zero;
}

void check_inputs(const Subject& subject, Findings& findings) {
  const auto& options = subject.options;
  const FftProblem& problem = subject.problem;
  auto cases = random_inputs(subject.in_n(), options.random_transforms, options.seed,
                             problem.storage, subject.unit());
  if (options.adversarial && subject.whole()) {
    auto table = subject.table();
    if (subject.real()) std::erase_if(table, [](auto& c) { return !survives(c.gauge); });
    if (problem.convolution) std::erase_if(table, [](auto& c) { return !is_of_any_map(c.gauge); });
    cases.insert(cases.end(), table.begin(), table.end());
  }
  if (problem.convolution) {
    const auto ones = impulses(subject);
    cases.insert(cases.end(), ones.begin(), ones.end());
  }
  pad(subject, cases);
  const auto x = concatenate(cases);
  auto y = subject.run(x);
  auto X = subject.expected(x);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t at = i * subject.length(), in_at = i * subject.in_length();
    const auto reference = std::span(X).subspan(at, subject.length());
    make_exact(subject, cases[i], reference);
    complete(subject, reference, std::span(y).subspan(at, subject.length()));
    judge_row(subject, cases[i],
              {std::span(x).subspan(in_at, subject.in_length()),
               std::span(y).subspan(at, subject.length()), reference},
              findings);
  }
}

Report check_transform(const TransformFn& transform, const FftProblem& problem,
                       const Roundings& roundings, const CheckOptions& options) {
  check_arguments(transform, problem, options);
  FftProblem one = problem;
  one.batch = 1;
  const Limits limits = limits_of(one, roundings);
  const Subject subject{transform, one, roundings, floor_of(one, roundings), limits, options};
  Findings findings;
  check_inputs(subject, findings);
  const bool all = subject.whole() && !subject.real();
  if (options.properties && all) check_erguen(subject, findings);
  if (options.bit_exact && all) check_bit_exact(subject, findings);
  findings.raise_alarms();
  return {one, limits, findings.take()};
}

}  // namespace sonoma::verification
