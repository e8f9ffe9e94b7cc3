// How long plans take to make, cold and from disk.
#pragma once

#include "plan_result.hpp"
#include "run_suite.hpp"
#include "suite.hpp"

namespace sonoma::bench {

/// Each time is that of a fresh process: the first has an empty disk cache, the second finds the
/// kernels there; the median of three where that takes less than 50 ms. Without a GPU, programs are
/// chosen, generated and compiled for sm_90 as in a plan, and not loaded. This process must not
/// have used CUDA or the runtime. Throws FftError, also where there is no NVRTC.
void run_plan_suite(const Suite& suite, const Listener<PlanRow>& listener);

}  // namespace sonoma::bench
