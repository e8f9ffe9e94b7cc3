// The recursive Gentleman-Sande (decimation in frequency) tree of one axis.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// DFT_n as a chain of factors, outermost (first executed) first.
///
/// (gs r T) of length n = r*m is: split t = t1*m + t0; for every t0 a DFT of length r over t1
/// giving k1; multiply by w_n^(k1*t0); then T (length m) over t0; output index k = k1 + r*k'. (W.
/// M. Gentleman, G. Sande, "Fast Fourier Transforms: for fun and profit", 1966; seed 000 section
/// II, seed 002 eq. (3).) The tail is (dft r). So a tree is the list of its radices.
struct Decomposition {
  /// Product = n; at least one, each of them is_radix(): where n is a power of two 2, 4, 8, 16 and
  /// 32.
  std::vector<unsigned> radices;

  auto operator<=>(const Decomposition&) const = default;

  [[nodiscard]] std::int64_t n() const;  ///< the product of the radices, 2^63 - 1 at most
};

/// "(gs 16 (gs 16 (dft 16)))"
[[nodiscard]] std::string to_string(const Decomposition& decomposition);

/// Inverse of to_string; white space is free. Throws UnsupportedProblem with the column of the
/// error.
[[nodiscard]] Decomposition parse_decomposition(std::string_view text);

/// `largest_usual_radix`: the largest one that is not a prime, but where a search finds larger ones
/// to be faster.
constexpr unsigned largest_usual_radix = 32, largest_composite_radix = 49, largest_radix = 61;

/// 2 to largest_composite_radix, or a prime to largest_radix. A thread makes a butterfly in
/// registers: of 61 points in 168 of them (NVRTC 13.0, sm_90); 67 spill.
[[nodiscard]] bool is_radix(std::uint64_t value);
/// 2 to largest_usual_radix, or a prime to largest_radix.
[[nodiscard]] bool is_usual_radix(std::uint64_t value);

/// How the two sums of a butterfly of an odd prime, that of cosines and that of sines, take fewer
/// products: see SplitHalf.
enum class Split { none, by_two, by_three, by_halves };
struct Splits {
  Split even = Split::none, odd = Split::none;
};
[[nodiscard]] Splits splits_of(unsigned prime);
/// True where sums of this radix are split by halves: of steps that take it twice or more. There
/// they are most of the work; elsewhere memory is the limit, and direct sums err less.
[[nodiscard]] bool takes_halves(const Decomposition& decomposition, unsigned radix);

/// How a butterfly makes its sums.
enum class ButterflyForm {
  /// Few roundings, and nothing overflows that the results do not: of all that memory limits.
  plain,
  /// The same, but sums of a prime are split by halves: see takes_halves().
  halved,
  /// Factors within the butterfly are taken into the sums behind them: a tenth fewer instructions
  /// (E. Linzer, E. Feig, 1993), and sums up to sqrt(2) times as large. Of convolutions with a
  /// chirp in one kernel, which instructions limit, and whose tables make points smaller first.
  fused
};
/// That of a step of this radix. `whole_chirp`: of such a convolution.
[[nodiscard]] ButterflyForm butterfly_form(const Decomposition& decomposition, unsigned radix,
                                           bool whole_chirp);

/// Products of a radix above 8 take whole rows (columns) of 16 points; others contract 8 of them.
[[nodiscard]] constexpr bool takes_sixteen(unsigned radix) { return radix > 8; }
/// A DFT matrix of numbers that FP16 holds.
[[nodiscard]] constexpr bool is_exact_matrix(unsigned radix) { return radix == 2 || radix == 4; }

[[nodiscard]] constexpr bool is_power_of_two(std::int64_t n) {
  return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n));
}

/// The largest prime factor of a step: every radix is a product of primes up to it.
constexpr unsigned largest_step_prime = largest_radix;

/// True if, one after the other, the first radices multiply to the first length, the next ones to
/// the next, and so on.
[[nodiscard]] bool ends_with_axes(const Decomposition& decomposition,
                                  const std::vector<std::int64_t>& lengths);

/// True of three steps or more where the last two have no common factor.
[[nodiscard]] bool ends_coprime(const Decomposition& decomposition);

/// True if n, at least 1, has no larger prime factors.
[[nodiscard]] bool is_smooth(std::int64_t n, unsigned largest_prime = largest_step_prime);

/// 1 for n = 1.
[[nodiscard]] std::int64_t largest_prime_factor(std::int64_t n);

/// The longest length of the kind of n, no power of two, that a block of 1024 threads transforms.
[[nodiscard]] std::int64_t largest_mixed(std::int64_t n);

/// The documented default. Powers of two: as many radix-16 steps as fit, then one step of what is
/// left, last. Others: the fewest steps of about equal radix, up to 16, or up to 32 where that
/// saves a step.
///
/// With `radix`: that radix as often as it divides n, then steps of what is left.
[[nodiscard]] Decomposition decompose(std::int64_t n, std::optional<unsigned> radix = std::nullopt);

}  // namespace sonoma
