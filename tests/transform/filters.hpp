// Convolutions with a filter on the emulated device.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/plan.hpp"
#include "sonoma/verify/check.hpp"
#include "sonoma/verify/reference.hpp"

namespace sonoma::test {

[[nodiscard]] FftProblem problem_of(const std::vector<std::int64_t>& shape, bool real = false);
[[nodiscard]] Plan plan_of(FftProblem problem, std::int64_t batch, const Tuning& tuning = {});

/// Of a signal, or the taps of a filter; real: with no imaginary parts.
[[nodiscard]] std::vector<verification::Complex> some_points(std::int64_t count, bool real,
                                                             double angle);
/// Through the memory of a plan, the points as they lie there.
[[nodiscard]] std::vector<verification::Complex> executed(
    const Plan& plan, const std::vector<verification::Complex>& x,
    const std::vector<verification::Complex>& spectrum = {});

/// Of plans of the problem, with one spectrum.
[[nodiscard]] verification::Report protocol_report(const FftProblem& problem, const Tuning& tuning);
/// In random memory, where a transform's spectra are its own.
void expect_reference(const Plan& plan);

}  // namespace sonoma::test
