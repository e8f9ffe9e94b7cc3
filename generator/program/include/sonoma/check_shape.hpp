// What a kernel needs of its shape: not what is fast, which is the planner's.
#pragma once

#include "sonoma/pass.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/shape.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// Points of a block, at most: of a tile of bits, and of others.
constexpr unsigned most_block_points = 16384, largest_mixed_tile = 29056;
/// Points of a thread of a mixed tile, at most.
constexpr unsigned most_mixed_points = 96;

/// The steps' largest radix.
[[nodiscard]] unsigned largest_of(const Decomposition& tree);

/// Throws UnsupportedProblem for a decomposition that is none of the problem's. Method and shares
/// are known; `block_points`: 0 where they are open.
void check_decomposition(const Shape& shape, const FftProblem& problem, unsigned block_points);

/// Throws UnsupportedProblem, naming the field, for a shape of which there is no kernel, or none as
/// accurate as asked. schedule() refuses what only layouts tell.
void check(const Shape& shape, const FftProblem& problem);

/// Of passes of such transforms, no powers of two, and of their convolutions, powers are the
/// default with FP32 sums: cuFFT errs more than they do.
[[nodiscard]] bool takes_powers(const Pass& pass);
/// What goes without saying: see Tuning::twiddles.
[[nodiscard]] Twiddles default_twiddles(const Shape& shape, const Pass& pass);

}  // namespace sonoma
