// The parts of a page that are about one pass, or about one launch.
#pragma once

#include <string>

#include "page.hpp"

namespace sonoma::cli::page {

/// A pass, of a kernel that is launched like this: its tree, the way of its digits, and what it
/// costs. `measured`: its share of a copy's speed, where that was measured of this kernel alone.
/// `first`: of the page, with how to read it.
[[nodiscard]] std::string pass_text(const Generated& pass, const LaunchShape& launch,
                                    const std::vector<int>& stages, const Compiled& compiled,
                                    std::optional<double> measured, bool first);

/// Of several launches: what goes where.
[[nodiscard]] std::string launches_text(const Subject& subject);

/// A table of names and values.
using Rows = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string table(const Rows& rows);

}  // namespace sonoma::cli::page
