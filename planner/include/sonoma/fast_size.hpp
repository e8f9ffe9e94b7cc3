// Which length to pad to.
#pragma once

#include <compare>
#include <cstdint>

#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma {

struct FastSize {
  std::int64_t n = 0;
  double eff = 0;         ///< speed of its transform as a share of that of a copy, in large batches
  bool measured = false;  ///< else by the cost model

  auto operator<=>(const FastSize&) const = default;

  /// Of one transform, in times of a copy of one point.
  [[nodiscard]] double time() const { return static_cast<double>(n) / eff; }
};

/// The length of `n` points or more whose transform takes the least time: of the powers of two and
/// of what is measured up to the next one, and of the first 48 products of 2, 3, 5, 7, 11 and 13.
/// Times are those measured on the architecture of `here` (on its device, if it was), and where
/// there is none, the cost model's for the generator's defaults. Among equals the smaller one.
///
/// Pure. Throws UnsupportedProblem for n < 1 and n > 2^31.
[[nodiscard]] FastSize fast_size(std::int64_t n, Storage storage, const Target& target,
                                 const Platform& here, const Wisdom& wisdom);

}  // namespace sonoma
