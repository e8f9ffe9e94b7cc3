#include "chirp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "host_transform.hpp"
#include "norm_bound.hpp"
#include "tables.hpp"

namespace sonoma {

std::vector<std::complex<float>> chirp(std::int64_t n, int sign) {
  std::vector<std::complex<float>> w;
  const RootsOfUnity root(2 * n);  // half a turn is t^2 = n
  for (std::int64_t t = 0; t < n; ++t) w.push_back(root(sign * (t * t % (2 * n))));
  return w;
}

std::vector<std::complex<double>> chirp_spectrum(std::int64_t n, std::int64_t m, int sign) {
  std::vector<std::complex<double>> b(static_cast<std::size_t>(m));
  const Roots root(2 * n);
  for (std::int64_t t = 0; t < n; ++t) {
    const std::complex<double> value = root(-sign * (t * t % (2 * n)));
    b[static_cast<std::size_t>(t)] = value;
    if (t > 0) b[static_cast<std::size_t>(m - t)] = value;
  }
  transform_on_host(b, sign);
  for (std::complex<double>& value : b) value /= static_cast<double>(m);
  return b;
}

namespace {

// Of the chirp b(t), |t| < n, of a period of m points, at a distance j up to n: as it is, with what
// the next period adds.
class Autocorrelation {
 public:
  Autocorrelation(std::int64_t n, std::int64_t m) : n_(n), m_(m) {}

  [[nodiscard]] double at(std::int64_t j) const {
    if (j >= 2 * n_ - 1) return 0;
    const auto n = static_cast<double>(n_);
    if (j == 0) return 2 * n - 1;
    if (j == n_) return n_ % 2 == 0 ? n - 1 : 1 - n;
    return sine(j * (2 * n_ - 1 - j)) / sine(j);
  }
  [[nodiscard]] double of_period(std::int64_t j) const { return at(j) + (j > 0 ? at(m_ - j) : 0); }

 private:
  [[nodiscard]] double sine(std::int64_t j) const {
    const auto turn = static_cast<double>(j % (2 * n_)) / static_cast<double>(n_);
    return std::sin(std::numbers::pi * turn);
  }
  std::int64_t n_, m_;
};

// The largest value of a spectrum whose coefficients are those of the matrix; beyond them 0 at n,
// where b alone has a peak, then those of b alone, and less and less of it up to 2 n.
double largest_of_spectrum(const Autocorrelation& c, std::int64_t n) {
  std::int64_t size = 1;
  while (size < 4 * n) size *= 2;
  std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(size));
  for (std::int64_t j = 0; j < 2 * n; ++j) {
    if (j == n) continue;
    const double share = static_cast<double>(2 * n - j) / static_cast<double>(n);
    const double value = j < n ? c.of_period(j) : c.at(j) * share;
    spectrum[static_cast<std::size_t>(j)] = value;
    spectrum[static_cast<std::size_t>((size - j) % size)] = value;
  }
  transform_on_host(spectrum, 1);
  double largest = 0;
  for (const std::complex<double>& value : spectrum) largest = std::max(largest, value.real());
  return largest;
}

}  // namespace

// Its square is the norm of the Toeplitz matrix of the autocorrelation of b: a real one, because b
// is a chirp.
double chirp_gain(std::int64_t n, std::int64_t m) {
  if (n > largest_gain_computed) return largest_gain;
  const Autocorrelation c(n, m);
  constexpr std::int64_t few = 64;
  if (n > few) return std::sqrt(largest_of_spectrum(c, n) / static_cast<double>(n));
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      rows[static_cast<std::size_t>(i)].push_back(c.of_period(std::abs(i - j)));
    }
  }
  return std::sqrt(norm_bound(rows) / static_cast<double>(n));
}

}  // namespace sonoma
