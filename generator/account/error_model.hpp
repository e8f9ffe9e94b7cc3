// A worst-case bound on the relative error of a kernel, to first order in u = 2^-24.
#pragma once

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Bound on |y - X|_2 / |X|_2 for every input whose result, as stored, neither overflows nor is
/// subnormal.
///
/// Every step is sqrt(r) times a unitary map, so that relative errors in the 2-norm pass unchanged
/// through later steps and add up (N. J. Higham, Accuracy and Stability of Numerical Algorithms,
/// 2nd ed., section 24.1). Measured errors are 10 to 50 times smaller, for roundings mostly cancel.
[[nodiscard]] double error_bound(const KernelIr& ir, const Target& target);

}  // namespace sonoma
