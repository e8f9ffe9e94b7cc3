// From a request in one launch to its kernel, wisdom aside: what is left open is decided.
#pragma once

#include "sonoma/api.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/generated.hpp"
#include "sonoma/launch_kernel.hpp"

namespace SONOMA_API sonoma {

/// Pure: no files, clock, environment or CUDA. Throws UnsupportedProblem or InternalError.
/// The batch does not influence the kernel: one kernel serves every batch.
[[nodiscard]] Generated generate(const FftProblem& problem, const Target& target,
                                 const Tuning& wish = {});
/// The kernel of one pass.
[[nodiscard]] Generated generate(const Pass& pass, const Target& target, const Tuning& wish = {});

}  // namespace sonoma
