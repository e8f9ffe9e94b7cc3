// Primes that Rader's algorithm takes, and their primitive roots: see rader.cuh.
#pragma once

#include <cstdint>

#include "sonoma/convolution_lengths.hpp"

namespace sonoma {

/// g^q mod n; n below 2^31.
[[nodiscard]] std::int64_t power_modulo(std::int64_t g, std::int64_t q, std::int64_t n);
/// True if the powers of g are all numbers from 1 to n - 1, n being a prime.
[[nodiscard]] bool is_primitive_root(std::int64_t g, std::int64_t n);
/// The smallest one.
[[nodiscard]] unsigned primitive_root(std::int64_t n);

}  // namespace sonoma
