// Kernels that are compiled before a plan asks for them.
#include <utility>

#include "runtime.hpp"

namespace sonoma {

PreparedKernel Runtime::prepare(Launch launch, const Place& place) {
  launch.from = Buffer::input, launch.to = Buffer::output;  // as load() does
  if (place.device == Device::cpu) {
    const auto kernel = load(std::move(launch), place.target, place);
    const KernelResources& needs = kernel->resources;
    return {kernel->emitted.source.name, "host", 0, 0, needs.from_cache, needs.compile_ms};
  }
  const CudaSource source = find_or_emit(disk_, launch, place.target).source;
  const Cubin cubin = compile(source, place.target);
  return {source.name,       arch_name(place.target), cubin.registers,
          cubin.local_bytes, cubin.from_cache,        cubin.compile_ms};
}

std::vector<PreparedKernel> Runtime::prepare(const FftProblem& problem,
                                             const PlanOptions& options) {
  validate(problem);
  Place place;
  if (options.device != Device::cpu && options.target) {  // needs no GPU
    place.device = Device::gpu, place.target = *options.target;
    place.platform.arch = place.target.arch;
  } else {
    place = place_for(options);
  }
  const Planned planned =
      plan(problem, place.target, place.platform, wisdom_for(problem, place.target), options.tuning,
           options.workspace_policy);
  std::vector<PreparedKernel> kernels;
  const auto add = [&](const Program& program) {
    for (const Launch& launch : program.launches) kernels.push_back(prepare(launch, place));
  };
  if (planned.few) add(*planned.few);
  add(planned.program);
  return kernels;
}

}  // namespace sonoma
