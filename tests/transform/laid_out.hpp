// Memory that a problem lays out, with guards around it, and what FFTW makes of it.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "sonoma/plan.hpp"

namespace sonoma::test {

/// Of one side: a guard, the points that the layout reaches, a guard. As complex numbers that the
/// storage holds; on a real side each is one real number in memory.
using Memory = std::vector<std::complex<float>>;
using MemoryD = std::vector<std::complex<double>>;
inline constexpr std::ptrdiff_t guard = 32;  ///< points; of real ones as many bytes
[[nodiscard]] std::ptrdiff_t guard_of(const FftProblem& problem, bool input);
/// Of the memory of a side. In place both sides have the same bytes; real numbers come in pairs.
[[nodiscard]] std::size_t size_of(const FftProblem& problem, bool input);

/// Normal numbers times `unit`, as the input's storage holds them: on a Hermitian side all complex,
/// those of frequency 0 and n / 2 too. What is no point of a transform is NaN, but in place and as
/// integers.
[[nodiscard]] Memory random_input(const FftProblem& problem, float unit = 1);
/// What the memory of the output has before: in place the input, else a number that no transform
/// makes, everywhere.
[[nodiscard]] Memory output_before(const FftProblem& problem, const Memory& in);

/// The places of all points of a transform in memory from its first one on, in the order of the
/// axes.
[[nodiscard]] std::vector<std::int64_t> places(const FftProblem& problem, bool input);

/// By FFTW's guru interface in double precision: of one axis or several, times the scale. Of a
/// Hermitian side by the last axis alone, behind complex transforms along all others: what is not
/// Hermitian is ignored as numpy's irfftn() ignores it.
[[nodiscard]] MemoryD expected_by_guru(const FftProblem& problem, const Memory& in);
/// c2r by FFTW alone: only of what is Hermitian.
[[nodiscard]] MemoryD expected_by_c2r(const FftProblem& problem, const Memory& in);
/// Padded and cropped along any axes: by FFTW, of transforms that follow each other and are whole.
/// Of a convolution by its reference, each with its own of the spectra.
[[nodiscard]] MemoryD expected_by_rows(const FftProblem& problem, const Memory& in,
                                       const std::vector<std::complex<float>>& spectra = {});
/// By its advanced interface: of one axis without loops.
[[nodiscard]] MemoryD expected_by_advanced(const FftProblem& problem, const Memory& in);

/// Executes on host memory, `out` being output_before(). In place: on `out`. `in` must stay as it
/// is.
void execute_on(const Plan& plan, const Memory& in, Memory& out, void* workspace = nullptr,
                const void* user = nullptr, const void* spectrum = nullptr);
/// The same of a plan on a GPU; of a convolution with these spectra.
void execute_on_gpu(const Plan& plan, const Memory& in, Memory& out,
                    const std::vector<std::complex<float>>& spectra = {});

/// Squared, of all points of each transform, of which expected_by_rows() has those that are stored.
[[nodiscard]] std::vector<double> norms_of_rows(const FftProblem& problem, const Memory& in,
                                                const std::vector<std::complex<float>>& spectra);

/// Every transform is as near as `limit` says in relative L2 (i16: every part within 0.51), and
/// all other memory as it was. `norms`: what errors are relative to; empty: the points stored.
void expect_transforms(const FftProblem& problem, const MemoryD& exact, const Memory& out,
                       Memory untouched, double limit, const std::vector<double>& norms = {});

/// Strides of dimensions in a random order from the nearest to the farthest, with random gaps.
[[nodiscard]] std::vector<std::int64_t> random_strides(std::mt19937& random,
                                                       const std::vector<std::int64_t>& counts);

}  // namespace sonoma::test
