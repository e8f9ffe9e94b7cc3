// One scale for a whole transform: how large its points may become under it, step by step.
#pragma once

#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// The matrices hold 2^10 F, so that their low halves stay normal in FP16 (matrix_exponent of
/// split.cuh).
constexpr int matrix_exponent = 10;

/// The largest component of a transform is brought into [2^(target-1), 2^target). A step of radix r
/// multiplies the 2-norm by sqrt(r); powers of two take that back on the way.
///
/// Upper end: a complex point is at most sqrt(2) 2^target, a step lets it grow by r 2^-shift, a
/// fold by 2; every input of a product must stay below 65504. Lower end: FP16 resolves 2^-24
/// absolutely; the 2-norm over sqrt(n), which the shifts preserve, is at least 2^(target-1) /
/// sqrt(n) at the start, and 2^-25 of absolute error is small beside that for every n in scope.
struct ScalePlan {
  int target = 14;
  std::vector<int> exponents;  ///< of the power of two in the twiddle after each step
  int most = 126;              ///< of k: 2^k and 2^-k normal; as a factor of FP16 words: 15
  int undo = 0;                ///< result = what the last step leaves * 2^(undo - k)
};

[[nodiscard]] ScalePlan plan_scales(const Schedule& schedule);

/// Index of the first step on tensor cores: it takes the scale of the transform in.
[[nodiscard]] unsigned first_product(const Schedule& schedule);

}  // namespace sonoma
