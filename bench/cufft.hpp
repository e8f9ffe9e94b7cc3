// cuFFT, opened at run time.
#pragma once

#include <cufft.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sonoma/plan.hpp"

namespace sonoma::bench {

/// The library; shared by its plans.
class Cufft {
 public:
  /// The names of the loader's own path, then those of the toolkits that NVRTC is looked for in.
  [[nodiscard]] static std::vector<std::string> default_paths();

  /// Opens the first of `paths` that can be opened. Throws FftError (Stage::load_library).
  explicit Cufft(const std::vector<std::string>& paths = default_paths());
  ~Cufft();
  Cufft(const Cufft&) = delete;
  Cufft& operator=(const Cufft&) = delete;

  /// True where an execution may leave something else in its input: on the way to real numbers, as
  /// the cuFFT API Reference warns.
  [[nodiscard]] static bool overwrites_input(const FftProblem& problem) {
    return problem.domain == Domain::c2r;
  }

  /// A batched transform, out of place, on one stream. Lengths, batch, domain, direction and
  /// storage are those of a problem, strides and distances too; its scale is not applied. Of loops
  /// a plan takes the innermost one, and is executed for each index of the others and of the batch:
  /// of planes of transforms side by side, for each plane.
  class Plan {
   public:
    /// Throws UnsupportedProblem where cuFFT makes no such plan (its 16-bit transforms: powers of
    /// two; bf16: sm_80 and later; none with padding, cropping or integers), FftError
    /// (Stage::launch).
    Plan(const Cufft& library, const FftProblem& problem, Stream stream);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    /// `in` is left alone unless overwrites_input().
    void execute(const void* in, void* out) const;
    [[nodiscard]] std::size_t workspace_bytes() const;

   private:
    void make(const FftProblem& problem);
    void find_starts(const FftProblem& problem);
    [[nodiscard]] cufftResult execute_once(void* in, void* out) const;

    const Cufft& library_;
    Storage storage_;
    Domain domain_;
    int direction_;
    struct Start {
      std::size_t in_bytes, out_bytes;
    };
    std::vector<Start> starts_;  // of each execution
    cufftHandle handle_ = 0;
  };

 private:
  struct Functions;
  std::unique_ptr<const Functions> functions_;
};

}  // namespace sonoma::bench
