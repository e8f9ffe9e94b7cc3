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

/// 16-byte units of a DFT matrix: 16 x 16 high halves, then as many low ones.
constexpr std::uint32_t matrix_units = 2 * 16 * 16 * 2 / 16;
/// One for complex words: four fragments of 32 lanes.
constexpr std::uint32_t word_matrix_units = 4 * 32;
[[nodiscard]] constexpr std::uint32_t units_of_matrix(bool words) {
  return words ? word_matrix_units : matrix_units;
}
/// Of every register the entry of its factor among those of its thread, two entries a unit. -1:
/// one that is not in the table: those that are 1, and products of others.
[[nodiscard]] std::vector<int> twiddle_entries(const std::vector<Digit>& digits,
                                               const op::Twiddle& op);
/// Of op.products: of every register the entries whose product its factor is; -1: none.
struct ProductOfTwo {
  int near = -1, far = -1;
};
[[nodiscard]] std::vector<ProductOfTwo> twiddle_products(const std::vector<Digit>& digits,
                                                         const op::Twiddle& op);
/// The same of factors that depend on the digits in `register_mask`; 1 where all those in one of
/// `unity_masks` are 0, which a mask of none is not.
[[nodiscard]] std::vector<int> factor_entries(const std::vector<Digit>& digits,
                                              const std::vector<DigitId>& registers,
                                              unsigned register_mask,
                                              const std::vector<unsigned>& unity_masks);
/// 16-byte units of the factors of a twiddle op.
[[nodiscard]] std::uint32_t twiddle_units(const std::vector<Digit>& digits, const op::Twiddle& op);

/// All tables of a kernel, as 32-bit words.
[[nodiscard]] std::vector<std::uint32_t> make_tables(const KernelIr& ir);

/// Nearest FP16 value, ties to even, as bits. For magnitudes below 65520.
[[nodiscard]] std::uint16_t to_half(double value);
[[nodiscard]] double from_half(std::uint16_t bits);

}  // namespace sonoma
