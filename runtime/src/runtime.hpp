// What a process has once: its configuration, log, caches, compilers and driver.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "ahead.hpp"
#include "compiled.hpp"
#include "driver.hpp"
#include "emitted.hpp"
#include "host_kernel.hpp"
#include "lazy.hpp"
#include "log.hpp"
#include "nvrtc.hpp"
#include "single_flight.hpp"
#include "sonoma/compile.hpp"
#include "sonoma/config.hpp"
#include "sonoma/launch_kernel.hpp"
#include "sonoma/next_fast_size.hpp"
#include "sonoma/overrides.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/planned.hpp"
#include "sonoma/wisdom.hpp"
#include "workspace.hpp"

namespace sonoma {

/// Everything a LoadedKernel depends on.
struct KernelKey {
  Launch launch;
  Target target;
  Device device = Device::cpu;
  std::uint64_t context_id = 0;
  std::string
      edited;  ///< SHA-256 of the text in the place of the emitted one; empty: there is none
  bool aot_only = false;

  auto operator<=>(const KernelKey&) const = default;
};

/// One kernel serves every batch and stream of its problem.
class LoadedKernel {
 public:
  LoadedKernel(KernelKey made_for, Emitted text)
      : key(std::move(made_for)), emitted(std::move(text)) {}

  /// Every step that led to the text. Generated when first asked for: executing needs none of it.
  [[nodiscard]] const LaunchKernel& steps() const;

  const KernelKey key;
  const Emitted emitted;  ///< the text that was compiled: an edited one where the key has one
  std::unique_ptr<const Kernel> kernel;
  KernelResources resources;

 private:
  mutable Lazy<LaunchKernel> steps_;
};

/// Everything a Planned depends on beside the wisdom, which a process reads once.
struct RequestKey {
  FftProblem problem;
  Tuning tuning;  ///< as given
  WorkspacePolicy policy;
  Target target;
  Platform platform;
  bool aot_only = false;
  /// Of what was made ahead of time a GPU takes less than the emulated device.
  bool on_gpu = false;
  std::size_t bundles = 0;      ///< Ahead::version()
  bool without_wisdom = false;  ///< see Runtime::made()

  auto operator<=>(const RequestKey&) const = default;
};

/// A plan, and what its kernels are made for: the device, or an older architecture that kernels
/// were made for ahead of time.
struct PlannedFor {
  Planned planned;
  Target target;
};

/// Where a plan will run.
struct Place {
  Device device = Device::cpu;  ///< gpu or cpu
  GpuDevice gpu;                ///< of a gpu
  Target target;
  Platform platform;
  FindCubin find_cubin;  ///< empty: the disk cache and the compiler
  EditKernel edit_kernel;
  bool overrides = false;
  bool aot_only = false;
  bool without_wisdom = false;
};

/// A plan and its kernels.
struct Made {
  std::shared_ptr<const PlannedFor> planned;
  std::vector<std::shared_ptr<const LoadedKernel>> kernels;
};

class Runtime {
 public:
  /// `bundles`: of kernels made ahead of time, beside those of the configuration.
  explicit Runtime(const Config& config, Bundles& bundles = Bundles::process());

  /// That of this process. Never destroyed: kernels must not be freed after the driver has gone.
  static Runtime& process();

  [[nodiscard]] Plan make_plan(const FftProblem& problem, const PlanOptions& options);
  [[nodiscard]] Choice choose_for(const FftProblem& problem, const PlanOptions& options);
  [[nodiscard]] std::size_t workspace_bytes(const FftProblem& problem, const PlanOptions& options);
  [[nodiscard]] FastSize next_fast_size(std::int64_t n, Storage storage,
                                        const PlanOptions& options);
  [[nodiscard]] FastShape next_fast_shape(const FftProblem& least, const PlanOptions& options);
  [[nodiscard]] Cubin compile(const CudaSource& source, const Target& target,
                              LineInfo lines = LineInfo::no);
  /// Text for the driver of a newer GPU, which compiles it.
  [[nodiscard]] std::string compile_ptx(const CudaSource& source, const Target& target,
                                        LineInfo lines = LineInfo::no);
  /// What the generator makes of it for no device in particular, whatever was made before.
  [[nodiscard]] Planned plan_ahead(const FftProblem& problem, const Tuning& tuning,
                                   WorkspacePolicy policy, const Target& target);
  /// Product, version and build of the compiler.
  [[nodiscard]] std::string compiler();
  std::vector<PreparedKernel> prepare(const FftProblem& problem, const PlanOptions& options);

