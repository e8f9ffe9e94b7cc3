// The same results, sooner, of a batch that does not fill the GPU.
#pragma once

#include <optional>

#include "sonoma/program.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// Where the batch of `problem` does not fill the GPU: the same steps over more blocks, in one
/// round or in fewer columns, or as two launches through a workspace that `program` may not take.
/// The results are the same bits, sooner. `program`: what `tuning` makes of the problem. Nothing:
/// it is as it should be, or `wish` says what blocks are like.
[[nodiscard]] std::optional<Program> for_batch(const Program& program, const Tuning& tuning,
                                               const FftProblem& problem, const Target& target,
                                               const Tuning& wish);

}  // namespace sonoma
