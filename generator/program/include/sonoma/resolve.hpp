// A tuning with nothing left open: what the generator decides where a request does not.
#pragma once

#include <cstdint>

#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// The longest transform of the kind of n that one launch makes by the method, in so many `parts`:
/// the blocks of a cluster times the rounds of each. Powers of two: 8192 points a part, 16384 where
/// a block has 128 KB of shared memory. Others: as far as the tile fits there, see largest_mixed().
/// Bluestein: half of the power of two; alone 12096 where a block has 227 KB, see large_tile(), but
/// for the engine `mma`.
/// Rader: one more than the others, as far as a padded tile fits.
[[nodiscard]] std::int64_t largest_of_one_pass(const Target& target, std::int64_t n,
                                               Method method = Method::radix, unsigned parts = 1,
                                               bool mma = false);

/// What `tuning` asks for, or else radix where there are steps for n; bluestein where not.
[[nodiscard]] Method method_for(const Tuning& tuning, std::int64_t n);
/// The same, but for what one block takes by it, and faster as measured, rader in place of
/// bluestein, as far as `tuning` says nothing that it does not have.
[[nodiscard]] Method method_for(const Tuning& tuning, const FftProblem& problem,
                                const Target& target);

/// Fills every open field but the staging (those of the engine mma where it is the engine; `radix`
/// becomes the decomposition) and checks them against problem, its accuracy, and target. Throws
/// UnsupportedProblem.
[[nodiscard]] Tuning resolve(const Tuning& tuning, const FftProblem& problem, const Target& target);

/// Of a tuning whose engine, method and decomposition are known.
[[nodiscard]] Twiddles default_twiddles(const Tuning& tuning, const FftProblem& problem);

}  // namespace sonoma
