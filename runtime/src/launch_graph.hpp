// The launches of an execution as one submission: a CUDA graph, made with the plan, whose kernels
// get the pointers of each execution. The driver takes 4 us of host time for a launch, and 2 for a
// graph of two (bench/NOTES.md).
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "driver.hpp"
#include "gpu_kernel.hpp"
#include "kernel.hpp"

namespace sonoma {

/// More would take longer to set anew than they save.
inline constexpr std::size_t most_launches_of_graph = 8;

class LaunchGraph {
 public:
  /// Of kernels one after the other, each with arguments; null where the driver knows no graphs, or
  /// makes none of these. The kernels stay the caller's.
  [[nodiscard]] static std::unique_ptr<LaunchGraph> make(
      std::shared_ptr<const Driver> driver, std::span<const GpuKernel* const> kernels,
      std::span<const KernelArguments> arguments);
  /// Quiet where the context is gone already.
  ~LaunchGraph();
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  /// Enqueues the kernels with other arguments of the same batches. False, and nothing is enqueued:
  /// another thread is about to, the stream is another than the last time (the executions of a
  /// graph wait for each other), or is being captured. Throws FftError (Stage::launch).
  [[nodiscard]] bool launch(std::span<const KernelArguments> arguments, Stream stream);

 private:
  struct Node {
    const GpuKernel* kernel;
    KernelArguments arguments;
    CUgraphNode node;
  };

  LaunchGraph(std::shared_ptr<const Driver> driver, const GpuDevice& device)
      : driver_(std::move(driver)), device_(device) {}
  [[nodiscard]] bool build(std::span<const GpuKernel* const> kernels,
                           std::span<const KernelArguments> arguments);
  [[nodiscard]] bool add(const GpuKernel& kernel, const KernelArguments& arguments);
  [[nodiscard]] bool is_open(Stream stream);
  [[nodiscard]] bool set(std::span<const KernelArguments> arguments);

  std::shared_ptr<const Driver> driver_;
  GpuDevice device_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
  std::vector<Node> nodes_;
  std::mutex mutex_;
  Stream last_ = nullptr;  // whose execution was the last one
};

}  // namespace sonoma
