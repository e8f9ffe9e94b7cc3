// Which length to pad to, on this GPU.
#pragma once

#include <cstdint>

#include "sonoma/fast_size.hpp"
#include "sonoma/plan.hpp"

namespace sonoma {

/// The length of `n` points or more whose transform takes the least time in large batches:
/// fast_size() with the shipped wisdom, that of Config::wisdom_file, and the device. Of `options`
/// the device and the target matter. Compiles nothing.
[[nodiscard]] FastSize next_fast_size(std::int64_t n, Storage storage = Storage::f32,
                                      const PlanOptions& options = {});

}  // namespace sonoma
