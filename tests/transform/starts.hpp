// Where transforms begin in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/problem.hpp"

namespace sonoma::test {

/// The place of the first point of every transform in the input, or in the output: in the order of
/// the batch and, within it, of the loops.
[[nodiscard]] std::vector<std::int64_t> starts(const FftProblem& problem, bool input);

/// In the input that of every channel's, those of a transform one after the other.
[[nodiscard]] std::vector<std::int64_t> starts_of_signals(const FftProblem& problem);

/// Of their spectra, in the order of starts(); of channels the first one's.
[[nodiscard]] std::vector<std::int64_t> starts_of_spectra(const FftProblem& problem);

}  // namespace sonoma::test
