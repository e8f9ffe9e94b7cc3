// What a runtime takes of kernels made ahead of time, and what it does to make them.
#include <chrono>
#include <exception>
#include <stdexcept>
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

// By none where a plan cannot be made by it, and one can without.
Planned Runtime::plan_by_wisdom(const RequestKey& key, const Wisdom& wisdom) {
  const auto plan_by = [&](const Wisdom& known) {
    return plan(key.problem, key.target, key.platform, known, key.tuning, key.policy);
  };
  try {
    return plan_by(wisdom);
  } catch (const std::logic_error& error) {  // UnsupportedProblem, InternalError
    if (wisdom.entries().empty()) throw;
    const std::exception_ptr first = std::current_exception();
    try {
      Planned planned = plan_by({});
      log_.warn("wisdom is not used: " + std::string(error.what()).substr(0, 300));
      return planned;
    } catch (const std::logic_error&) {
      std::rethrow_exception(first);  // the request is to blame
    }
  }
}

PlannedFor Runtime::make_planned(const RequestKey& key) {
  const AheadKey ahead{key.problem, key.tuning, key.policy, key.target.arch};
  if (auto found = ahead_.find_plan(ahead, key.target, key.on_gpu)) {
    Target target = key.target;
    target.arch = found->arch;
    return {std::move(found->planned), target};
  }
  if (key.aot_only) throw FftError(Stage::cache, not_made_ahead(ahead, ahead_.list()));
  Planned planned =
      plan_by_wisdom(key, key.without_wisdom ? Wisdom() : wisdom_for(key.problem, key.target));
  for (const std::string& refused : planned.choice.refused) {
    log_.warn("wisdom is not used, " + refused);
  }
  return {std::move(planned), key.target};
}

Planned Runtime::plan_ahead(const FftProblem& problem, const Tuning& tuning, WorkspacePolicy policy,
                            const Target& target) {
  const Platform none{"", target.arch, ""};
  return plan(problem, target, none, wisdom_for(problem, target), tuning, policy);
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
