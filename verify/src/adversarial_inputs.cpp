// The adversarial table. Each group of rows is one function that appends to the list.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "random.hpp"
#include "sonoma/storage.hpp"
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
  return row(n, [&](std::int64_t t) { return t == at % n ? value : Complex{}; });
}

// At `bin` + `beside`.
std::vector<Complex> tone(std::int64_t n, std::int64_t bin, double amplitude, double beside = 0) {
  const double frequency = static_cast<double>(bin) + beside;
  return row(n, [&](std::int64_t t) {
    const double angle = kTwoPi *
                         std::fmod(frequency * static_cast<double>(t), static_cast<double>(n)) /
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

struct Magnitude {
  const char* name;
  double value;
};

// Where a storage is narrow: f32 and bf16 share their exponents, but not their subnormals.
struct Magnitudes {
  std::array<Magnitude, 3> others;  // of transforms beside each other
  std::array<Magnitude, 3> within;  // of points beside each other; the largest is 1
  Magnitude under_spike;
  Magnitude smallest;                // of log-uniform points up to 1
  std::array<Magnitude, 6> tiniest;  // of whole transforms
  Magnitude huge;                    // |x|_1 of a result that is finite
};

constexpr Magnitudes wide = {.others = {{{"1e-10", 1e-10}, {"1e-30", 1e-30}, {"1e10", 1e10}}},
                             .within = {{{"1", 1}, {"1e-10", 1e-10}, {"1e-30", 1e-30}}},
                             .under_spike = {"1e-6", 1e-6},
                             .smallest = {"30 decades", 1e-30},
                             .tiniest = {{{"2^-113", 0x1p-113},
                                          {"1e-35", 1e-35},
                                          {"1e-37", 1e-37},
                                          {"1e-38", 1e-38},
                                          {"1e-40", 1e-40},
                                          {"1e-44", 1e-44}}},
                             .huge = {"3e38", 3e38}};

constexpr Magnitudes narrow = {.others = {{{"2^-8", 0x1p-8}, {"2^-18", 0x1p-18}, {"2^7", 0x1p7}}},
                               .within = {{{"1", 1}, {"2^-14", 0x1p-14}, {"2^-22", 0x1p-22}}},
                               .under_spike = {"2^-18", 0x1p-18},
                               .smallest = {"24 octaves", 0x1p-24},
                               .tiniest = {{{"2^-13", 0x1p-13},
                                            {"2^-15", 0x1p-15},
                                            {"2^-17", 0x1p-17},
                                            {"2^-20", 0x1p-20},
                                            {"2^-23", 0x1p-23},
                                            {"2^-24", 0x1p-24}}},
                               .huge = {"6e4", 6e4}};

Magnitudes magnitudes_of(Storage storage) {
  Magnitudes m = storage == Storage::f16 ? narrow : wide;
  if (storage == Storage::bf16) m.tiniest.back() = {"2^-133", 0x1p-133};
  return m;
}

struct Table {
  std::int64_t n;
  std::uint64_t seed;
  Storage storage;
  int bits;  // of a factor of a product
  Magnitudes size;
  std::vector<InputCase> cases;

  /// Sums of equal numbers over the roots of unity of a power of two cancel exactly, as those come
  /// in pairs; rounded roots of other orders leave something.
  [[nodiscard]] Gauge of_constant() const {
    return std::has_single_bit(static_cast<std::uint64_t>(n)) ? Gauge::constant : Gauge::structured;
  }

  void add(const std::string& name, const char* hits, Gauge gauge, std::vector<Complex> x) {
    for (auto& v : x) v = rounded_to(storage, v);
    cases.push_back({name, hits, gauge, std::move(x)});
  }
};

void add_smooth(Table& t) {
  const auto points = static_cast<double>(t.n);
  const char* hits = "coherent truncation bias";
  Random random(t.seed + 1);
  t.add("uniform [0, 1)", hits, Gauge::structured, row(t.n, [&](std::int64_t) {
          const double re = random.uniform(), im = random.uniform();
          return rounded(re, im);
        }));
  t.add("ramp", hits, Gauge::structured, row(t.n, [&](std::int64_t i) {
          return rounded(static_cast<double>(i + 1) / points,
                         static_cast<double>(t.n - i) / points);
        }));
  t.add("decaying exponential", hits, Gauge::structured, row(t.n, [&](std::int64_t i) {
          const double v = std::exp(-8 * static_cast<double>(i) / points);
          return rounded(v, v / 3);
        }));
  t.add("tone on a bin", "spurs", Gauge::structured, tone(t.n, t.n / 4 + 1, 1));
  t.add("tone between bins", "spurs", Gauge::structured, tone(t.n, t.n / 4, 1, 0.37));
}

void add_impulses(Table& t) {
  const char* hits = "one column of twiddles, signs";
  t.add("impulse at 0", hits, Gauge::adversarial, one_hot(t.n, 0, {1, 0}));
  t.add("impulse at 1", hits, Gauge::adversarial, one_hot(t.n, 1, {1, 0}));
  t.add("impulse at n/2", hits, Gauge::adversarial, one_hot(t.n, t.n / 2, {0, -1}));
  t.add("impulse at n-1", hits, Gauge::adversarial, one_hot(t.n, t.n - 1, {-1, 1}));
}

// 24 bits: 11 bits, and a rest of 12 that is odd: two FP16 halves miss its last bit.
Complex odd_integers(int bits) {
  if (bits == 24) return {0x1p23f + 0x801p0f, -0x1p23f - 0x2bffp0f};
  const float power = std::ldexp(1.0f, bits - 1);
  return {power + 1, -2 * power + 1};
}

void add_exact(Table& t) {
  const char* symmetry = "symmetry of the DFT matrices";
  t.add("constant 1", symmetry, t.of_constant(), constant(t.n, {1, 0}));
  t.add("constant -2^-20 i", symmetry, t.of_constant(), constant(t.n, {0, -0x1p-20f}));
  if (t.n <= 4 && t.n != 3) {  // all twiddles are 1, -1, i or -i: nothing needs rounding
    t.add("one " + std::to_string(t.bits) + "-bit integer", "a dropped last bit", Gauge::exact,
          one_hot(t.n, t.n - 1, odd_integers(t.bits)));
  }
  t.add("all zero", "scale = Inf, 0 * Inf", Gauge::zero, constant(t.n, {}));
  t.add("-0.0", "signs, scale of a zero", Gauge::zero, constant(t.n, {-0.0f, -0.0f}));
}

void add_mixed_magnitudes(Table& t) {
  std::uint64_t seed = t.seed + 2;
  for (const auto& [name, largest] : t.size.others) {
    t.add(std::string("normal * ") + name, "a scale shared by several transforms",
          Gauge::statistical, normal_with_largest(t.n, largest, seed++));
  }
  for (const bool imaginary : {false, true}) {
    auto x = normal_row(t.n, seed++);
    for (auto& v : x) v = imaginary ? Complex(0, v.imag()) : Complex(v.real(), 0);
    t.add(imaginary ? "imaginary" : "real", "a scale that looks at one part", Gauge::statistical,
          std::move(x));
  }
  const auto& within = t.size.within;
  Random random(t.seed + 5);
  t.add(std::string("1, ") + within[1].name + ", " + within[2].name + " within",
        "alignment truncation", Gauge::adversarial, row(t.n, [&](std::int64_t i) {
          const double size = within[static_cast<std::size_t>(i % 3)].value;
          const double re = random.normal(), im = random.normal();
          return rounded(re * size, im * size);
        }));
  t.add(std::string("spike over ") + t.size.under_spike.name, "alignment truncation",
        Gauge::adversarial, row(t.n, [&](std::int64_t i) {
          const double size = t.size.under_spike.value;
          const double re = size * random.normal(), im = size * random.normal();
          return i == t.n / 3 ? rounded(1 + re, im) : rounded(re, im);
        }));
  t.add(std::string("log-uniform, ") + t.size.smallest.name, "alignment truncation",
        Gauge::adversarial, row(t.n, [&](std::int64_t) {
          const double re = random.sign() * std::pow(t.size.smallest.value, random.uniform());
          const double im = random.sign() * std::pow(t.size.smallest.value, random.uniform());
          return rounded(re, im);
        }));
}

void add_tiny(Table& t) {
  std::uint64_t seed = t.seed + 10;
  for (const auto& [name, largest] : t.size.tiniest) {
    t.add(std::string("max = ") + name, "scale overflow, flush to zero", Gauge::statistical,
          normal_with_largest(t.n, largest, ++seed));
  }
}

void add_huge(Table& t) {
  const std::string huge = t.size.huge.name;
  // sum|x| is finite in the storage, rounded or not: so must be the output.
  const double total = t.size.huge.value, amplitude = total / static_cast<double>(t.n);
  const char* sums = "|re| + |im| before a product with sqrt(1/2)";
  Random random(t.seed + 20);
  t.add(huge + "/n, random phase", "order of unscaling", Gauge::statistical,
        row(t.n, [&](std::int64_t) {
          const double phase = kTwoPi * random.uniform();
          return rounded(amplitude * std::cos(phase), amplitude * std::sin(phase));
        }));
  t.add(huge + "/n, coherent at 45 degrees", sums, Gauge::adversarial,
        constant(t.n, rounded(amplitude * std::sqrt(0.5), amplitude * std::sqrt(0.5))));
  t.add(huge + "/n, tone at n/8", sums, Gauge::adversarial, tone(t.n, t.n / 8, amplitude));
  t.add(huge + " one-hot", "order of unscaling", Gauge::adversarial,
        one_hot(t.n, t.n / 2, rounded(total)));
  t.add(huge + " one-hot at 45 degrees", sums, Gauge::adversarial,
        one_hot(t.n, t.n - 1, rounded(0.7 * total, 0.7 * total)));
  const double ones = 2 - 2 * format_of(t.storage).unit_roundoff;
  t.add("mantissas of ones", "hi rounds to 65536", Gauge::adversarial, row(t.n, [&](std::int64_t) {
          const double re = random.sign() * ones, im = random.sign() * ones;
          return rounded(re, im);
        }));
}

// FP32 holds every sum of FP16 numbers, so that a result beyond 65504 becomes infinite only when it
// is stored, and nothing else suffers.
void add_half_overflow(Table& t) {
  const char* hits = "overflow before the result is stored";
  const float largest = 65504;
  t.add("constant 2^15", hits, t.of_constant(), constant(t.n, {0x1p15f, -0x1p15f}));
  Random random(t.seed + 21);
  t.add("near 65504", hits, Gauge::structured, row(t.n, [&](std::int64_t) {
          const double re = std::floor(4 * random.uniform()), im = std::floor(4 * random.uniform());
          return rounded(largest - 32 * re, 32 * im - largest);
        }));
  t.add("tone of 6e4", hits, Gauge::structured, tone(t.n, t.n / 4 + 1, 6e4));
  // Their sum is in every even output, their difference in the odd ones.
  for (const float other : {64.0f, 8.0f}) {
    auto x = one_hot(t.n, 0, {largest, -largest});
    x[static_cast<std::size_t>(t.n / 2)] = {other, -other};
    t.add(other > 16 ? "just above 65520" : "just below 65520", "rounding at the end of the range",
          Gauge::adversarial, std::move(x));
  }
}

// FP32 itself cannot hold the sum.
void add_unbounded(Table& t) {
  t.add("constant 3e38", "overflow that leaks", Gauge::unbounded, constant(t.n, {3e38f, 3e38f}));
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

std::vector<InputCase> adversarial_inputs(std::int64_t n, std::uint64_t seed, Storage storage,
                                          int bits) {
  if (n < 1)
    throw std::invalid_argument("adversarial_inputs: n = " + std::to_string(n) + " is below 1");
  const int stored_bits = -std::ilogb(format_of(storage).unit_roundoff);
  Table table{n, seed * 1000003, storage, std::min(bits, stored_bits), magnitudes_of(storage), {}};
  add_smooth(table);
  add_poison(table);  // not last: its neighbours on both sides are checked
  add_impulses(table);
  add_exact(table);
  add_mixed_magnitudes(table);
  add_tiny(table);
  add_huge(table);
  storage == Storage::f16 ? add_half_overflow(table) : add_unbounded(table);
  return table.cases;
}

}  // namespace sonoma::verification
