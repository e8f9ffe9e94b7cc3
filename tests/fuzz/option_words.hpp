// Requests as options of the command line, there and back.
#pragma once

#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma::fuzz {

/// What is printed of the two is read as what prints the same. Where there are no options for it,
/// nothing is said.
void require_round_trip(const FftProblem& problem, const Tuning& tuning);

}  // namespace sonoma::fuzz
