#include "gpu_support.hpp"

#include <gtest/gtest.h>

#include <string>

#include "driver.hpp"

namespace sonoma::testing {

GraphFunctions open_graph_functions() {
  std::string searched;
  const auto library = DynamicLibrary::open(Config{}.driver_libraries, searched);
  GraphFunctions functions{};
  library->require("cuStreamBeginCapture_v2", functions.begin_capture);
  library->require("cuStreamEndCapture", functions.end_capture);
  library->require("cuGraphInstantiateWithFlags", functions.instantiate);
  library->require("cuGraphLaunch", functions.launch);
  library->require("cuGraphExecDestroy", functions.destroy_exec);
  library->require("cuGraphDestroy", functions.destroy);
  library->require("cuMemGetInfo_v2", functions.memory_info);
  library->require("cuDevicePrimaryCtxReset_v2", functions.reset_primary_context);
  return functions;
}

CapturedGraph::CapturedGraph(Stream stream, const std::function<void()>& work) {
  constexpr int capture_mode_global = 0;
  EXPECT_EQ(functions_.begin_capture(stream, capture_mode_global), 0);
  work();
  EXPECT_EQ(functions_.end_capture(stream, &graph_), 0);
  EXPECT_EQ(functions_.instantiate(&executable_, graph_, 0), 0);
}

CapturedGraph::~CapturedGraph() {
  EXPECT_EQ(functions_.destroy_exec(executable_), 0);
  EXPECT_EQ(functions_.destroy(graph_), 0);
}

void CapturedGraph::launch(Stream stream) const {
  EXPECT_EQ(functions_.launch(executable_, stream), 0);
}

}  // namespace sonoma::testing
