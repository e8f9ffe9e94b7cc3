// The kernels of a plan: from bundles, the cache or a compiler into a device, each once.
#include <future>
#include <span>
#include <utility>

#include "gpu_kernel.hpp"
#include "runtime.hpp"
#include "sha256.hpp"

namespace sonoma {
namespace {

KernelResources resources_of(const Compiled& compiled, const CubinResources& needs) {
  return {needs.registers, needs.local_bytes,    needs.static_shared_bytes, compiled.from_cache,
          false,           compiled.milliseconds};
}

}  // namespace

// The compilers take one thread a kernel. Where no thread can be started, this one does its work
// in get(). Futures that an exception leaves behind wait for their threads.
std::vector<std::shared_ptr<const LoadedKernel>> Runtime::load_all(
    const std::vector<Launch>& launches, const Target& target, const Place& place) {
  constexpr auto policy = std::launch::async | std::launch::deferred;
  std::vector<std::future<std::shared_ptr<const LoadedKernel>>> others;
  for (const Launch& launch : std::span(launches).subspan(1)) {
    others.push_back(std::async(policy, [&] { return load(launch, target, place); }));
  }
  std::vector<std::shared_ptr<const LoadedKernel>> kernels = {
      load(launches.front(), target, place)};
  for (auto& other : others) kernels.push_back(other.get());
  return kernels;
}

std::shared_ptr<const LoadedKernel> Runtime::load(Launch launch, const Target& target,
                                                  const Place& place) {
  launch.from = Buffer::input, launch.to = Buffer::output;  // the same kernel wherever points lie
  std::optional<Emitted> text = edited(launch, target, place);
  const KernelKey key{std::move(launch),
                      target,
                      place.device,
                      place.gpu.context_id,
                      text ? sha256(text->source.text) : "",
                      place.aot_only};
  return kernels_.get(key, [&]() -> std::shared_ptr<const LoadedKernel> {
    const bool on_host = key.device == Device::cpu, found = place.find_cubin && !on_host;
    bool ahead = false;
    if (!text && on_host) {
      auto made = ahead_.find_kernel(key.launch, target.arch, 0);
      ahead = made.has_value();
      if (made) text = std::move(made->emitted);
    } else if (!text && !found) {
      if (auto loaded = load_ahead(key, place)) return loaded;
    }
    if (!text) text = found ? emit(key.launch, target) : find_or_emit(disk_, key.launch, target);
    auto loaded = std::make_shared<LoadedKernel>(key, *std::move(text));
    if (on_host) return load_on_host(std::move(loaded), ahead);
    return found ? load_found(std::move(loaded), place) : load_on_gpu(std::move(loaded), place.gpu);
  });
}

std::shared_ptr<const Workspace> Runtime::make_workspace(const Program& program, std::int64_t batch,
                                                         const Place& place) {
  const std::uint64_t bytes = program.workspace_bytes(batch);
  if (bytes == 0) return nullptr;
  if (place.device == Device::cpu) return std::make_shared<const Workspace>(bytes);
  return std::make_shared<const Workspace>(driver(), place.gpu, bytes);
}

std::shared_ptr<const LoadedKernel> Runtime::load_on_gpu(std::shared_ptr<LoadedKernel> loaded,
                                                         const GpuDevice& device) {
  const CudaSource& source = loaded->emitted.source;
  const auto compiler = nvrtc();
  Compiled compiled;
  auto kernel = load_or_recompile(
      disk_, NvrtcCompiler::inputs_for(source, loaded->key.target),
      [&](const CompileInputs& inputs) { return compiler->compile(inputs); }, compiled,
      [&](const std::string& cubin) {
        return std::make_unique<GpuKernel>(driver(), device, source, cubin);
      },
      {compiler->known_identity()});
  log_origin(compiled, source, compiler->known_identity());
  loaded->resources = resources_of(compiled, kernel->resources());
  loaded->kernel = std::move(kernel);
  return loaded;
}

std::shared_ptr<const LoadedKernel> Runtime::load_found(std::shared_ptr<LoadedKernel> loaded,
                                                        const Place& place) {
  const CudaSource& source = loaded->emitted.source;
  const auto cubin = place.find_cubin(source);
  if (!cubin) {
    throw FftError(Stage::cache, "kernel " + source.name +
                                     " is none of those that were compiled before: this "
                                     "generator emits another text");
  }
  auto kernel = std::make_unique<GpuKernel>(driver(), place.gpu, source, *cubin);
  const CubinResources needs = kernel->resources();
  loaded->resources = {needs.registers, needs.local_bytes, needs.static_shared_bytes, true};
  loaded->kernel = std::move(kernel);
  return loaded;
}

std::shared_ptr<const LoadedKernel> Runtime::load_on_host(std::shared_ptr<LoadedKernel> loaded,
                                                          bool ahead) {
  const CudaSource& source = loaded->emitted.source;
  const auto compiler = host_compiler_.get([this] { return make_host_compiler(config_); });
  Compiled compiled;
  loaded->kernel = load_or_recompile(
      disk_, host_inputs(*compiler, source),
      [&](const CompileInputs&) { return compile_for_host(*compiler, source); }, compiled,
      [&](const std::string& object) {
        return std::make_unique<HostKernel>(source, object, loaded->key.launch);
      });
  log_origin(compiled, source);
  loaded->resources = resources_of(compiled, {});
  loaded->resources.ahead_of_time = ahead;
  return loaded;
}

}  // namespace sonoma
