// Stop after stop in words, with what the first warp holds and how it meets the banks.
#pragma once

#include <string>
#include <vector>

#include "walk.hpp"

namespace sonoma::cli::page {

/// Of each stop the stage of the kernel's text that leads to it, or no_stage.
[[nodiscard]] std::string stops_text(const Schedule& schedule, const std::vector<Stop>& stops,
                                     const std::vector<int>& stages);

}  // namespace sonoma::cli::page
