// Whether kept edited kernels still fit what this generator emits.
#pragma once

#include <string>

#include "sonoma/overrides.hpp"

namespace sonoma::cli {

/// "current": the kernel that its request is for has the text that it was made of. "stale": it has
/// another one, or there is no such launch any more.
[[nodiscard]] std::string state_of(const Override& kept);

}  // namespace sonoma::cli
