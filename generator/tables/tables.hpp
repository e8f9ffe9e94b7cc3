// The constants of a plan: twiddles and DFT matrices, computed in long double on the host.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// exp(2 pi i numerator / denominator), by reduction to the first octant.
[[nodiscard]] std::complex<long double> exact_root(std::int64_t numerator,
                                                   std::int64_t denominator);

/// The same, each part correctly rounded to FP32 (up to the one case in 2^40 where rounding twice
/// differs). denominator: up to 2^60 / |numerator|.
[[nodiscard]] std::complex<float> root_of_unity(std::int64_t numerator, std::int64_t denominator);

/// root_of_unity() of many numerators: of a root two factors are looked up, and multiplied in long
/// double.
class RootsOfUnity {
 public:
  explicit RootsOfUnity(std::int64_t denominator);
  [[nodiscard]] std::complex<float> operator()(std::int64_t numerator) const;
  /// The same before it is rounded.
  [[nodiscard]] std::complex<long double> exact(std::int64_t numerator) const;

 private:
  std::int64_t denominator_, step_ = 1;
  std::vector<std::complex<long double>> fine_, coarse_;  // of the first octant
};

/// All tables of a kernel, as 32-bit words. The spectrum of a convolution is larger by a part
/// `more` of it.
[[nodiscard]] std::vector<std::uint32_t> make_tables(const KernelIr& ir, double more = 0);

/// Of each register the factor that it would have in the thread whose digits are all 0.
[[nodiscard]] std::vector<std::complex<float>> register_factors(const KernelIr& ir,
                                                                const op::Twiddle& op);

/// Nearest FP16 value, ties to even, as bits. For magnitudes below 65520.
[[nodiscard]] std::uint16_t to_half(double value);
[[nodiscard]] double from_half(std::uint16_t bits);

}  // namespace sonoma
