// A CUDA driver made of host memory: what the runtime asks of libcuda.so.1, with every call
// recorded and any one made to fail. "Device memory" is host memory, so uploads can be looked at.
#include "fake_driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace {

sonoma::testing::FakeDriverState state;
thread_local std::vector<void*> contexts;
thread_local int capture_mode = 0;
std::mutex mutex;
// Never destroyed: it keeps in sight what a context that is gone took with it.
auto& memory = *new std::set<unsigned long long>;

constexpr int invalid_value = 1;
constexpr int invalid_context = 201;

int call(const char* name) {
  const std::lock_guard lock(mutex);
  state.calls.emplace_back(name);
  if (capture_mode != 2 && state.others_capture && state.unsafe_while_capturing.contains(name)) {
    return 900;  // CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
  }
  return state.failing == name ? state.error : 0;
}

int call_in_context(const char* name) {
  const int result = call(name);
  return result == 0 && contexts.empty() ? invalid_context : result;
}

// Of the launches of a process the one that ends it, as the environment says.
bool is_last_launch(std::size_t number) {
  const char* last = std::getenv("SONOMA_FAKE_DRIVER_LAST_LAUNCH");
  return last != nullptr && std::to_string(number) == last;
}

int primary_context, some_module, some_function, some_stream;

}  // namespace

