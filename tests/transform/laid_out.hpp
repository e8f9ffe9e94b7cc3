// Memory that a problem lays out, with guards around it, and what FFTW makes of it.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "sonoma/plan.hpp"

namespace sonoma::test {

/// Of one side: `guard` points, those that the layout reaches, `guard` points. As complex numbers
/// that the storage holds.
using Memory = std::vector<std::complex<float>>;
using MemoryD = std::vector<std::complex<double>>;
inline constexpr std::ptrdiff_t guard = 32;

/// Normal numbers times `unit`, as the input's storage holds them.
[[nodiscard]] Memory random_input(const FftProblem& problem, float unit = 1);
/// A number that no transform makes, everywhere.
[[nodiscard]] Memory poisoned_output(const FftProblem& problem);

/// The places of all points of a transform from its first one on, in the order of the axes.
[[nodiscard]] std::vector<std::int64_t> places(const FftProblem& problem, bool input);

/// By FFTW's guru interface in double precision: of one axis or several, times the scale.
[[nodiscard]] MemoryD expected_by_guru(const FftProblem& problem, const Memory& in);
/// By its advanced interface: of one axis without loops.
[[nodiscard]] MemoryD expected_by_advanced(const FftProblem& problem, const Memory& in);

/// Executes on host memory. In place: on `out`. `in` must stay as it is.
void execute_on(const Plan& plan, const Memory& in, Memory& out, void* workspace = nullptr);

/// Every transform is as near as `limit` says in relative L2 (i16: every part within 0.51), and
/// all other memory as it was.
void expect_transforms(const FftProblem& problem, const MemoryD& exact, const Memory& out,
                       Memory untouched, double limit);

/// Strides of dimensions in a random order from the nearest to the farthest, with random gaps.
[[nodiscard]] std::vector<std::int64_t> random_strides(std::mt19937& random,
                                                       const std::vector<std::int64_t>& counts);

}  // namespace sonoma::test
