// Products and sums of 64 bits that stop at the ends of the range: of a request before it is
// checked, so that the check finds what is too large.
#pragma once

#include <cstdint>
#include <limits>

namespace sonoma {

[[nodiscard]] inline std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  using Limits = std::numeric_limits<std::int64_t>;
  return (a < 0) == (b < 0) ? Limits::max() : Limits::min();
}

[[nodiscard]] inline std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  using Limits = std::numeric_limits<std::int64_t>;
  return a < 0 ? Limits::min() : Limits::max();
}

/// From the first of so many to the last one.
[[nodiscard]] inline std::int64_t saturated_reach(std::int64_t count, std::int64_t stride) {
  return saturated_product(saturated_sum(count, -1), stride);
}

}  // namespace sonoma
