// The values on the way from a request to a text.
#pragma once

#include "sonoma/api.hpp"
#include "sonoma/costs.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/error_estimate.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace SONOMA_API sonoma {

/// All values of the flow for one kernel; equal inputs give equal values, to the byte.
struct Generated {
  FftProblem problem;
  Target target;
  Shape shape;    ///< what was decided
  Tuning tuning;  ///< the wish that says all of it, also how its sides are staged
  Schedule schedule;
  KernelIr ir;
  KernelCosts costs;
  CudaSource source;
  ErrorEstimate error;  ///< of this pass
};

}  // namespace sonoma
