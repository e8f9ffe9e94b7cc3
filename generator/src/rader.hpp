// The numbers of Rader's algorithm: see rader.cuh.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Odd primes n for which n - 1 has steps.
[[nodiscard]] bool is_rader_prime(std::int64_t n);

/// g^q mod n; n below 2^31.
[[nodiscard]] std::int64_t power_modulo(std::int64_t g, std::int64_t q, std::int64_t n);
/// True if the powers of g are all numbers from 1 to n - 1, n being a prime.
[[nodiscard]] bool is_primitive_root(std::int64_t g, std::int64_t n);
/// The smallest one.
[[nodiscard]] unsigned primitive_root(std::int64_t n);

/// B(k) / m, m = n - 1, B(k) = sum of w^(g^-q) exp(sign 2 pi i q k / m) over 0 <= q < m, w =
/// exp(sign 2 pi i / n), g the primitive root; but 1 for k = 0, as op::Spectrum has it. Computed in
/// double.
[[nodiscard]] std::vector<std::complex<double>> rader_spectrum(std::int64_t n, int sign);

/// The table of op::ReadPowers and op::WritePowers: for each thread of the layout the power of the
/// root for its part q of a point's number, as the fraction root^q mod n / n of 2^32, rounded up;
/// and the place where its transform begins. 16-byte units; into words that have room.
[[nodiscard]] std::uint32_t powers_units(const Schedule& schedule, const Layout& layout);
void fill_powers(std::vector<std::uint32_t>& words, const KernelIr& ir, const op::ReadPowers& op);

/// How far apart points and transforms of a block lie in memory.
struct RowsInMemory {
  std::int64_t stride = 1, apart = 0;
};
[[nodiscard]] RowsInMemory rows_in_memory(const Pass& pass, bool input);

}  // namespace sonoma
