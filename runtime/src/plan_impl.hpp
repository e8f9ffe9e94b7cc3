#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "launch_graph.hpp"
#include "runtime.hpp"

namespace sonoma {

class Plan::Impl {
 public:
  using Kernels = std::vector<std::shared_ptr<const LoadedKernel>>;

  /// `kernels`: of the launches of `program`. `workspace`: null where none is needed, or the caller
  /// brings one.
  /// `driver`: of a GPU, else null.
  Impl(FftProblem problem, std::shared_ptr<const Choice> choice, Program program, Kernels kernels,
       std::shared_ptr<const Workspace> workspace, std::shared_ptr<const Driver> driver);

  void execute(const void* in, void* out, const ExecuteOptions& options) const;

  [[nodiscard]] const FftProblem& problem() const { return problem_; }
  [[nodiscard]] const Choice& choice() const { return *choice_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Kernels& kernels() const { return kernels_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] const KernelResources& resources() const { return resources_; }
  [[nodiscard]] const ErrorEstimate& error() const { return error_; }
  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }

 private:
  /// Of the launches of one axis.
  struct Axis {
    std::size_t first = 0, last = 0;  ///< of them, and the one behind them
    std::int64_t batch = 1, together = 1;
    /// From one of the batch to the next.
    std::size_t in_bytes = 0, out_bytes = 0, spectrum_bytes = 0;
  };
  using Buffers = std::array<std::byte*, 5>;  ///< in the order of Buffer

  /// Calls take(kernel, arguments) for each launch, in their order.
  template <class Take>
  void each_launch(const Buffers& buffers, const ExecuteOptions& options, Take&& take) const;
  template <class Take>
  void each_launch(const Axis& axis, const Buffers& buffers, const ExecuteOptions& options,
                   Take&& take) const;
  [[nodiscard]] Buffers buffers_of(const void* in, void* out, std::byte* workspace) const;
  [[nodiscard]] bool launch_at_once(const Buffers& buffers, const ExecuteOptions& options) const;
  [[nodiscard]] std::unique_ptr<LaunchGraph> make_graph(std::shared_ptr<const Driver> driver) const;
  void check_pointers(const void* in, const void* out) const;
  void check_spectrum(const void* spectrum, const void* out, const void* workspace) const;
  [[nodiscard]] void* check_workspace(const void* in, const void* out, void* given) const;

  FftProblem problem_;
  std::shared_ptr<const Choice> choice_;
  Program program_;
  Kernels kernels_;
  std::shared_ptr<const Workspace> workspace_;
  std::size_t in_bytes_, out_bytes_;
  std::size_t spectrum_bytes_;  // of all; 0: no convolution
  std::size_t workspace_bytes_, between_offset_, signals_offset_;
  std::vector<Axis> axes_;
  std::string source_;
  KernelResources resources_;
  ErrorEstimate error_;                 // of all launches
  std::unique_ptr<LaunchGraph> graph_;  // of few launches, more than one
};

}  // namespace sonoma
