#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/pass.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// Shorter powers of two would leave a warp without 32 neighbours.
constexpr std::int64_t shortest_pass = 32, largest_pass = 4096;

/// Throws UnsupportedProblem.
void check_pass_lengths(const std::vector<std::int64_t>& lengths, const FftProblem& problem);

/// Transforms side by side that a block of `pass` takes, unless `tuning` says so.
[[nodiscard]] unsigned columns_of(const Tuning& tuning, const Pass& pass, const Target& target);

/// By default, of powers of two: whole sectors of columns fit a block's shared memory.
[[nodiscard]] std::int64_t longest_pass(Storage storage, const Target& target);

}  // namespace sonoma
