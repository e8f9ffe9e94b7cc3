// What a runtime takes of kernels made ahead of time, and what it does to make them.
#include <chrono>
#include <utility>

#include "gpu_kernel.hpp"
#include "runtime.hpp"

namespace sonoma {

std::string Runtime::compile_ptx(const CudaSource& source, const Target& target, LineInfo lines) {
  const auto compiler = nvrtc();
  return find_or_compile(disk_, NvrtcCompiler::ptx_inputs_for(source, target, lines),
                         [&](const CompileInputs& inputs) { return compiler->compile(inputs); },
                         {compiler->known_identity(), true})
      .binary.bytes;
}

std::string Runtime::compiler() { return nvrtc()->identity(); }

PlannedFor Runtime::make_planned(const RequestKey& key) {
  const AheadKey ahead{key.problem, key.tuning, key.policy, key.target.arch};
  if (auto found = ahead_.find_plan(ahead, key.target, key.on_gpu)) {
    Target target = key.target;
    target.arch = found->arch;
    return {std::move(found->planned), target};
  }
  if (key.aot_only) throw FftError(Stage::cache, not_made_ahead(ahead, ahead_.list()));
  const Wisdom wisdom = wisdom_for(key.problem);
  return {plan(key.problem, key.target, key.platform, wisdom, key.tuning, key.policy), key.target};
}

Planned Runtime::plan_ahead(const FftProblem& problem, const Tuning& tuning, WorkspacePolicy policy,
                            const Target& target) {
  const Platform none{"", target.arch, ""};
  return plan(problem, target, none, wisdom_for(problem), tuning, policy);
}

std::shared_ptr<const LoadedKernel> Runtime::load_ahead(const KernelKey& key, const Place& place) {
  const auto start = std::chrono::steady_clock::now();
  auto found = ahead_.find_kernel(key.launch, key.target.arch, place.target.arch);
  if (!found) return nullptr;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  auto loaded = std::make_shared<LoadedKernel>(key, std::move(found->emitted));
  try {
    auto kernel =
        std::make_unique<GpuKernel>(driver(), place.gpu, loaded->emitted.source, found->binary);
    const CubinResources needs = kernel->resources();
    loaded->resources = {needs.registers, needs.local_bytes, needs.static_shared_bytes, true, true,
                         took.count()};
    loaded->kernel = std::move(kernel);
  } catch (const FftError& error) {
    if (key.aot_only || error.stage() != Stage::load_module) throw;
    log_.warn(std::string("a kernel made ahead of time is not used: ") + error.what());
    return nullptr;
  }
  return loaded;
}

}  // namespace sonoma
