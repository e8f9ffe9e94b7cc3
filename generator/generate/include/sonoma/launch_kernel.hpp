// The kernel of a launch: of one pass, or of two that share it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/generated.hpp"
#include "sonoma/program.hpp"

namespace SONOMA_API sonoma {

struct LaunchKernel {
  std::vector<Generated> passes;  ///< one or two; each with a source of its own
  CudaSource source;              ///< what is launched
  std::optional<Fusion> fusion;   ///< of two
};

/// Of CudaSource::tables: left_out for those who read the text and the costs alone. The spectrum of
/// a convolution of 2^27 points takes half a minute.
enum class TableWords { made, left_out };

/// Pure: no files, clock, environment or CUDA. Throws UnsupportedProblem or InternalError. The
/// batch does not influence the kernel: one kernel serves every batch.
[[nodiscard]] LaunchKernel generate(const Launch& launch, const Target& target,
                                    TableWords words = TableWords::made);

/// Of all launches of a program, one after the other.
[[nodiscard]] ErrorEstimate error_of(const std::vector<LaunchKernel>& kernels);

/// The kernels of a program as one translation unit.
struct Unit {
  std::string text;
  std::vector<std::string> names;  ///< of the kernels
};

/// `kernels`: those of all launches of `program`. Those of several axes have the number of their
/// axis in their names.
[[nodiscard]] Unit unit_of(const Program& program, const std::vector<LaunchKernel>& kernels);

}  // namespace sonoma
