// The decomposition as a tree.
#pragma once

#include <string>

#include "sonoma/schedule.hpp"

namespace sonoma::cli::page {

/// An SVG: each length falls apart into a step and what is left.
[[nodiscard]] std::string tree_svg(const Schedule& schedule);

}  // namespace sonoma::cli::page
