// The generator: problem, target and choices in; CUDA text and every step on the way out.
#pragma once

#include "sonoma/errors.hpp"
#include "sonoma/generated.hpp"

namespace sonoma {

/// Pure: no files, clock, environment or CUDA. Throws UnsupportedProblem or InternalError.
/// The batch does not influence the kernel: one kernel serves every batch.
[[nodiscard]] Generated generate(const FftProblem& problem, const Target& target,
                                 const Tuning& tuning = {});
/// The kernel of one pass.
[[nodiscard]] Generated generate(const Pass& pass, const Target& target, const Tuning& tuning = {});

}  // namespace sonoma
