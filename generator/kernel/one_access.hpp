// Accesses to shared memory whose places follow no layout, counted one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sonoma/swizzle.hpp"

namespace sonoma {

/// The place in shared memory of a thread's access, in points, if it takes part.
using Place = std::function<std::optional<std::uint32_t>(std::uint32_t thread)>;

/// Of one access of so many threads, 8 bytes each: half a warp is served together.
[[nodiscard]] Wavefronts count_access(std::uint32_t threads, const Place& place);

void add(Wavefronts& sum, const Wavefronts& more);

}  // namespace sonoma
