#include "launch_graph.hpp"

#include <utility>

namespace sonoma {
namespace {

// CUgraphEdgeData of CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC: the kernel begins early, and waits for
// the other's results itself.
constexpr GraphEdge begins_early = {1, 0, 1, {}};

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
  if (scope.result() != 0 || cu.create(&graph_, 0) != 0) return false;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (!add(*kernels[i], arguments[i])) return false;
  }
  return cu.instantiate(&executable_, graph_, 0) == 0;
}

bool LaunchGraph::add(const GpuKernel& kernel, const KernelArguments& arguments) {
  const GraphFunctions& cu = *driver_->graphs();
  GpuLaunch launch(kernel, arguments);
  GraphNode node = nullptr;
  if (cu.add_kernel(&node, graph_, nullptr, 0, &launch.node()) != 0) return false;
  if (!nodes_.empty()) {
    const bool early = kernel.shape().follows && driver_->overlaps_launches();
    const GraphEdge edge = early ? begins_early : GraphEdge{};
    if (cu.add_edges(graph_, &nodes_.back().node, &node, &edge, 1) != 0) return false;
  }
  nodes_.push_back({&kernel, arguments, node});
  return true;
}

LaunchGraph::~LaunchGraph() {
  if (!driver_->still_has(device_)) return;
  const ContextScope scope(driver_->functions(), device_.context);
  if (scope.result() != 0) return;
  const RelaxedCapture relaxed(driver_->functions());
  if (executable_ != nullptr) (void)driver_->graphs()->destroy_executable(executable_);
  if (graph_ != nullptr) (void)driver_->graphs()->destroy(graph_);
}

bool LaunchGraph::is_open(Stream stream) {
  int capturing = 0;
  if (driver_->graphs()->is_capturing(stream, &capturing) != 0 || capturing != 0) return false;
  return std::exchange(last_, stream) == stream;
}

// An executable graph that was launched keeps the arguments that it had then.
bool LaunchGraph::set(std::span<const KernelArguments> arguments) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].arguments == arguments[i]) continue;
    GpuLaunch launch(*nodes_[i].kernel, arguments[i]);
    if (driver_->graphs()->set_kernel(executable_, nodes_[i].node, &launch.node()) != 0) {
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
