// Which Sonoma this is.
#pragma once

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// Of the library that runs: "0.1.0".
[[nodiscard]] const char* version() noexcept;

/// The commit that it was built from, as `git describe --always --dirty` names it: "2213217", or
/// "2213217-dirty" with changes that were not committed. "unknown" where there was no repository.
[[nodiscard]] const char* commit() noexcept;

}  // namespace sonoma
