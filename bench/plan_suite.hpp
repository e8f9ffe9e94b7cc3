// How long plans take to make, cold and from disk, and what an execution costs the host.
#pragma once

#include "plan_result.hpp"
#include "run_suite.hpp"
#include "suite.hpp"

namespace sonoma::bench {

/// Each pair of times comes from two fresh processes that share a temporary disk cache: the first
/// fills it, the second finds the kernels there. `options.repetitions` such pairs make a median.
/// This process must not have used CUDA or the runtime. Throws FftError, also where there is no
/// GPU.
void run_plan_suite(const Suite& suite, const RunOptions& options,
                    const Listener<PlanRow>& listener);

}  // namespace sonoma::bench
