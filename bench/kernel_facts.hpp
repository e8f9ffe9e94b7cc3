// What is known of the kernels of a candidate before they run: of the schedule, of the cost model
// and of what the compiler made. Beside the measured time they are what a cost model is fitted to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sonoma/compile.hpp"
#include "sonoma/launch_kernel.hpp"

namespace sonoma::bench {

/// Names of the facts, which are columns of the measurements:
///   launches, passes
///   threads, shared_bytes, cluster, registers, local_bytes (spilled, or a stack frame),
///   static_shared_bytes, points_per_thread   the most of all passes; static: of the compiler's own
///   code_bytes                               of all launches; an instruction has 16
///   transforms_per_block                     of the first pass
///   phases, exchanges, barriers, wavefronts (of shared memory), bank_conflicts (more of those)
///                                            of a block, the sum over passes
///   idle                                     of threads without points, the mean over phases
///   bytes_moved (in whole sectors), bytes_minimum, table_bytes, mmas, flops (5 n log2 n)
///                                            of a transform, the sum over passes
///   error_bound                              of all passes
///   model_...                                CostEstimate of the program, in cycles for a point;
///                                            blocks: of an SM; missing_registers: of a thread
[[nodiscard]] const std::vector<std::string>& fact_names();

/// In the order of their names. `kernels` and `cubins`: of the launches of `program`.
[[nodiscard]] std::vector<double> kernel_facts(const Program& program, const Target& target,
                                               std::span<const LaunchKernel> kernels,
                                               std::span<const Cubin> cubins);

}  // namespace sonoma::bench
