// Which length to pad to, on this GPU.
#pragma once

#include <cstdint>

#include "sonoma/api.hpp"
#include "sonoma/fast_size.hpp"
#include "sonoma/plan.hpp"

namespace SONOMA_API sonoma {

/// The length of `n` points or more whose transform takes the least time in large batches:
/// fast_size() with the shipped wisdom, that of Config::wisdom_file, and the device. Of `options`
/// the device and the target matter. Compiles nothing.
[[nodiscard]] FastSize next_fast_size(std::int64_t n, Storage storage = Storage::f32,
                                      const PlanOptions& options = {});

/// The lengths, of one axis or two, each as in `least` or longer, whose transforms take the least
/// time: fast_shape() of the domain, storage and batch of `least`. Throws UnsupportedProblem.
[[nodiscard]] FastShape next_fast_shape(const FftProblem& least, const PlanOptions& options = {});

}  // namespace sonoma
