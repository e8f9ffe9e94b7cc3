// cuFFT, opened at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sonoma/plan.hpp"

namespace sonoma::bench {

/// The library; shared by its plans. Throws FftError (Stage::load_library) naming the files tried.
class Cufft {
 public:
  Cufft();
  ~Cufft();
  Cufft(const Cufft&) = delete;
  Cufft& operator=(const Cufft&) = delete;

  /// A batched, contiguous, forward, out-of-place complex FP32 transform on one stream.
  class Plan {
   public:
    Plan(const Cufft& library, std::int64_t n, std::int64_t batch, Stream stream);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    void execute(void* in, void* out) const;
    [[nodiscard]] std::size_t workspace_bytes() const;

   private:
    const Cufft& library_;
    int handle_ = 0;
  };

 private:
  struct Functions;
  std::unique_ptr<const Functions> functions_;
};

}  // namespace sonoma::bench
