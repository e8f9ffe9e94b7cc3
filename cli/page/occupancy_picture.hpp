// How many blocks an SM holds, and what keeps it from holding more.
#pragma once

#include <string>

#include "sonoma/occupancy.hpp"

namespace sonoma::cli::page {

/// An SVG: a bar for each resource, as long as the blocks that it alone has room for.
[[nodiscard]] std::string occupancy_svg(const Occupancy& occupancy);

}  // namespace sonoma::cli::page
