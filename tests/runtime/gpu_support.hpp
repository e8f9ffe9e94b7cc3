// What the tests of a real GPU share: plans on it, and what they need of the driver beyond the
// runtime.
#pragma once

#include <cstddef>
#include <functional>

#include "sonoma/sonoma.hpp"

struct CUgraph_st;
struct CUgraphExec_st;

namespace sonoma::testing {

[[nodiscard]] inline PlanOptions on_gpu() {
  PlanOptions options;
  options.device = Device::gpu;
  return options;
}

struct GraphFunctions {
  int (*begin_capture)(Stream, int mode);
  int (*end_capture)(Stream, CUgraph_st**);
  int (*instantiate)(CUgraphExec_st**, CUgraph_st*, unsigned long long flags);
  int (*launch)(CUgraphExec_st*, Stream);
  int (*destroy_exec)(CUgraphExec_st*);
  int (*destroy)(CUgraph_st*);
  int (*memory_info)(std::size_t* free, std::size_t* total);
  int (*reset_primary_context)(int device);
};

/// Of the process's driver; the current device's context must be current where they are called.
[[nodiscard]] GraphFunctions open_graph_functions();

/// What `work` puts into a stream, as a graph. Failures of the driver fail the test.
class CapturedGraph {
 public:
  CapturedGraph(Stream stream, const std::function<void()>& work);
  ~CapturedGraph();
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;

  void launch(Stream stream) const;

 private:
  GraphFunctions functions_ = open_graph_functions();
  CUgraph_st* graph_ = nullptr;
  CUgraphExec_st* executable_ = nullptr;
};

}  // namespace sonoma::testing
