#include "sonoma/launch_kernel.hpp"

#include "emit_fused.hpp"
#include "generate_scheduled.hpp"
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

}  // namespace

LaunchKernel generate(const Launch& launch, const Target& target) {
  if (!launch.fusion) {
    LaunchKernel kernel{{generate(launch.pass, target, launch.tuning)}, {}};
    kernel.source = kernel.passes[0].source;
    return kernel;
  }
  const Fusion& fusion = *launch.fusion;
  validate(launch.pass), validate(fusion.pass);
  Schedule first = schedule(launch.pass, target, launch.tuning);
  Schedule second = schedule(fusion.pass, target, fusion.tuning);
  require_same_threads(first, second);
  second.launch.follows = false;  // blocks wait for each other
  first.swizzle = second.swizzle = choose_swizzle({&first, &second});
  LaunchKernel kernel;
  kernel.passes = {generate_scheduled(first, target, launch.tuning),
                   generate_scheduled(second, target, fusion.tuning)};
  if (const auto wrong = check(fusion, first.launch.blocks_per_batch); !wrong.empty()) {
    throw InternalError("two passes in one launch: " + wrong);
  }
  kernel.source = emit_fused(kernel.passes[0], kernel.passes[1], fusion);
  return kernel;
}

}  // namespace sonoma
