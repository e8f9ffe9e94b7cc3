// Which registers and threads hold the digits that a step, its scale and its factors depend on.
#pragma once

#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// The register digits of a step.
[[nodiscard]] unsigned register_mask(const Schedule& schedule, const Layout& layout,
                                     const Step& step);

/// The scale of every group of a warp tile, all points of one transform in it; of tile 0.
[[nodiscard]] op::Scale group_scale(const Schedule& schedule, const Step& step,
                                    const Layout& layout);

/// Warp tiles that a warp holds, of eight registers a thread each.
[[nodiscard]] unsigned warp_tiles(const Schedule& schedule);
/// A step as products, on every tile of the warp.
[[nodiscard]] std::vector<Op> tensor_core_step(const Schedule& schedule, const Step& step,
                                               const Layout& layout);

/// The factors of a step times 2^exponent, but for the place of their table.
[[nodiscard]] op::Twiddle twiddle_of(const Schedule& schedule, const Step& step,
                                     const Layout& layout, op::StepFactors factors, int exponent);

}  // namespace sonoma
