// Which length to pad to.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/wisdom.hpp"

namespace SONOMA_API sonoma {

struct FastShape {
  std::vector<std::int64_t> lengths = {};  ///< none shorter than what was asked for
  double eff = 0;         ///< speed of the transform as a share of that of a copy of its points
  bool measured = false;  ///< in large batches; else by the cost model

  auto operator<=>(const FastShape&) const = default;

  /// Of one transform, in times of a copy of one point.
  [[nodiscard]] double time() const;
};

/// What is known of a problem.
using WisdomOf = std::function<Wisdom(const FftProblem& problem)>;

/// The lengths, of one axis or two, each as in `least` or longer, whose transform takes the least
/// time by expected_time(): of those in `least` and, up to the next power of two, the first
/// products of 2, 3, 5, 7, 11 and 13. Of `least` domain, storage, batch, direction and convolution
/// count. Among equals the smaller ones.
///
/// Pure. Throws UnsupportedProblem for lengths below 1 and above 2^31, for more than two axes, and
/// for a layout or ends of the caller's, which say what lies between transforms.
[[nodiscard]] FastShape fast_shape(const FftProblem& least, const Target& target,
                                   const Platform& here, const WisdomOf& wisdom_of);

/// The same of one axis.
struct FastSize {
  std::int64_t n = 0;     ///< no shorter than what was asked for
  double eff = 0;         ///< as in FastShape
  bool measured = false;  ///< as in FastShape

  auto operator<=>(const FastSize&) const = default;
};

/// Of complex transforms of n points, in large batches.
[[nodiscard]] FastSize fast_size(std::int64_t n, Storage storage, const Target& target,
                                 const Platform& here, const WisdomOf& wisdom_of);

}  // namespace sonoma
