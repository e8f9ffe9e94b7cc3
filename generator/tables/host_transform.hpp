// Transforms in double on the host, for tables: a spectrum has as many entries as its tile points.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace sonoma {

/// exp(2 pi i j / order) as the product of two entries of short tables, within 2^-61.
class Roots {
 public:
  explicit Roots(std::int64_t order);
  [[nodiscard]] std::complex<double> operator()(std::int64_t j) const;

 private:
  std::int64_t order_, step_ = 1;
  std::vector<std::complex<long double>> fine_, coarse_;
};

/// The DFT of x with exp(sign 2 pi i / x.size()), in place; a length with small prime factors.
void transform_on_host(std::vector<std::complex<double>>& x, int sign);

}  // namespace sonoma
