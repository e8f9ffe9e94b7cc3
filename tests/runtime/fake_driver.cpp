// A CUDA driver made of host memory: what the runtime asks of libcuda.so.1, with every call
// recorded and any one made to fail. "Device memory" is host memory, so uploads can be looked at.
#include "fake_driver.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>

#undef cuEventElapsedTime  // CUDA 13's is cuEventElapsedTime_v2, which older drivers lack

// Graphs: kernels one after the other. An executable one is the graph itself.
struct CUgraphNode_st {
  sonoma::testing::FakeLaunch launch;
};
struct CUgraph_st {
  std::vector<CUgraphNode> nodes;
};

namespace {

sonoma::testing::FakeDriverState state;
thread_local std::vector<CUcontext> contexts;
thread_local CUstreamCaptureMode capture_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
std::mutex mutex;
// Never destroyed: it keeps in sight what a context that is gone took with it.
auto& memory = *new std::set<CUdeviceptr>;

CUresult call(const char* name) {
  const std::lock_guard lock(mutex);
  state.calls.emplace_back(name);
  if (capture_mode != CU_STREAM_CAPTURE_MODE_RELAXED && state.others_capture &&
      state.unsafe_while_capturing.contains(name)) {
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return state.failing == name ? state.error : CUDA_SUCCESS;
}

CUresult call_in_context(const char* name) {
  const CUresult result = call(name);
  return result == CUDA_SUCCESS && contexts.empty() ? CUDA_ERROR_INVALID_CONTEXT : result;
}

// Of the launches of a process the one that ends it, as the environment says.
bool is_last_launch(std::size_t number) {
  const char* last = std::getenv("SONOMA_FAKE_DRIVER_LAST_LAUNCH");
  return last != nullptr && std::to_string(number) == last;
}

void* host(CUdeviceptr pointer) {
  return reinterpret_cast<void*>(pointer);  // NOLINT(performance-no-int-to-ptr): of the driver
}

int primary_context, some_module, some_function, some_stream;

}  // namespace

extern "C" {

sonoma::testing::FakeDriverState* sonoma_fake_driver_state() { return &state; }

CUresult cuInit(unsigned) { return call("cuInit"); }
CUresult cuDriverGetVersion(int* version) { return *version = 13000, call("cuDriverGetVersion"); }
CUresult cuGetErrorName(CUresult, const char** name) {
  return *name = "CUDA_ERROR_FAKE", CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  return *text = "a made-up failure", CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) { return *count = state.devices, call("cuDeviceGetCount"); }
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
  return call("cuDeviceGetName");
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  *value = state.attributes[attribute];
  return call("cuDeviceGetAttribute");
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&primary_context);
  return call("cuDevicePrimaryCtxRetain");
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return call("cuDevicePrimaryCtxRelease_v2"); }
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = contexts.empty() ? nullptr : contexts.back();
  return call("cuCtxGetCurrent");
}
CUresult cuCtxGetDevice(CUdevice* device) { return *device = 0, call_in_context("cuCtxGetDevice"); }
CUresult cuCtxGetId(CUcontext, unsigned long long* id) {
  return *id = state.context_id, call("cuCtxGetId");
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  const CUresult result = call("cuCtxPushCurrent_v2");
  if (result == CUDA_SUCCESS) contexts.push_back(context);
  return result;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  if (contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *context = contexts.back();
  contexts.pop_back();
  return call("cuCtxPopCurrent_v2");
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  std::swap(*mode, capture_mode);
  return call("cuThreadExchangeStreamCaptureMode");
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  const CUresult result = call_in_context("cuModuleLoadData");
  const std::lock_guard lock(mutex);
  state.module = std::string(static_cast<const char*>(image), 4);
  if (result == CUDA_SUCCESS) *module = reinterpret_cast<CUmodule>(&some_module);
  return result;
}
CUresult cuModuleUnload(CUmodule) { return call_in_context("cuModuleUnload"); }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  *function = reinterpret_cast<CUfunction>(&some_function);
  const CUresult result = call_in_context("cuModuleGetFunction");
  const std::lock_guard lock(mutex);
  state.function_name = name;
  return state.failing == name ? state.error : result;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  *value = 10 * attribute;
  return call_in_context("cuFuncGetAttribute");
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) {
  const CUresult result = call_in_context("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  const std::lock_guard lock(mutex);
  *blocks = state.blocks_of_sm;
  return result;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute attribute, int value) {
  const CUresult result = call_in_context("cuFuncSetAttribute");
  const std::lock_guard lock(mutex);
  state.function_attributes[attribute] = value;
  return result;
}
// NOLINTNEXTLINE(readability-function-size): the driver's signature
CUresult cuLaunchKernel(CUfunction, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** arguments, void**) {
  const CUresult result = call_in_context("cuLaunchKernel");
  if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard lock(mutex);
  state.launches.push_back(
      {grid_x, block_x, shared_bytes, stream, *static_cast<const void**>(arguments[0]),
       *static_cast<void**>(arguments[1]), *static_cast<unsigned long long*>(arguments[2]),
       *static_cast<unsigned long long*>(arguments[3])});
  if (is_last_launch(state.launches.size())) std::_Exit(9);
  return result;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                          void** extra) {
  const CUresult result =
      cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ,
                     config->blockDimX, config->blockDimY, config->blockDimZ,
                     config->sharedMemBytes, config->hStream, arguments, extra);
  if (config->numAttrs != 1) return CUDA_ERROR_INVALID_VALUE;
  const std::lock_guard lock(mutex);
  const CUlaunchAttribute& attribute = config->attrs[0];
  state.launches.back().follows =
      attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
      attribute.value.programmaticStreamSerializationAllowed == 1;
  return result;
}
static void set(CUgraphNode_st& node, const CUDA_KERNEL_NODE_PARAMS& p) {
  const bool follows = node.launch.follows;
  node.launch = {p.gridDimX,
                 p.blockDimX,
                 p.sharedMemBytes,
                 nullptr,
                 *static_cast<const void**>(p.kernelParams[0]),
                 *static_cast<void**>(p.kernelParams[1]),
                 *static_cast<unsigned long long*>(p.kernelParams[2]),
                 *static_cast<unsigned long long*>(p.kernelParams[3]),
                 follows};
}
CUresult cuGraphCreate(CUgraph* graph, unsigned) {
  const CUresult result = call_in_context("cuGraphCreate");
  if (result == CUDA_SUCCESS) *graph = new CUgraph_st, ++state.graphs;
  return result;
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode*, std::size_t,
                                 const CUDA_KERNEL_NODE_PARAMS* parameters) {
  const CUresult result = call_in_context("cuGraphAddKernelNode_v2");
  if (result != CUDA_SUCCESS) return result;
  *node = graph->nodes.emplace_back(new CUgraphNode_st{});
  set(**node, *parameters);
  return CUDA_SUCCESS;
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edge, std::size_t count) {
  const auto at = std::ranges::find(graph->nodes, *from);
  if (count != 1 || at == graph->nodes.end() || *std::next(at) != *to)
    return CUDA_ERROR_INVALID_VALUE;
  (*to)->launch.follows = edge->from_port == CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC &&
                          edge->to_port == 0 && edge->type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  return call_in_context("cuGraphAddDependencies_v2");
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  const CUresult result = call_in_context("cuGraphInstantiateWithFlags");
  if (result == CUDA_SUCCESS) *executable = reinterpret_cast<CUgraphExec>(graph);
  return result;
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* p) {
  const CUresult result = call_in_context("cuGraphExecKernelNodeSetParams_v2");
  if (result == CUDA_SUCCESS) set(*node, *p);
  return result;
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  const CUresult result = call_in_context("cuGraphLaunch");
  if (result != CUDA_SUCCESS) return result;
  const std::lock_guard lock(mutex);
  for (const CUgraphNode node : reinterpret_cast<CUgraph>(executable)->nodes) {
    state.launches.push_back(node->launch);
    state.launches.back().stream = stream;
  }
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  *status = state.captures ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return call("cuStreamIsCapturing");
}
CUresult cuGraphExecDestroy(CUgraphExec) { return call_in_context("cuGraphExecDestroy"); }
CUresult cuGraphDestroy(CUgraph graph) {
  for (const CUgraphNode node : graph->nodes) delete node;
  delete graph;
  --state.graphs;
  return call_in_context("cuGraphDestroy");
}
CUresult cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t bytes) {
  const CUresult result = call_in_context("cuMemAlloc_v2");
  if (result != CUDA_SUCCESS) return result;
  *pointer = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  const std::lock_guard lock(mutex);
  memory.insert(*pointer);
  ++state.allocations;
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  const CUresult result = call_in_context("cuMemFree_v2");
  if (result != CUDA_SUCCESS) return result;
  std::free(host(pointer));
  const std::lock_guard lock(mutex);
  memory.erase(pointer);
  --state.allocations;
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  const CUresult result = call_in_context("cuMemcpyHtoD_v2");
  if (result == CUDA_SUCCESS) std::memcpy(host(to), from, bytes);
  return result;
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  const CUresult result = call_in_context("cuMemcpyDtoH_v2");
  if (result == CUDA_SUCCESS) std::memcpy(to, host(from), bytes);
  return result;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes,
                              CUstream stream) {
  const CUresult result = call_in_context("cuMemcpyHtoDAsync_v2");
  if (result != CUDA_SUCCESS || stream == nullptr)
    return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  std::memcpy(host(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  std::memcpy(host(to), host(from), bytes);
  return call_in_context("cuMemcpyDtoDAsync_v2");
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t words, CUstream) {
  std::fill_n(static_cast<unsigned*>(host(to)), words, value);
  return call_in_context("cuMemsetD32Async");
}
CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  *stream = reinterpret_cast<CUstream>(&some_stream);
  const CUresult result = call_in_context("cuStreamCreate");
  return result == CUDA_SUCCESS && flags != CU_STREAM_NON_BLOCKING ? CUDA_ERROR_INVALID_VALUE
                                                                   : result;
}
CUresult cuStreamSynchronize(CUstream) { return call_in_context("cuStreamSynchronize"); }
CUresult cuStreamDestroy_v2(CUstream) { return call_in_context("cuStreamDestroy_v2"); }
CUresult cuEventCreate(CUevent*, unsigned) { return call_in_context("cuEventCreate"); }
CUresult cuEventRecord(CUevent, CUstream) { return call_in_context("cuEventRecord"); }
CUresult cuEventSynchronize(CUevent) { return call_in_context("cuEventSynchronize"); }
CUresult cuEventElapsedTime(float* time, CUevent, CUevent) {
  return *time = 1000, call("cuEventElapsedTime");
}
CUresult cuEventDestroy_v2(CUevent) { return call_in_context("cuEventDestroy_v2"); }
}
