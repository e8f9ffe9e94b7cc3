// Plans: made once, executed many times, from any thread and on any stream.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/point_type.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"
#include "sonoma/workspace_policy.hpp"

struct CUstream_st;  // cudaStream_t and CUstream are pointers to this

namespace SONOMA_API sonoma {

// What a plan was made of. sonoma/inspect.hpp defines it, for those who look inside.
struct Choice;
struct CudaSource;
struct Generated;
struct Program;

struct Override;

using Stream = CUstream_st*;

/// gpu: the CUDA device that is current, or device 0. cpu: the emulated device (host pointers, the
/// same kernel text compiled by the host compiler). automatic: gpu if there is one, else cpu.
enum class Device { automatic, gpu, cpu };

/// Who allocates what an execution needs beside in and out. plan: make_plan(), once; executions
/// that overlap in time then need plans of their own, or workspaces of their callers. caller: each
/// execute() is given one.
enum class WorkspaceOwner { plan, caller };

/// The cubin of a kernel that was compiled before, elsewhere; nothing where it is none of those.
using FindCubin = std::function<std::optional<std::string>(const CudaSource&)>;

/// The text that takes the place of a kernel's: a kernel of the same name and arguments, for the
/// same launch shape and tables. Nothing: the kernel as it was emitted.
using EditKernel = std::function<std::optional<std::string>(const CudaSource&)>;

struct PlanOptions {
  Tuning tuning;  ///< fields left empty are chosen by choose(), see choose.hpp
  Device device = Device::automatic;
  std::optional<Target> target;  ///< empty: asked from the device (cpu: sm_90)
  WorkspaceOwner workspace_owner = WorkspaceOwner::plan;
  WorkspacePolicy workspace_policy = WorkspacePolicy::fast;
  /// Only kernels that were made ahead of time (see kernel_bundle.hpp) may serve: what is not among
  /// them is an FftError (Stage::cache) that names the request, the architecture and the command
  /// that makes it. Neither the generator nor NVRTC runs; on the emulated device the host compiler
  /// does, of a text made ahead of time. Config::aot_only asks the same of all plans.
  bool aot_only = false;
  /// Of a GPU: asked in place of the disk cache and the compiler. What it does not have is an
  /// FftError (Stage::cache).
  FindCubin find_cubin;
  /// Asked for every kernel. What it gives is compiled and launched as it is: `sonoma verify
  /// --kernel` judges it. The plan's error bound is still that of the emitted text.
  EditKernel edit_kernel;
  /// Without edit_kernel: kernels that `sonoma override add` has kept take the place of those that
  /// they were made of. Also where Config::overrides says so. See overrides.hpp.
  bool overrides = false;
};

/// What an execution may be given beside in and out.
struct ExecuteOptions {
  void* workspace = nullptr;  ///< of the caller's, see Plan::execute; null: the plan's own
  /// For load_code and store_code of the problem (see ends.hpp), which get it as it is: memory that
  /// the device can read, unchanged until the execution is done, and, where it was captured in a
  /// graph, as long as that runs.
  const void* user = nullptr;
  /// Of a convolution (see convolution.hpp) spectrum_points() points, complex<float> in FP32
  /// whatever the storage, 16-byte aligned, apart from the output and the workspace, and unchanged
  /// until the execution is done.
  const void* spectrum = nullptr;
  Stream stream = nullptr;
};

/// What the compiler made of the kernel; zero on the emulated device.
struct KernelResources {
  int registers = 0;    ///< per thread
  int local_bytes = 0;  ///< per thread; > 0 means spills or a stack frame
  int static_shared_bytes = 0;
  bool from_cache = false;  ///< the binary was found, not compiled
  /// It was found among those made ahead of time; on the emulated device its text was.
  bool ahead_of_time = false;
  double compile_ms = 0;  ///< host time to get the binary
};

/// Immutable, cheap to copy (shared ownership), safe to use from many threads at once. A plan with
/// a workspace of its own (workspace_bytes() > 0, WorkspaceOwner::plan) runs one execution at a
/// time: on one stream, or with a workspace of the caller's for each.
///
/// Keep a copy until the GPU has done all that was enqueued, and as long as a CUDA graph captured
/// from it exists: the last copy may take the kernel along. A plan belongs to the context that was
/// current when it was made. After cudaDeviceReset or cuCtxDestroy it can only be destroyed; make
/// another.
class Plan {
 public:
  /// Enqueues the transform of `batch` rows. in, out: device pointers (host pointers on the
  /// emulated device) to in_points() and out_points() points of the problem, batch*n where they
  /// follow each other, of bytes_of_point() bytes each, 16-byte aligned;
  /// equal for an in-place plan and disjoint otherwise. A point is (re, im): complex<float> for
  /// f32, two adjacent 16-bit numbers for f16 (as CUDA's __half2, numpy's float16) and bf16
  /// (__nv_bfloat162); sonoma/storage.hpp converts. On a real side (see Domain) it is re alone. A
  /// result beyond the range of those becomes infinity of its sign. Does not allocate, wait or
  /// synchronise; can be captured in a CUDA graph. The emulated device ignores the stream and
  /// returns when done.
  /// Throws FftError (Stage::launch) and std::invalid_argument for null, misaligned or overlapping
  /// pointers; on the emulated device FftError (Stage::emulate).
  void execute(const void* in, void* out, Stream stream = nullptr) const;

