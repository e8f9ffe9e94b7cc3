// Which layouts of data are served.
#pragma once

#include "sonoma/problem.hpp"

namespace sonoma {

/// Throws UnsupportedProblem for a loop without transforms, or with more than 64 bits number.
void check_loops(const FftProblem& problem);

/// Throws UnsupportedProblem for distances that are not positive or too large, a side on which two
/// points share a place, and sides that differ in a problem in place.
void validate_layout(const FftProblem& problem);

}  // namespace sonoma
