// The recursive Gentleman-Sande (decimation in frequency) tree of one axis.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sonoma {

/// DFT_n as a chain of factors, outermost (first executed) first.
///
/// (gs r T) of length n = r*m is: split t = t1*m + t0; for every t0 a DFT of length r over t1
/// giving k1; multiply by w_n^(k1*t0); then T (length m) over t0; output index k = k1 + r*k'. (W.
/// M. Gentleman, G. Sande, "Fast Fourier Transforms: for fun and profit", 1966; seed 000 section
/// II, seed 002 eq. (3).) The tail is (dft r). So a tree is the list of its radices.
struct Decomposition {
  std::vector<unsigned> radices;  ///< product = n; each 2, 4, 8 or 16; at least one

  auto operator<=>(const Decomposition&) const = default;

  [[nodiscard]] std::int64_t n() const;
};

/// "(gs 16 (gs 16 (dft 16)))"
[[nodiscard]] std::string to_string(const Decomposition& decomposition);

/// Inverse of to_string; white space is free. Throws UnsupportedProblem with the column of the
/// error.
[[nodiscard]] Decomposition parse_decomposition(std::string_view text);

/// The documented default: as many radix-16 steps as fit, then one step of what is left, last.
/// With `radix`: that radix throughout, and one smaller step at the end where n is no power of it.
[[nodiscard]] Decomposition decompose(std::int64_t n, std::optional<unsigned> radix = std::nullopt);

}  // namespace sonoma
