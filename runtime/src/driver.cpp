#include "driver.hpp"

#include <algorithm>
#include <array>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

DynamicLibrary open_driver(const Config& config) {
  std::string searched;
  if (auto library = DynamicLibrary::open(config.driver_libraries, searched))
    return std::move(*library);
  throw FftError(Stage::load_library,
                 "no CUDA driver here; install NVIDIA's driver, or use the emulated device "
                 "(Device::cpu). Tried:" +
                     searched);
}

// The newest architecture that kernels are generated for and whose cubins run on `capability`. A
// newer GPU than all of those is taken as it is: PTX serves it, or a newer NVRTC.
int closest_arch(int capability) {
  if (capability > known_archs().back()) return capability;
  int closest = 0;
  for (const int arch : known_archs()) {
    if (runs_on(arch, capability)) closest = std::max(closest, arch);
  }
  if (closest == 0) {
    throw UnsupportedProblem("target.arch", "sm_" + std::to_string(capability),
                             "GPUs of compute capability 7.5, 8, 9, 10, 11 and 12; or Device::cpu");
  }
  return closest;
}

}  // namespace

Driver::Driver(const Config& config) {
  const DynamicLibrary library = open_driver(config);
  load_functions(library);
  load_memory_functions(library);
  load_graph_functions(library);
  check(cu_.init(0), Stage::device, "cuInit");
  int count = 0;
  check(cu_.device_count(&count), Stage::device, "cuDeviceGetCount");
  if (count == 0) {
    throw FftError(Stage::device,
                   "the CUDA driver sees no GPU; is CUDA_VISIBLE_DEVICES empty? The "
                   "emulated device (Device::cpu) needs none");
  }
  int version = 0;
  check(cu_.driver_version(&version), Stage::device, "cuDriverGetVersion");
  constexpr int graphs_know_it = 12030;
  overlaps_launches_ = cu_.launch_with != nullptr && version >= graphs_know_it;
}

Driver::~Driver() {
  if (primary_ != nullptr) (void)cu_.primary_context_release(0);
}

void Driver::load_functions(const DynamicLibrary& library) {
  library.require(SONOMA_DECLARED(cuInit), cu_.init);
  library.require(SONOMA_DECLARED(cuDriverGetVersion), cu_.driver_version);
  library.require(SONOMA_DECLARED(cuGetErrorName), cu_.error_name);
  library.require(SONOMA_DECLARED(cuGetErrorString), cu_.error_text);
  library.require(SONOMA_DECLARED(cuDeviceGetCount), cu_.device_count);
  library.require(SONOMA_DECLARED(cuDeviceGetName), cu_.device_name);
  library.require(SONOMA_DECLARED(cuDeviceGetAttribute), cu_.device_attribute);
  library.require(SONOMA_DECLARED(cuDevicePrimaryCtxRetain), cu_.primary_context_retain);
  library.require(SONOMA_DECLARED(cuDevicePrimaryCtxRelease_v2), cu_.primary_context_release);
  library.require(SONOMA_DECLARED(cuCtxGetCurrent), cu_.context_current);
  library.require(SONOMA_DECLARED(cuCtxGetDevice), cu_.context_device);
  library.require(SONOMA_DECLARED(cuCtxPushCurrent_v2), cu_.context_push);
  library.require(SONOMA_DECLARED(cuCtxPopCurrent_v2), cu_.context_pop);
  cu_.context_id = library.find(SONOMA_DECLARED(cuCtxGetId));
  library.require(SONOMA_DECLARED(cuThreadExchangeStreamCaptureMode), cu_.exchange_capture_mode);
  library.require(SONOMA_DECLARED(cuModuleLoadData), cu_.module_load);
  library.require(SONOMA_DECLARED(cuModuleUnload), cu_.module_unload);
  library.require(SONOMA_DECLARED(cuModuleGetFunction), cu_.module_function);
  library.require(SONOMA_DECLARED(cuFuncGetAttribute), cu_.function_attribute);
  library.require(SONOMA_DECLARED(cuFuncSetAttribute), cu_.set_function_attribute);
  library.require(SONOMA_DECLARED(cuOccupancyMaxActiveBlocksPerMultiprocessor), cu_.blocks_of_sm);
  library.require(SONOMA_DECLARED(cuLaunchKernel), cu_.launch);
  cu_.launch_with = library.find(SONOMA_DECLARED(cuLaunchKernelEx));
}

void Driver::load_memory_functions(const DynamicLibrary& library) {
  library.require(SONOMA_DECLARED(cuMemAlloc_v2), cu_.allocate);
  library.require(SONOMA_DECLARED(cuMemFree_v2), cu_.free);
  library.require(SONOMA_DECLARED(cuMemcpyHtoD_v2), cu_.upload);
  library.require(SONOMA_DECLARED(cuMemcpyDtoH_v2), cu_.download);
  library.require(SONOMA_DECLARED(cuMemcpyHtoDAsync_v2), cu_.upload_async);
  library.require(SONOMA_DECLARED(cuMemcpyDtoDAsync_v2), cu_.copy_async);
  library.require(SONOMA_DECLARED(cuMemsetD32Async), cu_.set_words_async);
  library.require(SONOMA_DECLARED(cuStreamCreate), cu_.stream_create);
  library.require(SONOMA_DECLARED(cuStreamSynchronize), cu_.stream_synchronize);
  library.require(SONOMA_DECLARED(cuStreamDestroy_v2), cu_.stream_destroy);
  library.require(SONOMA_DECLARED(cuEventCreate), cu_.event_create);
  library.require(SONOMA_DECLARED(cuEventRecord), cu_.event_record);
  library.require(SONOMA_DECLARED(cuEventSynchronize), cu_.event_synchronize);
  // cuda.h of CUDA 13 means cuEventElapsedTime_v2, of the same type, which older drivers lack.
  library.require("cuEventElapsedTime", cu_.event_milliseconds);
  library.require(SONOMA_DECLARED(cuEventDestroy_v2), cu_.event_destroy);
}

