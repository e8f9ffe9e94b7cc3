// Which method serves a length, and how far one launch of it reaches.
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "sonoma/convolution_lengths.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

std::int64_t largest_of_one_pass(const Target& target, std::int64_t n, Method method,
                                 unsigned parts) {
  const bool large = target.shared_bytes >= 16384 * 8;
  if (method == Method::bluestein) {
    constexpr int for_largest_tile = 227 * 1024;
    if (parts == 1 && target.shared_bytes >= for_largest_tile) return largest_of_large_tiles;
    return std::int64_t{large ? 8192 : 4096} * parts;
  }
  if (std::has_single_bit(static_cast<std::uint64_t>(n))) {
    return std::int64_t{large ? 16384 : 8192} * parts;
  }
  constexpr std::int64_t padded = 7168;  // of a tile that fits 64 KB
  return (large ? largest_mixed(n) : std::min(largest_mixed(n), padded)) * parts;
}

Method method_for(const Tuning& tuning, std::int64_t n) {
  const bool steps = n >= 2 && is_smooth(n);
  if (!tuning.method) return steps ? Method::radix : Method::bluestein;
  if (tuning.method == Method::bluestein || steps) return *tuning.method;
  throw UnsupportedProblem(
      "method", "radix",
      "bluestein for n = " + std::to_string(n) + ", which is no product of 2, 3, 5, 7, 11 and 13");
}

std::int64_t convolution_points(const Tuning& resolved) {
  if (resolved.method != Method::bluestein) return 0;
  if (!resolved.pass_lengths) return resolved.decomposition.value().n();
  return std::accumulate(resolved.pass_lengths->begin(), resolved.pass_lengths->end(),
                         std::int64_t{1}, std::multiplies<>());
}

}  // namespace sonoma
