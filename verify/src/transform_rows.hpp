// Transforms of rows, in place and not normalised, by the library that is asked for. Safe from many
// threads.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {

/// Rows of axes of these lengths. In double precision the oracle is FFTW, in long double it is
/// fftw_long or mpfr.
template <class Real>
void transform_rows(std::vector<std::complex<Real>>& rows, const std::vector<std::int64_t>& lengths,
                    Direction direction, Oracle oracle);

/// Cosine and sine transforms along all axes.
template <class Real>
void transform_rows(std::vector<Real>& rows, const std::vector<std::int64_t>& lengths,
                    Domain domain, Oracle oracle);

}  // namespace sonoma::verification
