// Who is timed on a problem.
#pragma once

#include <string>
#include <vector>

#include "contender.hpp"
#include "cufft.hpp"
#include "workload.hpp"

namespace sonoma::bench {

/// The names of Sonoma's rows, and what each asks for.
struct Variant {
  std::string name;
  Tuning tuning;
};

/// sonoma: what the planner chooses; sonoma-mma, sonoma-simt: one engine alone.
[[nodiscard]] const std::vector<Variant>& sonoma_variants();

struct LineUp {
  std::vector<Contender> contenders;  ///< the copy first
  std::vector<std::string> notes;     ///< who cannot serve the problem, and why
};

/// The copy, Sonoma's variants and, where `cufft` is not null, cuFFT, of a convolution with a
/// product between its transforms; all of them on `stream`, from the workload's input to its
/// output. They keep a reference to the workload. Throws FftError.
[[nodiscard]] LineUp line_up(const FftProblem& problem, const Workload& workload,
                             const Cufft* cufft, const GpuStream& stream);

}  // namespace sonoma::bench
