// The adversarial table. Each group of rows is one function that appends to the list.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "random.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::verification {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

Complex rounded(double re, double im = 0) {
  return {static_cast<float>(re), static_cast<float>(im)};
}

template <class ValueAt>  // ValueAt: t -> Complex
std::vector<Complex> row(std::int64_t n, ValueAt value_at) {
  std::vector<Complex> x;
  x.reserve(static_cast<std::size_t>(n));
  for (std::int64_t t = 0; t < n; ++t) x.push_back(value_at(t));
  return x;
}

std::vector<Complex> constant(std::int64_t n, Complex value) {
  return row(n, [&](std::int64_t) { return value; });
}

std::vector<Complex> one_hot(std::int64_t n, std::int64_t at, Complex value) {
  return row(n, [&](std::int64_t t) { return t == at ? value : Complex{}; });
}

std::vector<Complex> tone(std::int64_t n, double bin, double amplitude) {
  return row(n, [&](std::int64_t t) {
    const double angle = kTwoPi * std::fmod(bin * static_cast<double>(t), static_cast<double>(n)) /
                         static_cast<double>(n);
    return rounded(amplitude * std::cos(angle), amplitude * std::sin(angle));
  });
}

/// Normal components, scaled so that the largest component is `largest`.
std::vector<Complex> normal_with_largest(std::int64_t n, double largest, std::uint64_t seed) {
  const auto x = normal_row(n, seed);
  double top = 0;
  for (const auto& v : x) {
    top = std::max(
        {top, std::abs(static_cast<double>(v.real())), std::abs(static_cast<double>(v.imag()))});
  }
  return row(n, [&](std::int64_t t) {
    const ComplexD v = ComplexD(x[static_cast<std::size_t>(t)]) * (largest / top);
    return rounded(v.real(), v.imag());
  });
}

struct Table {
  std::int64_t n;
  std::uint64_t seed;
  std::vector<InputCase> cases;

  void add(const char* name, const char* hits, Gauge gauge, std::vector<Complex> x) {
    cases.push_back({name, hits, gauge, std::move(x)});
  }
};

void add_smooth(Table& t) {
  const auto points = static_cast<double>(t.n);
  const char* hits = "coherent truncation bias";
  Random random(t.seed + 1);
  t.add("uniform [0, 1)", hits, Gauge::statistical, row(t.n, [&](std::int64_t) {
          const double re = random.uniform(), im = random.uniform();
          return rounded(re, im);
        }));
  t.add("ramp", hits, Gauge::statistical, row(t.n, [&](std::int64_t i) {
          return rounded(static_cast<double>(i + 1) / points,
                         static_cast<double>(t.n - i) / points);
        }));
  t.add("decaying exponential", hits, Gauge::statistical, row(t.n, [&](std::int64_t i) {
          const double v = std::exp(-8 * static_cast<double>(i) / points);
          return rounded(v, v / 3);
        }));
  t.add("tone on a bin", "spurs", Gauge::statistical,
        tone(t.n, static_cast<double>(t.n / 4 + 1), 1));
  t.add("tone between bins", "spurs", Gauge::statistical,
        tone(t.n, static_cast<double>(t.n / 4) + 0.37, 1));
}

void add_impulses(Table& t) {
  const char* hits = "one column of twiddles, signs";
  t.add("impulse at 0", hits, Gauge::adversarial, one_hot(t.n, 0, {1, 0}));
  t.add("impulse at 1", hits, Gauge::adversarial, one_hot(t.n, 1, {1, 0}));
  t.add("impulse at n/2", hits, Gauge::adversarial, one_hot(t.n, t.n / 2, {0, -1}));
  t.add("impulse at n-1", hits, Gauge::adversarial, one_hot(t.n, t.n - 1, {-1, 1}));
}

void add_exact(Table& t) {
  t.add("constant 1", "symmetry of the DFT matrices", Gauge::constant, constant(t.n, {1, 0}));
  t.add("constant -2^-20 i", "symmetry of the DFT matrices", Gauge::constant,
        constant(t.n, {0, -0x1p-20f}));
  if (t.n <= 4) {  // all twiddles are 1, -1, i or -i: nothing needs rounding
    // 11 bits, and a rest of 12 that is odd: two FP16 halves miss its last bit.
    const Complex value{0x1p23f + 0x801p0f, -0x1p23f - 0x2bffp0f};
    t.add("one 24-bit integer", "a dropped last bit", Gauge::exact, one_hot(t.n, t.n - 1, value));
  }
  t.add("all zero", "scale = Inf, 0 * Inf", Gauge::zero, constant(t.n, {}));
  t.add("-0.0", "signs, scale of a zero", Gauge::zero, constant(t.n, {-0.0f, -0.0f}));
}

