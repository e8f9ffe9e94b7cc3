// The error of a kernel, from its operations.
#pragma once

#include "sonoma/error_estimate.hpp"
#include "sonoma/kernel_ir.hpp"
#include "sonoma/target.hpp"

namespace sonoma {

/// One walk over the operations: each that rounds adds its share.
///
/// Every step is sqrt(r) times a unitary map, so that relative errors in the 2-norm pass unchanged
/// through later steps (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
/// section 24.1). Worst cases add up; so do the mean squares of independent roundings.
[[nodiscard]] ErrorEstimate error_of(const KernelIr& ir, const Target& target);

/// Of a convolution in one kernel: how much too small its results are on average, relatively,
/// because factors that were rounded down come again and again (sqrt(1/2) in every butterfly). Its
/// spectrum is that much larger: it costs nothing, for each entry is rounded anyway.
[[nodiscard]] double given_back_by_spectrum(const KernelIr& ir, const Target& target);

}  // namespace sonoma
