#include "chirp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tables.hpp"

namespace sonoma {
namespace {

using Complex = std::complex<double>;

// Half a turn is t^2 = n.
std::complex<long double> exact_chirp(std::int64_t n, std::int64_t t, int sign) {
  return exact_root(sign * (t * t % (2 * n)), 2 * n);
}

Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Decimation in frequency, then the bits of the index reversed.
void transform(std::vector<Complex>& x, int sign) {
  const std::size_t m = x.size();
  std::vector<Complex> roots;
  for (std::size_t k = 0; k < m / 2; ++k) {
    const auto root = exact_root(sign * static_cast<std::int64_t>(k), static_cast<std::int64_t>(m));
    roots.emplace_back(static_cast<double>(root.real()), static_cast<double>(root.imag()));
  }
  for (std::size_t half = m / 2; half > 0; half /= 2) {
    for (std::size_t first = 0; first < m; first += 2 * half) {
      for (std::size_t t = 0; t < half; ++t) {
        Complex &a = x[first + t], &b = x[first + t + half];
        const Complex difference = a - b;
        a += b;
        b = product(difference, roots[t * (m / 2 / half)]);
      }
    }
  }
  for (std::size_t k = 0, reversed = 0; k < m; ++k) {
    if (k < reversed) std::swap(x[k], x[reversed]);
    std::size_t bit = m / 2;
    for (; bit > 0 && (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed |= bit;
  }
}

}  // namespace

std::complex<float> chirp(std::int64_t n, std::int64_t t, int sign) {
  const auto w = exact_chirp(n, t, sign);
  return {static_cast<float>(w.real()), static_cast<float>(w.imag())};
}

std::int64_t convolution_length(std::int64_t n) {
  return std::max<std::int64_t>(
      2, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * n - 1))));
}

std::vector<Complex> chirp_spectrum(std::int64_t n, std::int64_t m, int sign) {
  std::vector<Complex> b(static_cast<std::size_t>(m));
  for (std::int64_t t = 0; t < n; ++t) {
    const auto w = exact_chirp(n, t, -sign);
    const Complex value(static_cast<double>(w.real()), static_cast<double>(w.imag()));
    b[static_cast<std::size_t>(t)] = value;
    if (t > 0) b[static_cast<std::size_t>(m - t)] = value;
  }
  transform(b, sign);
  for (Complex& value : b) value /= static_cast<double>(m);
  return b;
}

double chirp_gain(std::int64_t n, std::int64_t m) {
  double largest = 0;
  for (const Complex& value : chirp_spectrum(n, m, 1)) {
    largest = std::max(largest, std::norm(value));
  }
  return std::sqrt(largest / static_cast<double>(n)) * static_cast<double>(m);
}

}  // namespace sonoma
