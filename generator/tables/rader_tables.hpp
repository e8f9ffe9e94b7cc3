// The tables of Rader's algorithm: the spectrum and the powers.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// B(k) / m, m = n - 1, B(k) = sum of w^(g^-q) exp(sign 2 pi i q k / m) over 0 <= q < m, w =
/// exp(sign 2 pi i / n), g the primitive root; but 1 for k = 0, as op::Spectrum has it. Computed in
/// double.
[[nodiscard]] std::vector<std::complex<double>> rader_spectrum(std::int64_t n, int sign);

/// The table of op::ReadPowers and op::WritePowers: for each thread of the layout the power of the
/// root for its part q of a point's number, as the fraction root^q mod n / n of 2^32, rounded up;
/// and the place where its transform begins. Into words that have room.
void fill_powers(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::ReadPowers& op);

}  // namespace sonoma
