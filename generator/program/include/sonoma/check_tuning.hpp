// What a kernel needs of its tuning: not what is fast, which is the planner's.
#pragma once

#include <cstdint>

#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// Points of a block, at most: of a tile of bits, and of others.
constexpr unsigned most_block_points = 16384, largest_mixed_tile = 24576;
/// Points of a thread of a mixed tile, at most.
constexpr unsigned most_mixed_points = 96;

/// By one of the methods that take a convolution.
[[nodiscard]] bool convolves(const Tuning& tuning);
/// Blocks that take a transform together, times the rounds of each.
[[nodiscard]] unsigned parts_of(const Tuning& tuning);
/// Points of the transforms that a block makes.
[[nodiscard]] std::int64_t length_of(const FftProblem& problem, const Tuning& tuning);
/// A tile that is addressed by sums of digits, not by bits.
[[nodiscard]] bool is_mixed(const FftProblem& problem, const Tuning& tuning);
/// The steps' largest radix.
[[nodiscard]] unsigned largest_of(const Decomposition& tree);
/// True if factors may be products of two: see Twiddles.
[[nodiscard]] bool may_take_products(const FftProblem& problem, const Tuning& tuning);

/// Throws UnsupportedProblem for a decomposition that is none of the problem's. The method is
/// known.
void check_decomposition(const Tuning& tuning, const FftProblem& problem);

/// Throws UnsupportedProblem, naming the field, for a tuning with nothing left open of which there
/// is no kernel, or none as accurate as asked. schedule() refuses what only layouts tell.
void check(const Tuning& resolved, const FftProblem& problem, const Target& target);

/// What goes without saying: see Tuning::twiddles.
[[nodiscard]] Twiddles default_twiddles(const Tuning& tuning, const FftProblem& problem);

}  // namespace sonoma
