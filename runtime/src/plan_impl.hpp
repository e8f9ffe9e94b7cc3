#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime.hpp"

namespace sonoma {

/// Of one side, in bytes: n points.
[[nodiscard]] inline std::size_t bytes_per_transform(const FftProblem& problem) {
  return static_cast<std::size_t>(problem.n()) * point_bytes(problem.storage);
}

class Plan::Impl {
 public:
  Impl(FftProblem problem, std::shared_ptr<const Choice> choice,
       std::shared_ptr<const LoadedKernel> kernel)
      : problem_(std::move(problem)),
        choice_(std::move(choice)),
        bytes_(bytes_per_transform(problem_) * static_cast<std::uint64_t>(problem_.batch)),
        kernel_(std::move(kernel)) {}

  void execute(const void* in, void* out, Stream stream) const;

  [[nodiscard]] const FftProblem& problem() const { return problem_; }
  [[nodiscard]] const Choice& choice() const { return *choice_; }
  [[nodiscard]] const LoadedKernel& loaded() const { return *kernel_; }

 private:
  void check_pointers(const void* in, const void* out) const;

  FftProblem problem_;
  std::shared_ptr<const Choice> choice_;
  std::size_t bytes_;  // of one side
  std::shared_ptr<const LoadedKernel> kernel_;
};

}  // namespace sonoma
