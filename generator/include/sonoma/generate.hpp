// The generator: problem, target and choices in; CUDA text and every step on the way out.
#pragma once

#include "sonoma/costs.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// All values of the flow for one kernel; equal inputs give equal values, to the byte.
struct Generated {
  FftProblem problem;
  Target target;
  Tuning tuning;  ///< resolved: nothing left open
  Schedule schedule;
  KernelIr ir;
  KernelCosts costs;
  CudaSource source;
  double error_limit = 0;  ///< what every kernel is tested against, see tuning.hpp
  double error_bound = 0;  ///< bound on |y - X|_2 / |X|_2 of each transform (see error_model.hpp)
};

/// Pure: no files, clock, environment or CUDA. Throws UnsupportedProblem or InternalError.
/// The batch does not influence the kernel: one kernel serves every batch.
[[nodiscard]] Generated generate(const FftProblem& problem, const Target& target,
                                 const Tuning& tuning = {});
/// The kernel of one pass.
[[nodiscard]] Generated generate(const Pass& pass, const Target& target, const Tuning& tuning = {});

}  // namespace sonoma
