#include "sonoma/launch_kernel.hpp"

#include "generate_scheduled.hpp"
#include "kernel_text.hpp"
#include "swizzles.hpp"

namespace sonoma {
namespace {

void require_same_threads(const Schedule& first, const Schedule& second) {
  if (first.launch.threads == second.launch.threads) return;
  throw UnsupportedProblem("fused", to_list(first.pass.part->lengths),
                           "passes with blocks of as many threads in one launch, not " +
                               std::to_string(first.launch.threads) + " and " +
                               std::to_string(second.launch.threads));
}

KernelText text_of(const LaunchKernel& kernel) {
  if (!kernel.fusion) return kernel_text(kernel.passes[0]);
  return fused_text(kernel.passes[0], kernel.passes[1], *kernel.fusion);
}

// Of two passes.
CudaSource source_of(const LaunchKernel& kernel) {
  const KernelText text = text_of(kernel);
  const CudaSource &first = kernel.passes[0].source, &second = kernel.passes[1].source;
  CudaSource source{text.name, unit_text({text}),
                    fused_shape(first.launch, second.launch, *kernel.fusion), first.tables};
  source.tables.insert(source.tables.end(), second.tables.begin(), second.tables.end());
  return source;
}

}  // namespace

LaunchKernel generate(const Launch& launch, const Target& target) {
  if (!launch.fusion) {
    LaunchKernel kernel{{generate(launch.pass, target, launch.tuning)}, {}, {}};
    kernel.source = kernel.passes[0].source;
    return kernel;
  }
  const Fusion& fusion = *launch.fusion;
  validate(launch.pass), validate(fusion.pass);
  Schedule first = schedule(launch.pass, target, launch.tuning);
  Schedule second = schedule(fusion.pass, target, fusion.tuning);
  require_same_threads(first, second);
  second.launch.follows = false;  // blocks wait for each other
  if (!first.mixed() && !second.mixed()) {
    first.places.swizzle = second.places.swizzle = choose_swizzle({&first, &second});
  }
  LaunchKernel kernel;
  kernel.passes = {generate_scheduled(first, target, launch.tuning),
                   generate_scheduled(second, target, fusion.tuning)};
  if (const auto wrong = check(fusion, first.launch.blocks_per_batch); !wrong.empty()) {
    throw InternalError("two passes in one launch: " + wrong);
  }
  kernel.fusion = fusion;
  kernel.source = source_of(kernel);
  return kernel;
}

std::string emit_unit(const std::vector<LaunchKernel>& kernels) {
  std::vector<KernelText> texts;
  for (const LaunchKernel& kernel : kernels) texts.push_back(text_of(kernel));
  return unit_text(texts);
}

}  // namespace sonoma
