// Parts of make_program() and resolve().
#pragma once

#include "profile.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {

// ---- of wishes

/// As far as they are said: 1 where they are open.
[[nodiscard]] Shares shares_of(const Tuning& tuning);
/// By one of the methods that take a convolution.
[[nodiscard]] bool convolves(const Tuning& tuning);
/// Points of the transforms that a block makes.
[[nodiscard]] std::int64_t length_of(const FftProblem& problem, const Tuning& tuning);

// ---- choices

/// Of a transform in one launch, where `tuning` leaves them open.
[[nodiscard]] Shares default_shares(const FftProblem& problem, const Target& target,
                                    const Tuning& tuning);

/// Transforms side by side that a block of `pass` takes, unless `tuning` says so.
[[nodiscard]] unsigned columns_of(const Tuning& tuning, const Pass& pass, const Target& target);

/// Of the kernel of one pass what passes alone leave open. `fused`: see Fusion.
[[nodiscard]] Tuning kernel_tuning(const Tuning& tuning, const Pass& pass, const Target& target,
                                   bool fused);

/// Steps of a tile, no power of two, that blocks and rounds share: of those whose digits can number
/// them the fewest, and of these the ones that are most alike. Throws UnsupportedProblem where
/// there are none.
[[nodiscard]] Decomposition steps_in_parts(std::int64_t n, const Tuning& wish);

/// Points of a thread and of a block, and registers, as far as they are open, of a length that is
/// no power of two. Method and decomposition are known.
void choose_mixed_shape(Shape& shape, const Tuning& wish);

}  // namespace sonoma
