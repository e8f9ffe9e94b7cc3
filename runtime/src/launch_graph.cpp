#include "launch_graph.hpp"

#include <utility>

namespace sonoma {
namespace {

// The kernel begins early, and waits for the other's results itself.
constexpr CUgraphEdgeData begins_early = {
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, 0, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, {}};

}  // namespace

std::unique_ptr<LaunchGraph> LaunchGraph::make(std::shared_ptr<const Driver> driver,
                                               std::span<const GpuKernel* const> kernels,
                                               std::span<const KernelArguments> arguments) {
  if (!driver->graphs()) return nullptr;
  const GpuDevice& device = kernels.front()->device();
  std::unique_ptr<LaunchGraph> made(new LaunchGraph(std::move(driver), device));
  return made->build(kernels, arguments) ? std::move(made) : nullptr;
}

bool LaunchGraph::build(std::span<const GpuKernel* const> kernels,
                        std::span<const KernelArguments> arguments) {
  const GraphFunctions& cu = *driver_->graphs();
  const ContextScope scope(driver_->functions(), device_.context);
  const RelaxedCapture relaxed(driver_->functions());
  if (scope.result() != CUDA_SUCCESS || cu.create(&graph_, 0) != CUDA_SUCCESS) return false;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (!add(*kernels[i], arguments[i])) return false;
  }
  return cu.instantiate(&executable_, graph_, 0) == CUDA_SUCCESS;
}

bool LaunchGraph::add(const GpuKernel& kernel, const KernelArguments& arguments) {
  const GraphFunctions& cu = *driver_->graphs();
  GpuLaunch launch(kernel, arguments);
  CUgraphNode node = nullptr;
  if (cu.add_kernel(&node, graph_, nullptr, 0, &launch.node()) != CUDA_SUCCESS) return false;
  if (!nodes_.empty()) {
    const bool early = kernel.shape().follows && driver_->overlaps_launches();
    const CUgraphEdgeData edge = early ? begins_early : CUgraphEdgeData{};
    if (cu.add_edges(graph_, &nodes_.back().node, &node, &edge, 1) != CUDA_SUCCESS) return false;
  }
  nodes_.push_back({&kernel, arguments, node});
  return true;
}

LaunchGraph::~LaunchGraph() {
  if (!driver_->still_has(device_)) return;
  const ContextScope scope(driver_->functions(), device_.context);
  if (scope.result() != CUDA_SUCCESS) return;
  const RelaxedCapture relaxed(driver_->functions());
  if (executable_ != nullptr) (void)driver_->graphs()->destroy_executable(executable_);
  if (graph_ != nullptr) (void)driver_->graphs()->destroy(graph_);
}

bool LaunchGraph::is_open(Stream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (driver_->graphs()->is_capturing(stream, &status) != CUDA_SUCCESS ||
      status != CU_STREAM_CAPTURE_STATUS_NONE) {
    return false;
  }
  return std::exchange(last_, stream) == stream;
}

// An executable graph that was launched keeps the arguments that it had then.
bool LaunchGraph::set(std::span<const KernelArguments> arguments) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].arguments == arguments[i]) continue;
    GpuLaunch launch(*nodes_[i].kernel, arguments[i]);
    if (driver_->graphs()->set_kernel(executable_, nodes_[i].node, &launch.node()) !=
        CUDA_SUCCESS) {
      return false;
    }
    nodes_[i].arguments = arguments[i];
  }
  return true;
}

bool LaunchGraph::launch(std::span<const KernelArguments> arguments, Stream stream) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  const ContextScope scope(driver_->functions(), device_.context);
  driver_->check(scope.result(), Stage::launch, "cuCtxPushCurrent");
  if (!is_open(stream) || !set(arguments)) return false;
  driver_->check(driver_->graphs()->launch(executable_, stream), Stage::launch, "cuGraphLaunch");
  return true;
}

}  // namespace sonoma
