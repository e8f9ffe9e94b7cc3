#include "chirp.hpp"

#include <algorithm>
#include <cmath>

#include "host_transform.hpp"
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

double chirp_gain(std::int64_t n, std::int64_t m) {
  if (m > largest_gain_computed) return largest_gain;
  double largest = 0;
  for (const std::complex<double>& value : chirp_spectrum(n, m, 1)) {
    largest = std::max(largest, std::norm(value));
  }
  return std::sqrt(largest / static_cast<double>(n)) * static_cast<double>(m);
}

}  // namespace sonoma
