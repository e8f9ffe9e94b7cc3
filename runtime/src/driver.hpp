// The CUDA driver, opened at run time. Types and functions are declared here (they are a stable C
// interface), so that the runtime builds with no CUDA toolkit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "dynamic_library.hpp"
#include "sonoma/config.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/plan.hpp"

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;

namespace sonoma {

// cuda.h
using Context = CUctx_st*;
using Module = CUmod_st*;
using Function = CUfunc_st*;
using Event = CUevent_st*;
using Graph = CUgraph_st*;
using GraphNode = CUgraphNode_st*;
using GraphExec = CUgraphExec_st*;
using DevicePointer = unsigned long long;

// CUlaunchAttribute and CUlaunchConfig.
struct alignas(8) LaunchAttribute {
  std::int32_t id = 6;  // PROGRAMMATIC_STREAM_SERIALIZATION
  alignas(8) std::int32_t value[16] = {1};
};
struct LaunchConfig {
  unsigned grid[3], block[3], shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

// CUDA_KERNEL_NODE_PARAMS_v2 and CUgraphEdgeData.
struct KernelNode {
  Function function;
  unsigned grid[3], block[3], shared_bytes;
  void **arguments, **extra, *kernel;
  Context context;
};
struct GraphEdge {
  unsigned char from_port, to_port, type, reserved[5];
};

struct DriverFunctions {
  int (*init)(unsigned flags);
  int (*driver_version)(int*);
  int (*error_name)(int result, const char**);
  int (*error_text)(int result, const char**);
  int (*device_count)(int*);
  int (*device_name)(char*, int size, int device);
  int (*device_attribute)(int* value, int attribute, int device);
  int (*primary_context_retain)(Context*, int device);
  int (*primary_context_release)(int device);
  int (*context_current)(Context*);
  int (*context_device)(int*);
  int (*context_push)(Context);
  int (*context_pop)(Context*);
  int (*context_id)(Context, unsigned long long*);  // CUDA 12 and later, else null
  int (*exchange_capture_mode)(int*);
  int (*module_load)(Module*, const void* image);
  int (*module_unload)(Module);
  int (*module_function)(Function*, Module, const char* name);
  int (*function_attribute)(int* value, int attribute, Function);
  int (*set_function_attribute)(Function, int attribute, int value);
  int (*launch)(Function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream, void** arguments,
                void** extra);
  int (*launch_with)(const LaunchConfig*, Function, void** arguments, void** extra);  // or null
  int (*allocate)(DevicePointer*, std::size_t bytes);
  int (*free)(DevicePointer);
  int (*upload)(DevicePointer, const void*, std::size_t bytes);
  int (*download)(void*, DevicePointer, std::size_t bytes);
  int (*upload_async)(DevicePointer, const void*, std::size_t bytes, Stream);
  int (*copy_async)(DevicePointer, DevicePointer, std::size_t bytes, Stream);
  int (*set_words_async)(DevicePointer, unsigned value, std::size_t words, Stream);
  int (*stream_create)(Stream*, unsigned flags);
  int (*stream_synchronize)(Stream);
  int (*stream_destroy)(Stream);
  int (*event_create)(Event*, unsigned flags);
  int (*event_record)(Event, Stream);
  int (*event_synchronize)(Event);
  int (*event_milliseconds)(float*, Event start, Event end);
  int (*event_destroy)(Event);
};

/// Of CUDA 12.3 and later.
struct GraphFunctions {
  int (*create)(Graph*, unsigned flags);
  int (*add_kernel)(GraphNode*, Graph, const GraphNode* after, std::size_t count,
                    const KernelNode*);
  int (*add_edges)(Graph, const GraphNode* from, const GraphNode* to, const GraphEdge*,
                   std::size_t count);
  int (*instantiate)(GraphExec*, Graph, unsigned long long flags);
  int (*set_kernel)(GraphExec, GraphNode, const KernelNode*);
  int (*launch)(GraphExec, Stream);
  int (*is_capturing)(Stream, int* status);
  int (*destroy_executable)(GraphExec);
  int (*destroy)(Graph);
};

/// A device and the context in which its kernels live.
struct GpuDevice {
  int ordinal = 0;
  Context context = nullptr;
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

  /// Throws FftError with the driver's name and text of `result` unless it is 0.
  void check(int result, Stage stage, const char* what) const {
    if (result != 0) fail(result, stage, what);
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
  [[nodiscard]] Context primary_context() const;
  [[noreturn]] void fail(int result, Stage stage, const char* what) const;

  DriverFunctions cu_{};
  std::optional<GraphFunctions> graphs_;
  bool overlaps_launches_ = false;
  mutable std::mutex mutex_;
  mutable Context primary_ = nullptr;
};

/// Makes a context current for a scope, if it is not.
class ContextScope {
 public:
  ContextScope(const DriverFunctions& cu, Context context) : cu_(cu) {
    Context current = nullptr;
    result_ = cu_.context_current(&current);
    if (result_ != 0 || current == context) return;
    result_ = cu_.context_push(context);
    pushed_ = result_ == 0;
  }
  ~ContextScope() {
    Context popped = nullptr;
    if (pushed_) (void)cu_.context_pop(&popped);
  }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  [[nodiscard]] int result() const { return result_; }

 private:
  const DriverFunctions& cu_;
  int result_ = 0;
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
  int mode_ = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED; afterwards the thread's own
};

}  // namespace sonoma
