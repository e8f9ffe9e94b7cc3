// What is decided first: how a transform is made of kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sonoma/resolve.hpp"

namespace sonoma {

/// As far as they are said: 1 where they are open.
[[nodiscard]] Shares shares_of(const Tuning& tuning);

/// By one of the methods that take a convolution.
[[nodiscard]] bool convolves(const Tuning& tuning);

/// Points of the transforms that a block makes.
[[nodiscard]] std::int64_t length_of(const FftProblem& problem, const Tuning& tuning);

/// One of the batch.
[[nodiscard]] FftProblem alone(const FftProblem& problem);

/// How a transform is made of kernels: what is decided first.
struct Way {
  Method method;
  Shares shares;        ///< of one launch
  bool passes = false;  ///< several, because it must or because that is asked for
  std::optional<unsigned> block_points = {};  ///< of one launch, where they depend on the shares
};

/// Nothing is said of the steps and the shape of one block, nor of passes.
[[nodiscard]] bool leaves_shape_open(Tuning tuning);

[[nodiscard]] Way way_of(const FftProblem& problem, const Target& target, const Tuning& tuning);

/// From 2 on, at most largest_pass, those nearest to the root of that degree first.
[[nodiscard]] std::vector<std::int64_t> divisors_near_root(std::int64_t n, unsigned degree);

/// The longest transform of the kind of n that one launch makes by the method, in so many `parts`:
/// the blocks of a cluster times the rounds of each. Powers of two: 8192 points a part, 16384 where
/// a block has 128 KB of shared memory. Others: as far as the tile fits there, see largest_mixed().
/// Bluestein: half of the power of two; alone 12096 where a block has 227 KB, see large_tile(), but
/// for the engine `mma`. Rader: one more than the others, as far as a padded tile fits.
[[nodiscard]] std::int64_t largest_of_one_pass(const Target& target, std::int64_t n, Method method,
                                               unsigned parts = 1, bool mma = false);

/// The same of a request. A block may have up to largest_mixed_tile points where it has 227 KB, if
/// they are no power of two, of rows whose threads may go round, or as `block_points` asks for it.
[[nodiscard]] std::int64_t longest_in_one_launch(const FftProblem& problem, const Target& target,
                                                 const Tuning& tuning, Method method,
                                                 unsigned parts);

}  // namespace sonoma