  /// The same with a caller-owned workspace of at least workspace_bytes() bytes, 16-byte aligned,
  /// apart from in and out. Null: the plan's own.
  void execute(const void* in, void* out, void* workspace, Stream stream) const;

  /// The same with all that can be given.
  void execute(const void* in, void* out, const ExecuteOptions& options) const;

  /// The same of typed pointers: std::complex<float>*, float2*, and on a real side float*; CUDA's
  /// __half2*, __nv_bfloat162*, short2*; __half*, __nv_bfloat16*, std::int16_t*. Throws
  /// std::invalid_argument where the problem has other points on that side, e.g. float* where they
  /// are complex. Memory that is right under another type goes by void*.
  template <Point In, Point Out>
  void execute(const In* in, Out* out, Stream stream = nullptr) const {
    execute(in, out, ExecuteOptions{.stream = stream});
  }
  template <Point In, Point Out>
  void execute(const In* in, Out* out, void* workspace, Stream stream) const {
    execute(in, out, ExecuteOptions{.workspace = workspace, .stream = stream});
  }
  template <Point In, Point Out>
  void execute(const In* in, Out* out, const ExecuteOptions& options) const {
    check_types(point_type(in), point_type(out));
    execute(static_cast<const void*>(in), static_cast<void*>(out), options);
  }
  /// There is no double precision.
  template <class In, class Out, class... Others>
  requires HasDouble<In, Out>
  void execute(const In* in, Out* out, const Others&... others) const = delete;

  /// Bytes of device memory an execution needs beside in and out: 0 for a transform of one launch;
  /// otherwise what lies between its launches, of as many transforms as go through them together.
  [[nodiscard]] std::size_t workspace_bytes() const noexcept;

  [[nodiscard]] const FftProblem& problem() const noexcept;
  [[nodiscard]] const Program& program() const noexcept;  ///< the launches of an execution
  /// Every step that led to the kernel (of the first launch). Its problem has batch 1: one kernel
  /// serves every batch. Made when first asked for.
  [[nodiscard]] const Generated& generated() const;
  [[nodiscard]] const std::string& source() const noexcept;  ///< the CUDA text of all launches
  [[nodiscard]] const Choice& choice() const noexcept;       ///< the tuning, and why this one
  [[nodiscard]] std::string describe() const;                ///< a few lines for people
  /// On |y - X|_2 / |X|_2 of each transform, proven for every input whose result, as stored,
  /// neither overflows nor is subnormal. Not in u. Of a convolution with a filter relative to the
  /// largest magnitude of its spectrum times that of the input. See docs/accuracy.md.
  [[nodiscard]] double error_bound() const noexcept;
  /// The same, expected of random input: the root of the mean square.
  [[nodiscard]] double expected_error() const noexcept;
  [[nodiscard]] const KernelResources& resources() const noexcept;
  [[nodiscard]] Device device() const noexcept;  ///< gpu or cpu, never automatic

  class Impl;
  /// Throws std::invalid_argument for null: make_plan() makes plans.
  explicit Plan(std::shared_ptr<const Impl> impl);
  /// Copies share everything. To move is to copy: a plan that was moved from serves as before.
  Plan(const Plan&) = default;
  Plan& operator=(const Plan&) = default;  ///< the same

 private:
  friend std::vector<Override> edited_kernels(const Plan& plan);

  void check_types(PointType in, PointType out) const;

  std::shared_ptr<const Impl> impl_;
};

/// Generates, compiles (or finds in the caches) and loads the kernel. Kernels made ahead of time
/// (see kernel_bundle.hpp) come before all others. Plans of equal arguments, and
/// those that differ in the batch only, share everything; the most recent 512 kernels are kept for
/// that. Safe to call from many threads: a kernel they all ask for is made once.
/// Throws UnsupportedProblem (problem, tuning or target cannot be served; it says what can),
/// FftError (its stage() says what failed), or std::invalid_argument where an environment variable
/// that Config reads has a bad value.
[[nodiscard]] Plan make_plan(const FftProblem& problem, const PlanOptions& options = {});

/// What make_plan() would take for these arguments, and why: choose() with the shipped wisdom, that
/// of Config::wisdom_file, and the device. Compiles nothing.
[[nodiscard]] Choice choose_for(const FftProblem& problem, const PlanOptions& options = {});

/// True if a CUDA driver with at least one device is there. Never throws.
[[nodiscard]] bool gpu_available() noexcept;

}  // namespace sonoma
