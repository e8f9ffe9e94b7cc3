#include "driver.hpp"

#include <algorithm>
#include <array>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

// CUdevice_attribute
constexpr int attribute_multiprocessors = 16;
constexpr int attribute_major = 75;
constexpr int attribute_minor = 76;
constexpr int attribute_registers = 82;     // of one multiprocessor
constexpr int attribute_shared_bytes = 97;  // one block's, opted in

DynamicLibrary open_driver(const Config& config) {
  std::string searched;
  if (auto library = DynamicLibrary::open(config.driver_libraries, searched)) return *library;
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
  library.require("cuInit", cu_.init);
  library.require("cuDriverGetVersion", cu_.driver_version);
  library.require("cuGetErrorName", cu_.error_name);
  library.require("cuGetErrorString", cu_.error_text);
  library.require("cuDeviceGetCount", cu_.device_count);
  library.require("cuDeviceGetName", cu_.device_name);
  library.require("cuDeviceGetAttribute", cu_.device_attribute);
  library.require("cuDevicePrimaryCtxRetain", cu_.primary_context_retain);
  library.require("cuDevicePrimaryCtxRelease_v2", cu_.primary_context_release);
  library.require("cuCtxGetCurrent", cu_.context_current);
  library.require("cuCtxGetDevice", cu_.context_device);
  library.require("cuCtxPushCurrent_v2", cu_.context_push);
  library.require("cuCtxPopCurrent_v2", cu_.context_pop);
  cu_.context_id = library.find<int(Context, unsigned long long*)>("cuCtxGetId");
  library.require("cuThreadExchangeStreamCaptureMode", cu_.exchange_capture_mode);
  library.require("cuModuleLoadData", cu_.module_load);
  library.require("cuModuleUnload", cu_.module_unload);
  library.require("cuModuleGetFunction", cu_.module_function);
  library.require("cuFuncGetAttribute", cu_.function_attribute);
  library.require("cuFuncSetAttribute", cu_.set_function_attribute);
  library.require("cuLaunchKernel", cu_.launch);
  cu_.launch_with =
      library.find<int(const LaunchConfig*, Function, void**, void**)>("cuLaunchKernelEx");
}

void Driver::load_memory_functions(const DynamicLibrary& library) {
  library.require("cuMemAlloc_v2", cu_.allocate);
  library.require("cuMemFree_v2", cu_.free);
  library.require("cuMemcpyHtoD_v2", cu_.upload);
  library.require("cuMemcpyDtoH_v2", cu_.download);
  library.require("cuMemcpyHtoDAsync_v2", cu_.upload_async);
  library.require("cuMemcpyDtoDAsync_v2", cu_.copy_async);
  library.require("cuMemsetD32Async", cu_.set_words_async);
  library.require("cuStreamCreate", cu_.stream_create);
  library.require("cuStreamSynchronize", cu_.stream_synchronize);
  library.require("cuStreamDestroy_v2", cu_.stream_destroy);
  library.require("cuEventCreate", cu_.event_create);
  library.require("cuEventRecord", cu_.event_record);
  library.require("cuEventSynchronize", cu_.event_synchronize);
  library.require("cuEventElapsedTime", cu_.event_milliseconds);
  library.require("cuEventDestroy_v2", cu_.event_destroy);
}

void Driver::load_graph_functions(const DynamicLibrary& library) {
  GraphFunctions graphs{};
  bool all = true;
  const auto find = [&]<class Function>(const char* name, Function*& function) {
    function = library.find<Function>(name);
    all = all && function != nullptr;
  };
  find("cuGraphCreate", graphs.create);
  find("cuGraphAddKernelNode_v2", graphs.add_kernel);
  find("cuGraphAddDependencies_v2", graphs.add_edges);
  find("cuGraphInstantiateWithFlags", graphs.instantiate);
  find("cuGraphExecKernelNodeSetParams_v2", graphs.set_kernel);
  find("cuGraphLaunch", graphs.launch);
  find("cuStreamIsCapturing", graphs.is_capturing);
  find("cuGraphExecDestroy", graphs.destroy_executable);
  find("cuGraphDestroy", graphs.destroy);
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
         (cu_.context_id(device.context, &id) == 0 && id == device.context_id);
}

Context Driver::primary_context() const {
  const std::lock_guard lock(mutex_);
  unsigned long long id = 0;
  const bool was_reset =
      primary_ != nullptr && cu_.context_id != nullptr && cu_.context_id(primary_, &id) != 0;
  if (primary_ == nullptr || was_reset) {
    check(cu_.primary_context_retain(&primary_, 0), Stage::device, "cuDevicePrimaryCtxRetain");
  }
  return primary_;
}

Target Driver::target_of(const GpuDevice& device) const {
  const auto attribute = [&](int which) {
    int value = 0;
    check(cu_.device_attribute(&value, which, device.ordinal), Stage::device,
          "cuDeviceGetAttribute");
    return value;
  };
  Target target;
  target.arch = closest_arch(10 * attribute(attribute_major) + attribute(attribute_minor));
  target.sms = attribute(attribute_multiprocessors);
  target.shared_bytes = attribute(attribute_shared_bytes);
  target.registers = attribute(attribute_registers);
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
const char* hint_of(int result, Stage stage) {
  constexpr int not_initialized = 3, deinitialized = 4, invalid_context = 201, invalid_handle = 400,
                illegal_address = 700, destroyed = 709;
  switch (result) {
    case not_initialized:
      return "; a process that fork() made cannot use the GPU of its parent: fork before the first "
             "plan, or start the program anew (exec, spawn)";
    case deinitialized:
      return "; the process ends, and CUDA is gone: destroy or leave plans before";
    case invalid_context:
    case destroyed:
      return "; a plan belongs to the context that was current when it was made, and that is gone: "
             "make another";
    case invalid_handle:
      return stage == Stage::launch ? "; the stream must be one of the context that the plan was "
                                      "made in, and not destroyed"
                                    : "";
    case illegal_address:
      return "; a kernel that ran before went beyond its memory: pointers given to an execution, "
             "or "
             "code of the caller's. CUDA works no more in this process";
    default:
      return "";
  }
}

}  // namespace

void Driver::fail(int result, Stage stage, const char* what) const {
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