  /// Opens the driver at first use; throws FftError where there is no GPU.
  [[nodiscard]] std::shared_ptr<const Driver> driver();
  /// gpu or cpu.
  [[nodiscard]] Device choose(Device device);

 private:
  // Every length, direction, placement, engine and radix at once is about this many. Without a
  // bound, a program that varies the scale, or resets its GPU, would grow for ever.
  static constexpr std::size_t most_kernels = 512;

  [[nodiscard]] std::shared_ptr<const NvrtcCompiler> nvrtc();
  /// The system's, and in the place of it the user's; what cannot be read is logged and left out.
  [[nodiscard]] Wisdom own_wisdom() const;
  /// What is shipped of it, and that.
  [[nodiscard]] Wisdom wisdom_for(const FftProblem& problem, const Target& target);
  [[nodiscard]] Place place_for(const PlanOptions& options);
  [[nodiscard]] PreparedKernel prepare(Launch launch, const Place& place);
  [[nodiscard]] std::shared_ptr<const PlannedFor> planned(const FftProblem& problem,
                                                          const Place& place,
                                                          const PlanOptions& options);
  [[nodiscard]] PlannedFor make_planned(const RequestKey& key);
  [[nodiscard]] Planned plan_by_wisdom(const RequestKey& key, const Wisdom& wisdom);
  /// What was measured is taken as far as it serves: where the generator or the compiler refuses
  /// it, the plan is made without it, and the log says so.
  [[nodiscard]] Made made(const FftProblem& problem, Place place, const PlanOptions& options);
  [[nodiscard]] std::shared_ptr<const Workspace> make_workspace(const Program& program,
                                                                std::int64_t batch,
                                                                const Place& place);
  /// Kernels of launches side by side, in their order. Throws what the first that fails throws,
  /// when all have ended.
  [[nodiscard]] std::vector<std::shared_ptr<const LoadedKernel>> load_all(
      const std::vector<Launch>& launches, const Target& target, const Place& place);
  [[nodiscard]] std::shared_ptr<const LoadedKernel> load(Launch launch, const Target& target,
                                                         const Place& place);
  /// With the text that takes its place, if any.
  [[nodiscard]] std::optional<Emitted> edited(const Launch& launch, const Target& target,
                                              const Place& place);
  [[nodiscard]] std::optional<std::string> overriding(const Launch& launch, const Target& target,
                                                      const CudaSource& source);
  /// Made ahead of time; null where it was not, or where the driver rejects it and another may
  /// serve.
  [[nodiscard]] std::shared_ptr<const LoadedKernel> load_ahead(const KernelKey& key,
                                                               const Place& place);
  [[nodiscard]] std::shared_ptr<const LoadedKernel> load_on_gpu(
      std::shared_ptr<LoadedKernel> loaded, const GpuDevice& device);
  [[nodiscard]] std::shared_ptr<const LoadedKernel> load_found(std::shared_ptr<LoadedKernel> loaded,
                                                               const Place& place);
  /// `ahead`: its text was made ahead of time.
  [[nodiscard]] std::shared_ptr<const LoadedKernel> load_on_host(
      std::shared_ptr<LoadedKernel> loaded, bool ahead);
  /// That Device::automatic has fallen to the emulated device; once.
  void warn_of_emulation();
  /// `wanted`: the compiler that is here, if it is known.
  void log_origin(const Compiled& compiled, const CudaSource& source,
                  const std::string& wanted = {});

  Config config_;
  Log log_;
  DiskCache disk_;
  Ahead ahead_;
  Lazy<Driver> driver_;
  Lazy<NvrtcCompiler> nvrtc_;
  Lazy<HostCompiler> host_compiler_;
  Lazy<Wisdom> own_wisdom_;
  std::atomic<bool> said_other_compiler_ = false, said_emulated_ = false;
  Lazy<Overrides> overrides_;
  SingleFlight<RequestKey, PlannedFor> planned_{most_kernels};
  SingleFlight<KernelKey, LoadedKernel> kernels_{most_kernels};
};

}  // namespace sonoma
