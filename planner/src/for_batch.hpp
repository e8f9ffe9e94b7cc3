// The same results, sooner, of a batch that does not fill the GPU.
#pragma once

#include <optional>

#include "sonoma/program.hpp"

namespace sonoma {

/// Where a batch does not fill the GPU: a tuning that does the same steps over more blocks, in one
/// round or in fewer columns, or as two launches through a workspace that `program` may not take.
/// The results are the same bits, sooner. `program`: what `tuning` makes of the problem. Nothing:
/// it is as it should be, or `given` says what blocks are like.
[[nodiscard]] std::optional<Tuning> for_batch(const Program& program, const Tuning& tuning,
                                              std::int64_t batch, const Target& target,
                                              const Tuning& given);

}  // namespace sonoma