extern "C" {

sonoma::testing::FakeDriverState* sonoma_fake_driver_state() { return &state; }

int cuInit(unsigned) { return call("cuInit"); }
int cuDriverGetVersion(int* version) { return *version = 13000, call("cuDriverGetVersion"); }
int cuGetErrorName(int, const char** name) { return *name = "CUDA_ERROR_FAKE", 0; }
int cuGetErrorString(int, const char** text) { return *text = "a made-up failure", 0; }
int cuDeviceGetCount(int* count) { return *count = state.devices, call("cuDeviceGetCount"); }
int cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
  return call("cuDeviceGetName");
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = state.attributes[attribute];
  return call("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &primary_context;
  return call("cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int) { return call("cuDevicePrimaryCtxRelease_v2"); }
int cuCtxGetCurrent(void** context) {
  *context = contexts.empty() ? nullptr : contexts.back();
  return call("cuCtxGetCurrent");
}
int cuCtxGetDevice(int* device) { return *device = 0, call_in_context("cuCtxGetDevice"); }
int cuCtxGetId(void*, unsigned long long* id) { return *id = state.context_id, call("cuCtxGetId"); }
int cuCtxPushCurrent_v2(void* context) {
  const int result = call("cuCtxPushCurrent_v2");
  if (result == 0) contexts.push_back(context);
  return result;
}
int cuCtxPopCurrent_v2(void** context) {
  if (contexts.empty()) return invalid_context;
  *context = contexts.back();
  contexts.pop_back();
  return call("cuCtxPopCurrent_v2");
}
int cuThreadExchangeStreamCaptureMode(int* mode) {
  std::swap(*mode, capture_mode);
  return call("cuThreadExchangeStreamCaptureMode");
}
int cuModuleLoadData(void** module, const void* image) {
  const int result = call_in_context("cuModuleLoadData");
  const std::lock_guard lock(mutex);
  state.module = std::string(static_cast<const char*>(image), 4);
  if (result == 0) *module = &some_module;
  return result;
}
int cuModuleUnload(void*) { return call_in_context("cuModuleUnload"); }
int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = &some_function;
  const int result = call_in_context("cuModuleGetFunction");
  const std::lock_guard lock(mutex);
  state.function_name = name;
  return state.failing == name ? state.error : result;
}
int cuFuncGetAttribute(int* value, int attribute, void*) {
  *value = 10 * attribute;
  return call_in_context("cuFuncGetAttribute");
}
int cuFuncSetAttribute(void*, int attribute, int value) {
  const int result = call_in_context("cuFuncSetAttribute");
  const std::lock_guard lock(mutex);
  state.function_attributes[attribute] = value;
  return result;
}
// NOLINTNEXTLINE(readability-function-size): the driver's signature
int cuLaunchKernel(void*, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
                   void** arguments, void**) {
  const int result = call_in_context("cuLaunchKernel");
  if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1) return invalid_value;
  const std::lock_guard lock(mutex);
  state.launches.push_back(
      {grid_x, block_x, shared_bytes, stream, *static_cast<const void**>(arguments[0]),
       *static_cast<void**>(arguments[1]), *static_cast<unsigned long long*>(arguments[2]),
       *static_cast<unsigned long long*>(arguments[3])});
  if (is_last_launch(state.launches.size())) std::_Exit(9);
  return result;
}
struct FakeAttribute {  // CUlaunchAttribute
  alignas(8) int id;
  alignas(8) int value[16];
};
struct FakeConfig {  // CUlaunchConfig
  unsigned grid[3], block[3], shared_bytes;
  void* stream;
  FakeAttribute* attributes;
  unsigned count;
};
int cuLaunchKernelEx(const FakeConfig* config, void* function, void** arguments, void** extra) {
  const unsigned *grid = config->grid, *block = config->block;
  const int result =
      cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                     config->shared_bytes, config->stream, arguments, extra);
  constexpr int programmatic_stream_serialization = 6;
  if (config->count != 1) return invalid_value;
  const std::lock_guard lock(mutex);
  state.launches.back().follows = config->attributes[0].id == programmatic_stream_serialization &&
                                  config->attributes[0].value[0] == 1;
  return result;
}
// Graphs: kernels one after the other.
struct FakeKernelNode {  // CUDA_KERNEL_NODE_PARAMS_v2
  void* function;
  unsigned grid[3], block[3], shared_bytes;
  void **arguments, **extra, *kernel, *context;
};
struct FakeNode {
  sonoma::testing::FakeLaunch launch;
};
struct FakeGraph {
  std::vector<FakeNode*> nodes;
};
static void set(FakeNode& node, const FakeKernelNode& p) {
  const bool follows = node.launch.follows;
  node.launch = {p.grid[0],
                 p.block[0],
                 p.shared_bytes,
                 nullptr,
                 *static_cast<const void**>(p.arguments[0]),
                 *static_cast<void**>(p.arguments[1]),
                 *static_cast<unsigned long long*>(p.arguments[2]),
                 *static_cast<unsigned long long*>(p.arguments[3]),
                 follows};
}
int cuGraphCreate(FakeGraph** graph, unsigned) {
  const int result = call_in_context("cuGraphCreate");
  if (result == 0) *graph = new FakeGraph, ++state.graphs;
  return result;
}
int cuGraphAddKernelNode_v2(FakeNode** node, FakeGraph* graph, FakeNode* const*, std::size_t,
                            const FakeKernelNode* parameters) {
  const int result = call_in_context("cuGraphAddKernelNode_v2");
  if (result != 0) return result;
  *node = graph->nodes.emplace_back(new FakeNode{});
  set(**node, *parameters);
  return 0;
}
int cuGraphAddDependencies_v2(FakeGraph* graph, FakeNode* const* from, FakeNode* const* to,
                              const unsigned char* edge, std::size_t count) {
  const auto at = std::ranges::find(graph->nodes, *from);
  if (count != 1 || at == graph->nodes.end() || *std::next(at) != *to) return invalid_value;
  constexpr unsigned char programmatic[] = {1, 0, 1};
  (*to)->launch.follows = std::equal(programmatic, programmatic + 3, edge);
  return call_in_context("cuGraphAddDependencies_v2");
}
int cuGraphInstantiateWithFlags(FakeGraph** executable, FakeGraph* graph, unsigned long long) {
  const int result = call_in_context("cuGraphInstantiateWithFlags");
  if (result == 0) *executable = graph;
  return result;
}
int cuGraphExecKernelNodeSetParams_v2(FakeGraph*, FakeNode* node, const FakeKernelNode* p) {
  const int result = call_in_context("cuGraphExecKernelNodeSetParams_v2");
  if (result == 0) set(*node, *p);
  return result;
}
int cuGraphLaunch(FakeGraph* graph, void* stream) {
  const int result = call_in_context("cuGraphLaunch");
  if (result != 0) return result;
  const std::lock_guard lock(mutex);
  for (const FakeNode* node : graph->nodes) {
    state.launches.push_back(node->launch);
    state.launches.back().stream = stream;
  }
  return 0;
}
int cuStreamIsCapturing(void*, int* status) {
  *status = state.captures ? 1 : 0;
  return call("cuStreamIsCapturing");
}
int cuGraphExecDestroy(FakeGraph*) { return call_in_context("cuGraphExecDestroy"); }
int cuGraphDestroy(FakeGraph* graph) {
  for (const FakeNode* node : graph->nodes) delete node;
  delete graph;
  --state.graphs;
  return call_in_context("cuGraphDestroy");
}
int cuMemAlloc_v2(unsigned long long* pointer, std::size_t bytes) {
  const int result = call_in_context("cuMemAlloc_v2");
  if (result != 0) return result;
  *pointer =
      reinterpret_cast<unsigned long long>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  const std::lock_guard lock(mutex);
  memory.insert(*pointer);
  ++state.allocations;
  return 0;
}
int cuMemFree_v2(unsigned long long pointer) {
  const int result = call_in_context("cuMemFree_v2");
  if (result != 0) return result;
  std::free(reinterpret_cast<void*>(pointer));
  const std::lock_guard lock(mutex);
  memory.erase(pointer);
  --state.allocations;
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
  const int result = call_in_context("cuMemcpyHtoD_v2");
  if (result == 0) std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return result;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
  const int result = call_in_context("cuMemcpyDtoH_v2");
  if (result == 0) std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return result;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void* stream) {
  const int result = call_in_context("cuMemcpyHtoDAsync_v2");
  if (result != 0 || stream == nullptr) return result != 0 ? result : invalid_value;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t bytes, void*) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return call_in_context("cuMemcpyDtoDAsync_v2");
}
int cuMemsetD32Async(unsigned long long to, unsigned value, std::size_t words, void*) {
  std::fill_n(reinterpret_cast<unsigned*>(to), words, value);
  return call_in_context("cuMemsetD32Async");
}
int cuStreamCreate(void** stream, unsigned flags) {
  *stream = &some_stream;
  const int result = call_in_context("cuStreamCreate");
  return result == 0 && flags != 1 ? invalid_value : result;
}
int cuStreamSynchronize(void*) { return call_in_context("cuStreamSynchronize"); }
int cuStreamDestroy_v2(void*) { return call_in_context("cuStreamDestroy_v2"); }
int cuEventCreate(void**, unsigned) { return call_in_context("cuEventCreate"); }
int cuEventRecord(void*, void*) { return call_in_context("cuEventRecord"); }
int cuEventSynchronize(void*) { return call_in_context("cuEventSynchronize"); }
int cuEventElapsedTime(float* time, void*, void*) {
  return *time = 1000, call("cuEventElapsedTime");
}
int cuEventDestroy_v2(void*) { return call_in_context("cuEventDestroy_v2"); }
}
