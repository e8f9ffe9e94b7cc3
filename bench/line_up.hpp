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
  Accuracy accuracy = {};  ///< in place of the problem's, if it says something
  EditKernel edit_kernel = {};
  bool overrides = false;
};

/// sonoma: what the planner chooses; sonoma-mma, sonoma-simt: one engine alone;
/// sonoma-packed, of f16: FP16 throughout.
[[nodiscard]] const std::vector<Variant>& sonoma_variants();

/// A copy of as many bytes as the problem moves.
[[nodiscard]] Contender copy_contender(const FftProblem& problem, const Workload& workload,
                                       Stream stream);
/// A plan, on the device of the workload. Throws UnsupportedProblem, FftError.
[[nodiscard]] Contender sonoma_contender(const Variant& variant, const FftProblem& problem,
                                         const Workload& workload, Stream stream);
/// cuFFT's, on a GPU. Throws UnsupportedProblem, FftError.
[[nodiscard]] Contender cufft_contender(const Cufft& library, const FftProblem& problem,
                                        const Workload& workload, Stream stream);

struct LineUp {
  std::vector<Contender> contenders;  ///< the copy first
  std::vector<std::string> notes;     ///< who cannot serve the problem, and why
};

/// The copy, these variants and, where `cufft` is not null, cuFFT, of a convolution with a
/// product between its transforms; all of them on `stream`, from the workload's input to its
/// output. They keep a reference to the workload. Throws FftError.
[[nodiscard]] LineUp line_up(const FftProblem& problem, const std::vector<Variant>& variants,
                             const Workload& workload, const Cufft* cufft, const GpuStream& stream);

}  // namespace sonoma::bench
