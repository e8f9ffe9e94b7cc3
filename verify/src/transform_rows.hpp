// Transforms by FFTW, in place.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {

/// Rows of n points each, of axes of these lengths. Not normalised. Safe from many threads.
void transform_rows(std::vector<ComplexD>& rows, const std::vector<std::int64_t>& lengths,
                    std::int64_t n, Direction direction);

}  // namespace sonoma::verification