void Driver::load_graph_functions(const DynamicLibrary& library) {
  GraphFunctions graphs{};
  bool all = true;
  const auto find = [&]<class Function>(Declared<Function> declared, Function*& function) {
    function = library.find(declared);
    all = all && function != nullptr;
  };
  find(SONOMA_DECLARED(cuGraphCreate), graphs.create);
  find(SONOMA_DECLARED(cuGraphAddKernelNode_v2), graphs.add_kernel);
  find(SONOMA_DECLARED(cuGraphAddDependencies_v2), graphs.add_edges);
  find(SONOMA_DECLARED(cuGraphInstantiateWithFlags), graphs.instantiate);
  find(SONOMA_DECLARED(cuGraphExecKernelNodeSetParams_v2), graphs.set_kernel);
  find(SONOMA_DECLARED(cuGraphLaunch), graphs.launch);
  find(SONOMA_DECLARED(cuStreamIsCapturing), graphs.is_capturing);
  find(SONOMA_DECLARED(cuGraphExecDestroy), graphs.destroy_executable);
  find(SONOMA_DECLARED(cuGraphDestroy), graphs.destroy);
  if (all) graphs_ = graphs;
}

GpuDevice Driver::current_device() const {
  GpuDevice device;
  check(cu_.context_current(&device.context), Stage::device, "cuCtxGetCurrent");
  if (device.context == nullptr) device.context = primary_context();
  const ContextScope scope(cu_, device.context);
  check(scope.result(), Stage::device, "cuCtxPushCurrent");
  check(cu_.context_device(&device.ordinal), Stage::device, "cuCtxGetDevice");
  unsigned long long id = reinterpret_cast<std::uintptr_t>(device.context);
  if (cu_.context_id != nullptr) {
    check(cu_.context_id(device.context, &id), Stage::device, "cuCtxGetId");
  }
  device.context_id = id;
  return device;
}

bool Driver::still_has(const GpuDevice& device) const {
  unsigned long long id = device.context_id;
  return cu_.context_id == nullptr ||
         (cu_.context_id(device.context, &id) == CUDA_SUCCESS && id == device.context_id);
}

CUcontext Driver::primary_context() const {
  const std::lock_guard lock(mutex_);
  unsigned long long id = 0;
  const bool was_reset = primary_ != nullptr && cu_.context_id != nullptr &&
                         cu_.context_id(primary_, &id) != CUDA_SUCCESS;
  if (primary_ == nullptr || was_reset) {
    check(cu_.primary_context_retain(&primary_, 0), Stage::device, "cuDevicePrimaryCtxRetain");
  }
  return primary_;
}

Target Driver::target_of(const GpuDevice& device) const {
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    check(cu_.device_attribute(&value, which, device.ordinal), Stage::device,
          "cuDeviceGetAttribute");
    return value;
  };
  Target target;
  target.arch = closest_arch(10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                             attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  target.sms = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  target.shared_bytes = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  target.registers = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  return target;
}

std::string Driver::name_of(const GpuDevice& device) const {
  std::array<char, 256> name{};
  check(cu_.device_name(name.data(), static_cast<int>(name.size()), device.ordinal), Stage::device,
        "cuDeviceGetName");
  return name.data();
}

std::string Driver::cuda_version() const {
  int version = 0;  // 1000 * major + 10 * minor
  check(cu_.driver_version(&version), Stage::device, "cuDriverGetVersion");
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

namespace {

// What a program may have done, where the driver says little.
const char* hint_of(CUresult result, Stage stage) {
  switch (result) {
    case CUDA_ERROR_NOT_INITIALIZED:
      return "; a process that fork() made cannot use the GPU of its parent: fork before the first "
             "plan, or start the program anew (exec, spawn)";
    case CUDA_ERROR_DEINITIALIZED:
      return "; the process ends, and CUDA is gone: destroy or leave plans before";
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return "; a plan belongs to the context that was current when it was made, and that is gone: "
             "make another";
    case CUDA_ERROR_INVALID_HANDLE:
      return stage == Stage::launch ? "; the stream must be one of the context that the plan was "
                                      "made in, and not destroyed"
                                    : "";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return "; a kernel that ran before went beyond its memory: pointers given to an execution, "
             "or "
             "code of the caller's. CUDA works no more in this process";
    default:
      return "";
  }
}

}  // namespace

void Driver::fail(CUresult result, Stage stage, const char* what) const {
  const char* name = nullptr;
  const char* text = nullptr;
  (void)cu_.error_name(result, &name);
  (void)cu_.error_text(result, &text);
  throw FftError(stage, std::string(what) + ": " +
                            (name != nullptr ? name : "CUDA error " + std::to_string(result)) +
                            (text != nullptr ? std::string(" (") + text + ")" : "") +
                            hint_of(result, stage));
}

}  // namespace sonoma
