// DFT matrices as the operands of tensor cores.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Twice the point about which a folded step pairs its points.
constexpr int twice_centre = 15;

/// A tensor core truncates its sum to FP32. In the sums of radix 16 that bites: the main product is
/// too small by half a unit in the last place on average, 2^-25 to 2^-24 of it, a bias that adds up
/// over the steps. A little less than 2^-25 of the matrix, added to its low half, gives that back:
/// less than half a unit of any result, so that an exact product with no other corrections stays.
/// (Of radix 2, 4 and 8 the sums are short enough to be mostly exact.)
constexpr double given_back = 0x1.ffp-26;

/// The words of a matrix; `sign` of the exponent.
void append_matrix(std::vector<std::uint32_t>& words, const op::LoadMatrix& op, int sign);

}  // namespace sonoma
