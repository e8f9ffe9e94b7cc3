// DFT matrices as the operands of tensor cores.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Twice the point about which a folded step pairs its points.
constexpr int twice_centre = 15;

/// The words of a matrix; `sign` of the exponent.
void append_matrix(std::vector<std::uint32_t>& words, const op::LoadMatrix& op, int sign);

}  // namespace sonoma
