#pragma once

#include "sonoma/costs.hpp"
#include "sonoma/cuda_source.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// What the head of the emitted file tells.
struct Provenance {
  FftProblem problem;
  Target target;
  Tuning tuning;  ///< resolved
  KernelCosts costs;
  double error_bound = 0;
};

/// IR to CUDA text: one line per operation, everything that varies with the plan as a constant.
[[nodiscard]] CudaSource emit(const KernelIr& ir, const Provenance& provenance);

/// The command that prints the same text.
[[nodiscard]] std::string command_line(const KernelIr& ir, const Provenance& provenance);

}  // namespace sonoma
