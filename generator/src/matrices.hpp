// DFT matrices as the operands of tensor cores.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// A folded matrix of a padded radix is F / f, and the twiddle after it times f: this f, 1 to 2, in
/// 14 bits. Every other radix: 1.
///
/// A radix has few different cosines. Over f, the high halves of all of them come close to the
/// exact values: the low halves are 1.1 to 6 times smaller, and so is what their product with those
/// of the data would add, which counts where data and matrix are correlated, as tones are; what
/// both halves leave out is up to 15 times smaller. Of DC, which no rounding evens out, f leaves
/// the matrix exact.
[[nodiscard]] double folded_matrix_divisor(unsigned radix);

/// Twice the point about which a folded step of a radix pairs its points.
[[nodiscard]] constexpr int twice_centre(unsigned radix) { return is_wide(radix) ? 31 : 15; }

/// The words of a matrix; `sign` of the exponent.
void append_matrix(std::vector<std::uint32_t>& words, const op::LoadMatrix& op, MmaForm form,
                   int sign);

}  // namespace sonoma
