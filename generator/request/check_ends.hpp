// Which ends a problem may have.
#pragma once

#include "sonoma/problem.hpp"

namespace sonoma {

/// Points of the longest axis.
inline constexpr std::int64_t largest_n = std::int64_t{1} << 31;

/// Throws UnsupportedProblem for lengths that no axis has, and for code that cannot be told where
/// its points are.
void check_ends(const FftProblem& problem);

}  // namespace sonoma
