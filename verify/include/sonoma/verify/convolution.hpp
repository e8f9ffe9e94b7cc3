// What a convolution is judged against.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/problem.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {

/// spectrum_points() points with independent normal components, as a convolution takes them. Of
/// real numbers of one axis the imaginary parts that are ignored are large.
[[nodiscard]] std::vector<Complex> random_spectrum(const FftProblem& problem, std::uint64_t seed);

/// Of rows of n points, or of the signals of all channels one after the other: row r with the
/// spectra that begin at point r * spectrum_dist. Loops are not looked at. See convolution.hpp of
/// the generator.
[[nodiscard]] std::vector<ComplexD> reference_convolution(const std::vector<Complex>& x,
                                                          const FftProblem& problem,
                                                          const std::vector<Complex>& spectrum,
                                                          Oracle oracle = Oracle::fftw);

}  // namespace sonoma::verification
