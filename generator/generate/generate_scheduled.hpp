// What generate() does behind schedule().
#pragma once

#include "sonoma/generate.hpp"

namespace sonoma {

/// `tuning`: resolved.
[[nodiscard]] Generated generate_scheduled(const Schedule& schedule, const Target& target,
                                           const Tuning& tuning);

}  // namespace sonoma
