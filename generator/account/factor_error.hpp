// The error of products with factors, and of sums of points that mirror each other.
#pragma once

#include "error_share.hpp"
#include "rounded_program.hpp"
#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// unit_root() of roots.cuh: of the cosine u/2 for its last sum, u/4 for the polynomial and u/6 for
/// y^2, both times y^2 <= 1/4; of the sine u/2 and u/10 for the correction: together 1.08u. The
/// mean square and the mean along the root are measured over all angles; a test measures them
/// again.
constexpr ErrorShare unit_root_share = {1.08, 0.128, 0.0435};
/// Of an angle that is no multiple of 2^-26 of a turn: rounded to 2^-32 of one, 0.02u, and, at most
/// an eighth of a turn from a quarter, to FP32.
constexpr double eighth = 0.7853981633974483;
constexpr ErrorShare rounded_root_share = {
    unit_root_share.worst + 0.02 + eighth,
    unit_root_share.mean_square + eighth* eighth / 3 * rounding_square, unit_root_share.bias};

/// What points and factors between steps are rounded to.
[[nodiscard]] inline Precision precision_of(const Pass& pass) {
  return pass.packed ? Precision::fp16 : Precision::fp32;
}
/// Of a step: of products with 1, i, -1 and -i there is no rounding.
[[nodiscard]] ErrorShare twiddle_share(const KernelIr& ir, const op::Twiddle& op);
[[nodiscard]] ErrorShare pass_twiddle_share(const Schedule& schedule, bool before);
[[nodiscard]] ErrorShare chirp_share(const op::Chirp& op);

/// Frequencies of real numbers of those of their pairs, and back: see mirrored.cuh.
[[nodiscard]] ErrorShare mirrored_share(const Pass& pass);
/// What opposite butterflies add to it: factors are products.
constexpr ErrorShare opposite_share = {3.2, 0.27, 0};

/// What the numbers of a side of a cosine or sine transform are multiplied by.
[[nodiscard]] ErrorShare trigonometric_share(const Pass& pass, bool input);

}  // namespace sonoma
