#include "host_transform.hpp"

#include <bit>
#include <cstddef>
#include <utility>

#include "tables.hpp"

namespace sonoma {
namespace {

using Complex = std::complex<double>;
using LongComplex = std::complex<long double>;

template <class T>
std::complex<T> product(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

Roots::Roots(std::int64_t order) : order_(order) {
  while (step_ * step_ < order) step_ *= 2;
  for (std::int64_t j = 0; j < step_; ++j) {
    fine_.push_back(exact_root(j, order));
    coarse_.push_back(exact_root(j * step_, order));
  }
}

Complex Roots::operator()(std::int64_t j) const {
  const std::int64_t rest = j % order_, turn = rest < 0 ? rest + order_ : rest;
  const LongComplex root = product(coarse_[static_cast<std::size_t>(turn / step_)],
                                   fine_[static_cast<std::size_t>(turn % step_)]);
  return {static_cast<double>(root.real()), static_cast<double>(root.imag())};
}

namespace {

// Decimation in frequency; the roots of 2 half points lie at roots[half], and so on. One half after
// the other, so that short ones stay in the cache.
void decimate(Complex* x, std::size_t half, const std::vector<Complex>& roots) {
  for (std::size_t t = 0; t < half; ++t) {
    const Complex difference = x[t] - x[t + half];
    x[t] += x[t + half];
    x[t + half] = product(difference, roots[half + t]);
  }
  if (half == 1) return;
  decimate(x, half / 2, roots);
  decimate(x + half, half / 2, roots);
}

void reverse_bits(Complex* x, std::size_t m) {
  for (std::size_t k = 0, reversed = 0; k < m; ++k) {
    if (k < reversed) std::swap(x[k], x[reversed]);
    std::size_t bit = m / 2;
    for (; bit > 0 && (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed |= bit;
  }
}

// Of each `m` points of x, m a power of two.
void transform_bits(std::vector<Complex>& x, std::size_t m, int sign) {
  if (m == 1) return;
  std::vector<Complex> roots(m);
  const Roots root(static_cast<std::int64_t>(m));
  for (std::size_t t = 0; t < m / 2; ++t) {
    roots[m / 2 + t] = root(sign * static_cast<std::int64_t>(t));
  }
  for (std::size_t t = m / 2; t-- > 1;) roots[t] = roots[2 * t];
  for (std::size_t first = 0; first < x.size(); first += m) {
    decimate(x.data() + first, m / 2, roots);
    reverse_bits(x.data() + first, m);
  }
}

// Decimation in frequency of each `m` points of x by a step of p: part k of them, m / p points, is
// left with the frequencies whose remainder by p is k.
void decimate_by(std::size_t p, std::vector<Complex>& x, std::size_t m, int sign) {
  const Roots root(static_cast<std::int64_t>(m));
  const std::size_t part = m / p;
  std::vector<Complex> of_step(p), v(p);
  for (std::size_t j = 0; j < p; ++j) of_step[j] = root(sign * static_cast<std::int64_t>(j * part));
  for (std::size_t first = 0; first < x.size(); first += m) {
    for (std::size_t t = 0; t < part; ++t) {
      for (std::size_t j = 0; j < p; ++j) v[j] = x[first + t + j * part];
      for (std::size_t k = 0; k < p; ++k) {
        Complex sum = v[0];
        for (std::size_t j = 1; j < p; ++j) sum += product(v[j], of_step[j * k % p]);
        x[first + t + k * part] = product(sum, root(sign * static_cast<std::int64_t>(k * t)));
      }
    }
  }
}

}  // namespace

// Steps of the odd primes, then of each part its bits; then frequencies are put in their order.
void transform_on_host(std::vector<Complex>& x, int sign) {
  std::vector<std::size_t> steps;
  std::size_t bits = x.size();
  for (std::size_t p = 3; !std::has_single_bit(bits); p += 2) {
    for (; bits % p == 0; bits /= p) {
      decimate_by(p, x, bits, sign);
      steps.push_back(p);
    }
  }
  transform_bits(x, bits, sign);
  if (steps.empty()) return;
  std::vector<Complex> ordered(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::size_t rest = k, at = 0, length = x.size();
    for (const std::size_t p : steps) {
      length /= p;
      at += rest % p * length;
      rest /= p;
    }
    ordered[k] = x[at + rest];
  }
  x = std::move(ordered);
}

}  // namespace sonoma
