// The CUDA driver, opened at run time: nothing links it. Types and functions are those of cuda.h,
// which no public header includes.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "dynamic_library.hpp"
#include "sonoma/config.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/plan.hpp"

namespace sonoma {

/// Of the driver, by the types of cuda.h; see SONOMA_DECLARED.
struct DriverFunctions {
  decltype(&cuInit) init;
  decltype(&cuDriverGetVersion) driver_version;
  decltype(&cuGetErrorName) error_name;
  decltype(&cuGetErrorString) error_text;
  decltype(&cuDeviceGetCount) device_count;
  decltype(&cuDeviceGetName) device_name;
  decltype(&cuDeviceGetAttribute) device_attribute;
  decltype(&cuDevicePrimaryCtxRetain) primary_context_retain;
  decltype(&cuDevicePrimaryCtxRelease_v2) primary_context_release;
  decltype(&cuCtxGetCurrent) context_current;
  decltype(&cuCtxGetDevice) context_device;
  decltype(&cuCtxPushCurrent_v2) context_push;
  decltype(&cuCtxPopCurrent_v2) context_pop;
  decltype(&cuCtxGetId) context_id;  // CUDA 12 and later, else null
  decltype(&cuThreadExchangeStreamCaptureMode) exchange_capture_mode;
  decltype(&cuModuleLoadData) module_load;
  decltype(&cuModuleUnload) module_unload;
  decltype(&cuModuleGetFunction) module_function;
  decltype(&cuFuncGetAttribute) function_attribute;
  decltype(&cuFuncSetAttribute) set_function_attribute;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) blocks_of_sm;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuLaunchKernelEx) launch_with;  // CUDA 11.8 and later, else null
  decltype(&cuMemAlloc_v2) allocate;
  decltype(&cuMemFree_v2) free;
  decltype(&cuMemcpyHtoD_v2) upload;
  decltype(&cuMemcpyDtoH_v2) download;
  decltype(&cuMemcpyHtoDAsync_v2) upload_async;
  decltype(&cuMemcpyDtoDAsync_v2) copy_async;
  decltype(&cuMemsetD32Async) set_words_async;
  decltype(&cuStreamCreate) stream_create;
  decltype(&cuStreamSynchronize) stream_synchronize;
  decltype(&cuStreamDestroy_v2) stream_destroy;
  decltype(&cuEventCreate) event_create;
  decltype(&cuEventRecord) event_record;
  decltype(&cuEventSynchronize) event_synchronize;
  decltype(&cuEventElapsedTime) event_milliseconds;
  decltype(&cuEventDestroy_v2) event_destroy;
};

/// Of CUDA 12.3 and later.
struct GraphFunctions {
  decltype(&cuGraphCreate) create;
  decltype(&cuGraphAddKernelNode_v2) add_kernel;
  decltype(&cuGraphAddDependencies_v2) add_edges;
  decltype(&cuGraphInstantiateWithFlags) instantiate;
  decltype(&cuGraphExecKernelNodeSetParams_v2) set_kernel;
  decltype(&cuGraphLaunch) launch;
  decltype(&cuStreamIsCapturing) is_capturing;
  decltype(&cuGraphExecDestroy) destroy_executable;
  decltype(&cuGraphDestroy) destroy;
};

/// A device and the context in which its kernels live.
struct GpuDevice {
  int ordinal = 0;
  CUcontext context = nullptr;
  std::uint64_t context_id = 0;  ///< not used again after the context is destroyed
};

class Driver {
 public:
  /// Throws FftError: load_library where there is no driver, device where there is no GPU.
  explicit Driver(const Config& config);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  [[nodiscard]] const DriverFunctions& functions() const { return cu_; }
  /// Null where the driver does not know them all.
  [[nodiscard]] const GraphFunctions* graphs() const { return graphs_ ? &*graphs_ : nullptr; }

  /// Throws FftError with the driver's name and text of `result` unless it is CUDA_SUCCESS.
  void check(CUresult result, Stage stage, const char* what) const {
    if (result != CUDA_SUCCESS) fail(result, stage, what);
  }

  /// The caller's current context, or else the primary context of device 0.
  [[nodiscard]] GpuDevice current_device() const;
  /// False where the device's context was destroyed or reset, even if another one now has its
  /// address. True where the driver is too old to tell (before CUDA 12).
  [[nodiscard]] bool still_has(const GpuDevice& device) const;
  [[nodiscard]] Target target_of(const GpuDevice& device) const;
  [[nodiscard]] std::string name_of(const GpuDevice& device) const;
  /// The newest CUDA version that the driver serves, e.g. "13.0".
  [[nodiscard]] std::string cuda_version() const;
  /// A launch may begin before the one in front of it has ended, also in a graph.
  [[nodiscard]] bool overlaps_launches() const { return overlaps_launches_; }

 private:
  void load_functions(const DynamicLibrary& library);
  void load_memory_functions(const DynamicLibrary& library);
  void load_graph_functions(const DynamicLibrary& library);
  [[nodiscard]] CUcontext primary_context() const;
  [[noreturn]] void fail(CUresult result, Stage stage, const char* what) const;

  DriverFunctions cu_{};
  std::optional<GraphFunctions> graphs_;
  bool overlaps_launches_ = false;
  mutable std::mutex mutex_;
  mutable CUcontext primary_ = nullptr;
};

/// Makes a context current for a scope, if it is not.
class ContextScope {
 public:
  ContextScope(const DriverFunctions& cu, CUcontext context) : cu_(cu) {
    CUcontext current = nullptr;
    result_ = cu_.context_current(&current);
    if (result_ != CUDA_SUCCESS || current == context) return;
    result_ = cu_.context_push(context);
    pushed_ = result_ == CUDA_SUCCESS;
  }
  ~ContextScope() {
    CUcontext popped = nullptr;
    if (pushed_) (void)cu_.context_pop(&popped);
  }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  [[nodiscard]] CUresult result() const { return result_; }

 private:
  const DriverFunctions& cu_;
  CUresult result_ = CUDA_SUCCESS;
  bool pushed_ = false;
};

/// Lets this thread allocate and copy while another thread captures a stream; without it, such
/// calls fail and spoil the capture.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const DriverFunctions& cu) : cu_(cu) {
    (void)cu_.exchange_capture_mode(&mode_);
  }
  ~RelaxedCapture() { (void)cu_.exchange_capture_mode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  const DriverFunctions& cu_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;  // afterwards the thread's own
};

}  // namespace sonoma
