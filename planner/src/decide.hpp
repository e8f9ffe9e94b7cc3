// Parts of make_program() and resolve().
#pragma once

#include "profile.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma {

/// Of a transform in one launch, where `tuning` leaves them open.
[[nodiscard]] Shares default_shares(const FftProblem& problem, const Target& target,
                                    const Tuning& tuning);

/// Transforms side by side that a block of `pass` takes, unless `tuning` says so.
[[nodiscard]] unsigned columns_of(const Tuning& tuning, const Pass& pass, const Target& target);

/// Of the kernel of one pass what passes alone leave open. `fused`: see Fusion.
[[nodiscard]] Tuning kernel_tuning(const Tuning& tuning, const Pass& pass, const Target& target,
                                   bool fused);

/// Points of a thread and of a block, and registers, as far as they are open, of a length that is
/// no power of two. The decomposition is known.
void choose_mixed_shape(Tuning& tuning);

}  // namespace sonoma