void add_mixed_magnitudes(Table& t) {
  const char* shared = "a scale shared by several transforms";
  t.add("normal * 1e-10", shared, Gauge::statistical, normal_with_largest(t.n, 1e-10, t.seed + 2));
  t.add("normal * 1e-30", shared, Gauge::statistical, normal_with_largest(t.n, 1e-30, t.seed + 3));
  t.add("normal * 1e10", shared, Gauge::statistical, normal_with_largest(t.n, 1e10, t.seed + 4));
  Random random(t.seed + 5);
  t.add("1, 1e-10, 1e-30 within", "alignment truncation", Gauge::adversarial,
        row(t.n, [&](std::int64_t i) {
          const double size[] = {1, 1e-10, 1e-30};
          const double re = random.normal(), im = random.normal();
          return rounded(re * size[i % 3], im * size[i % 3]);
        }));
  t.add("spike over 1e-6", "alignment truncation", Gauge::adversarial,
        row(t.n, [&](std::int64_t i) {
          const double re = 1e-6 * random.normal(), im = 1e-6 * random.normal();
          return i == t.n / 3 ? rounded(1 + re, im) : rounded(re, im);
        }));
  t.add("log-uniform, 30 decades", "alignment truncation", Gauge::adversarial,
        row(t.n, [&](std::int64_t) {
          const double re = random.sign() * std::pow(10, -30 * random.uniform());
          const double im = random.sign() * std::pow(10, -30 * random.uniform());
          return rounded(re, im);
        }));
}

void add_tiny(Table& t) {
  const char* hits = "scale overflow, flush to zero";
  const std::pair<const char*, double> magnitudes[] = {
      {"max = 2^-113", 0x1p-113}, {"max = 1e-35", 1e-35}, {"max = 1e-37", 1e-37},
      {"max = 1e-38", 1e-38},     {"max = 1e-40", 1e-40}, {"max = 1e-44", 1e-44}};
  std::uint64_t seed = t.seed + 10;
  for (const auto& [name, largest] : magnitudes) {
    t.add(name, hits, Gauge::statistical, normal_with_largest(t.n, largest, ++seed));
  }
}

void add_huge(Table& t) {
  const auto points = static_cast<double>(t.n);
  const double amplitude = 3e38 / points;  // sum|x| = 3e38 < FLT_MAX: the output must be finite
  Random random(t.seed + 20);
  t.add("3e38/n, random phase", "order of unscaling", Gauge::statistical,
        row(t.n, [&](std::int64_t) {
          const double phase = kTwoPi * random.uniform();
          return rounded(amplitude * std::cos(phase), amplitude * std::sin(phase));
        }));
  t.add("3e38/n, coherent at 45 degrees", "|re| + |im| before a product with sqrt(1/2)",
        Gauge::adversarial,
        constant(t.n, rounded(amplitude * std::sqrt(0.5), amplitude * std::sqrt(0.5))));
  t.add("3e38/n, tone at n/8", "|re| + |im| before a product with sqrt(1/2)", Gauge::adversarial,
        tone(t.n, static_cast<double>(t.n / 8), amplitude));
  t.add("3e38 one-hot", "order of unscaling", Gauge::adversarial,
        one_hot(t.n, t.n / 2, {3e38f, 0}));
  t.add("3e38 one-hot at 45 degrees", "|re| + |im| before a product with sqrt(1/2)",
        Gauge::adversarial, one_hot(t.n, t.n - 1, rounded(2.1e38, 2.1e38)));
  t.add("constant 3e38", "overflow that leaks", Gauge::unbounded, constant(t.n, {3e38f, 3e38f}));
  const double ones = 2 - 0x1p-23;
  t.add("mantissas of ones", "hi rounds to 65536", Gauge::adversarial, row(t.n, [&](std::int64_t) {
          const double re = random.sign() * ones, im = random.sign() * ones;
          return rounded(re, im);
        }));
}

void add_poison(Table& t) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto with = [&](std::int64_t at, Complex value) {
    auto x = normal_row(t.n, t.seed + 30);
    x[static_cast<std::size_t>(at)] = value;
    return x;
  };
  t.add("NaN in one row", "contamination", Gauge::poisoned, with(t.n / 2, {nan, 1}));
  t.add("Inf in one row", "contamination", Gauge::poisoned, with(t.n - 1, {1, infinity}));
  t.add("-Inf in one row", "contamination", Gauge::poisoned, with(0, {-infinity, 0}));
}

}  // namespace

std::vector<InputCase> adversarial_inputs(std::int64_t n, std::uint64_t seed) {
  if (n < 2)
    throw std::invalid_argument("adversarial_inputs: n = " + std::to_string(n) + " is below 2");
  Table table{n, seed * 1000003, {}};
  add_smooth(table);
  add_poison(table);  // not last: its neighbours on both sides are checked
  add_impulses(table);
  add_exact(table);
  add_mixed_magnitudes(table);
  add_tiny(table);
  add_huge(table);
  return table.cases;
}

}  // namespace sonoma::verification
