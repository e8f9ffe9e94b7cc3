// F. Erguen, "Testing multivariate linear functions: overcoming the generator bottleneck", 1995:
// impulse, linearity and shift together hold for no function but the DFT.
#include <cmath>

#include "protocol.hpp"
#include "random.hpp"
#include "sonoma/storage.hpp"

namespace sonoma::verification {
namespace {

double norm2(const std::vector<ComplexD>& x) {
  double sum = 0;
  for (const auto& v : x) sum += std::norm(v);
  return std::sqrt(sum);
}

std::vector<ComplexD> row_of(const std::vector<Complex>& rows, std::size_t row,
                             std::size_t length) {
  const auto at = rows.begin() + static_cast<std::ptrdiff_t>(row * length);
  return {at, at + static_cast<std::ptrdiff_t>(length)};
}

// Of point k of a transform and point t of another: the product over the axes of w_n^(k t), k and t
// being their places along that axis.
ComplexD root(const Subject& s, std::int64_t k, std::int64_t t) {
  std::complex<long double> product = 1;
  for (std::size_t a = s.problem.lengths.size(); a-- > 0;) {
    const std::int64_t n = s.problem.lengths[a];
    product *= root_of_unity(n, (k % n) * (t % n), s.problem.direction);
    k /= n, t /= n;
  }
  return {static_cast<double>(product.real()), static_cast<double>(product.imag())};
}

// One later along every axis, around their ends.
std::int64_t later(const Subject& s, std::int64_t t) {
  std::int64_t place = 0, stride = 1;
  for (std::size_t a = s.problem.lengths.size(); a-- > 0;) {
    const std::int64_t n = s.problem.lengths[a];
    place += (t % n + 1) % n * stride;
    t /= n, stride *= n;
  }
  return place;
}

// |difference| relative to the norms of the transforms that it was made of, in u.
double relative(const std::vector<ComplexD>& difference, double norms) {
  const double error = norm2(difference);
  return error == 0 ? 0 : error / norms / kUnitRoundoff;
}

// The transform of a one at t is w^(k t).
void check_impulse(const Subject& s, Findings& findings) {
  Random random(s.options.seed + 40);
  constexpr std::size_t rows = 3;
  std::vector<Complex> x(rows * s.length());
  std::vector<std::int64_t> at;
  for (std::size_t r = 0; r < rows; ++r) {
    at.push_back(static_cast<std::int64_t>(random.uniform() * static_cast<double>(s.n())));
    x[r * s.length() + static_cast<std::size_t>(at[r])] = {1, 0};
  }
  const auto y = s.run(x);
  std::vector<ComplexD> error(s.length());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < s.length(); ++k) {
      const ComplexD exact = s.factor() * root(s, static_cast<std::int64_t>(k), at[r]);
      error[k] = error_beyond_rounding(s.problem.result_storage(), y[r * s.length() + k], exact);
    }
    const double size = std::sqrt(static_cast<double>(s.n())) * std::abs(s.factor());
    findings.judge("impulse", "E2", relative(error, size), s.limits.structured_e2,
                   "at t = " + std::to_string(at[r]));
  }
}

// Integers, of which the storage holds the sum of any two, times a power of two.
float integer(const Subject& s, Random& random) {
  const bool wide = s.problem.storage == Storage::f32;
  const Storage storage = wide ? s.problem.result_storage() : s.problem.storage;
  if (storage == Storage::f32) {
    return static_cast<float>(std::rint(1024 * random.normal()));
  }
  const double most = 0.5 / format_of(storage).unit_roundoff - 1;
  const double value = std::rint(most * (2 * random.uniform() - 1)) / (most + 1);
  return static_cast<float>(value) * s.unit();
}

// F(a) + F(b) = F(a + b), for integers small enough that a + b is exact.
void check_linearity(const Subject& s, Findings& findings) {
  Random random(s.options.seed + 41);
  std::vector<Complex> x(3 * s.in_length());
  for (std::size_t t = 0; t < s.in_length(); ++t) {
    x[t] = {integer(s, random), integer(s, random)};
    x[s.in_length() + t] = {integer(s, random), integer(s, random)};
    x[2 * s.in_length() + t] = x[t] + x[s.in_length() + t];
  }
  const auto y = s.run(x);
  const auto a = row_of(y, 0, s.length()), b = row_of(y, 1, s.length());
  auto difference = row_of(y, 2, s.length());
  const double norms = norm2(a) + norm2(b) + norm2(difference);
  for (std::size_t k = 0; k < s.length(); ++k) difference[k] -= a[k] + b[k];
  findings.judge("linearity", "E2", relative(difference, norms), s.limits.stored_e2,
                 "F(a) + F(b) = F(a + b)");
}

// Delaying x by one multiplies its transform by w^k, along each axis, and delays a convolution.
void check_shift(const Subject& s, Findings& findings) {
  auto x = random_inputs(s.in_n(), 1, s.options.seed + 42, s.problem.storage, s.unit()).front().x;
  x.resize(2 * s.in_length());
  for (std::size_t t = 0; t < s.in_length(); ++t) {
    const std::size_t own = t % s.length(), signal = t - own;
    const auto next = static_cast<std::size_t>(later(s, static_cast<std::int64_t>(own)));
    x[s.in_length() + signal + next] = x[t];
  }
  const auto y = s.run(x);
  const auto plain = row_of(y, 0, s.length());
  auto difference = row_of(y, 1, s.length());
  const double norms = norm2(plain) + norm2(difference);
  const std::int64_t ones = later(s, 0);
  const bool filter = s.problem.convolution.has_value();
  for (std::size_t k = 0; k < s.length(); ++k) {
    const auto place = static_cast<std::int64_t>(k);
    if (filter) difference[static_cast<std::size_t>(later(s, place))] -= plain[k];
    if (!filter) difference[k] -= root(s, place, ones) * plain[k];
  }
  findings.judge("shift", "E2", relative(difference, norms), s.limits.stored_e2,
                 filter ? "x delayed by 1 is its convolution delayed by 1"
                        : "F(x delayed by 1)[k] = w^k F(x)[k]");
}

}  // namespace

void check_erguen(const Subject& subject, Findings& findings) {
  if (!subject.problem.convolution) check_impulse(subject, findings);
  check_linearity(subject, findings);
  check_shift(subject, findings);
}

}  // namespace sonoma::verification
