// The values on the way from a request to a text.
#pragma once

#include "sonoma/api.hpp"
#include "sonoma/costs.hpp"
#include "sonoma/cuda_source.hpp"
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
  double error_bound = 0;  ///< bound on |y - X|_2 / |X|_2 of each transform (see error_model.hpp)
};

}  // namespace sonoma
