#include "chirp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "host_transform.hpp"
#include "sonoma/decomposition.hpp"
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

// Of the matrix, from above: that of a cyclic one of which it is a part.
double largest_of_cyclic(const std::vector<double>& coefficients) {
  auto size = static_cast<std::int64_t>(2 * coefficients.size());
  while (!is_smooth(size, 7)) ++size;
  std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(size));
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    spectrum[j] = spectrum[(spectrum.size() - j) % spectrum.size()] = coefficients[j];
  }
  transform_on_host(spectrum, 1);
  double largest = 0;
  for (const std::complex<double>& value : spectrum) largest = std::max(largest, value.real());
  return largest;
}

// Whether all eigenvalues of the symmetric Toeplitz matrix of these coefficients are less: the
// recursion of Levinson and Durbin finds every reflection within 1.
bool are_below(double limit, const std::vector<double>& coefficients) {
  double left = limit - coefficients[0];
  std::vector<double> predictor, last;
  for (std::size_t j = 1; j < coefficients.size() && left > 0; ++j) {
    double sum = -coefficients[j];
    for (std::size_t i = 0; i < predictor.size(); ++i) {
      sum -= predictor[i] * coefficients[j - 1 - i];
    }
    const double reflection = -sum / left;
    last = predictor;
    for (std::size_t i = 0; i < predictor.size(); ++i) {
      predictor[i] += reflection * last[last.size() - 1 - i];
    }
    predictor.push_back(reflection);
    left *= 1 - reflection * reflection;
  }
  return left > 0;
}

// To half a percent, from above.
double largest_eigenvalue(const std::vector<double>& coefficients, double at_most) {
  double least = coefficients[0];
  while (at_most > 1.005 * least) {
    const double middle = (least + at_most) / 2;
    (are_below(middle, coefficients) ? at_most : least) = middle;
  }
  return at_most;
}

}  // namespace

// Its square is the norm of the Toeplitz matrix of the autocorrelation of b: a real one, because b
// is a chirp.
double chirp_gain(std::int64_t n, std::int64_t m) {
  if (n > largest_gain_computed) return largest_gain;
  const Autocorrelation c(n, m);
  std::vector<double> coefficients;
  for (std::int64_t j = 0; j < n; ++j) coefficients.push_back(c.of_period(j));
  double square = largest_of_cyclic(coefficients);
  constexpr std::int64_t few = 512;  // soon gone through
  if (n <= few) square = largest_eigenvalue(coefficients, square);
  return std::sqrt(square / static_cast<double>(n));
}

}  // namespace sonoma
