// How long the transforms are that a convolution takes, mostly by Bluestein's algorithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sonoma/tuning.hpp"

namespace sonoma {

/// Lengths m for n points, at most `most`, the cheapest first: products of 2, 3, 5 and 7, at least
/// 2n - 1, and 2, and at most the next power of two.
///
/// A power of two costs m. Where that is at most 4096, its products with 3 and 5 cost as much for a
/// point, and each other factor 3, 5 or 7 costs 8 to 12 percent. Of longer ones those that are no
/// power of two cost 1.2 m, and 2, 3 or 5 percent more for each factor 3, 5 or 7. Addresses in a
/// mixed tile are sums of quotients and remainders, its phases do not all fill their threads, and
/// larger primes take more products. Measured: bench/NOTES.md, seventeenth session.
[[nodiscard]] std::vector<std::int64_t> convolution_lengths(std::int64_t n, std::size_t most);

/// The same of several passes. To 2^20 points those that are no power of two cost 1.04 m there, and
/// 17 percent more where they are no multiple of 32: the rows and columns of most are no whole
/// sectors then. Measured: bench/NOTES.md, thirty-first session.
[[nodiscard]] std::vector<std::int64_t> convolution_lengths_of_passes(std::int64_t n,
                                                                      std::size_t most);

/// The default of one launch. Method rader: n - 1. The length of the decomposition that `tuning`
/// asks for; for a cluster of blocks the power of two; beyond 8192 points that of large_tile();
/// else the cheapest.
[[nodiscard]] std::int64_t convolution_length(const Tuning& tuning, std::int64_t n);

/// The steps by which one block takes a convolution of 8193 points and more: three of radix 24 to
/// 32 in at most 896 threads, which leaves each 72 registers or more.
[[nodiscard]] Decomposition large_tile(std::int64_t n);
constexpr std::int64_t largest_of_large_tiles = 12096;

/// True if a convolution takes a factor of n for which cuFFT has a butterfly, as its errors tell:
/// of the primes from 67 to 127. That rounds less than a convolution does.
[[nodiscard]] bool errs_less_in_cufft(std::int64_t n);

/// Odd primes n for which n - 1 has steps: the method rader takes no others.
[[nodiscard]] bool is_rader_prime(std::int64_t n);

}  // namespace sonoma
