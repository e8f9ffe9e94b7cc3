// Where transforms begin in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma::test {

/// The place of the first point of every transform in the input, or in the output: in the order of
/// the batch and, within it, of the loops.
[[nodiscard]] std::vector<std::int64_t> starts(const FftProblem& problem, bool input);

/// Of their spectra, in the same order.
[[nodiscard]] std::vector<std::int64_t> starts_of_spectra(const FftProblem& problem);

}  // namespace sonoma::test
