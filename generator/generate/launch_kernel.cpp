#include "sonoma/launch_kernel.hpp"

#include <algorithm>

#include "count_costs.hpp"
#include "error_model.hpp"
#include "kernel_text.hpp"
#include "sonoma/check.hpp"
#include "sonoma/errors.hpp"
#include "swizzles.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

// From a schedule to its text.
Generated kernel_of(const Schedule& schedule, const Target& target, const Shape& shape,
                    TableWords words) {
  Generated g{schedule.pass.problem, target, shape, tuning_of(shape), schedule, {}, {}, {}, {}};
  g.tuning.stage_load = g.schedule.load.staged;
  g.tuning.stage_store = g.schedule.store.staged;
  g.tuning.prefetch = g.schedule.shape.prefetch;
  if (schedule.pass.part) g.tuning.pass_lengths = schedule.pass.part->lengths;
  g.tuning.method = schedule.method();
  if (const std::string wrong = check(g.schedule); !wrong.empty()) {
    throw InternalError("schedule: " + wrong + "\n" + to_string(g.schedule));
  }
  g.ir = lower(g.schedule, g.problem.direction, g.problem.scale);
  if (const std::string wrong = verify(g.ir); !wrong.empty()) {
    throw InternalError("malformed kernel IR: " + wrong + "\n" + to_string(g.ir));
  }
  g.costs = count_costs(g.ir);
  g.error = error_of(g.ir, target);
  const KernelText text = kernel_text(g);
  g.source = {text.name, unit_text({text}), g.schedule.launch, {}};
  if (words == TableWords::made) {
    g.source.tables = make_tables(g.ir, given_back_by_spectrum(g.ir, target));
  }
  return g;
}

// Blocks make tiles of either: those of fewer threads leave the others idle.
void share_threads(Schedule& first, Schedule& second, const Target& target) {
  const unsigned threads = std::max(first.launch.threads, second.launch.threads);
  if (first.launch.threads == second.launch.threads) return;
  if (first.mixed() && second.mixed()) {
    return widen(first, threads, target), widen(second, threads, target);
  }
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

LaunchKernel generate(const Launch& launch, const Target& target, TableWords words) {
  validate(launch.pass), validate(target);
  Schedule first = schedule(launch.pass, target, launch.shape);
  LaunchKernel kernel;
  kernel.fusion = launch.fusion;
  if (!launch.fusion) {
    kernel.passes = {kernel_of(first, target, launch.shape, words)};
    kernel.source = kernel.passes[0].source;
    return kernel;
  }
  const Fusion& fusion = *launch.fusion;
  validate(fusion.pass);
  Schedule second = schedule(fusion.pass, target, fusion.shape);
  share_threads(first, second, target);
  second.launch.follows = false;  // blocks wait for each other
  if (!first.mixed() && !second.mixed()) {
    first.places.points.swizzle = second.places.points.swizzle = choose_swizzle({&first, &second});
  }
  kernel.passes = {kernel_of(first, target, launch.shape, words),
                   kernel_of(second, target, fusion.shape, words)};
  if (const auto wrong = check(fusion, first.launch.blocks_per_batch); !wrong.empty()) {
    throw InternalError("two passes in one launch: " + wrong);
  }
  kernel.source = source_of(kernel);
  return kernel;
}

ErrorEstimate error_of(const std::vector<LaunchKernel>& kernels) {
  ErrorEstimate error;
  for (const LaunchKernel& kernel : kernels) {
    for (const Generated& pass : kernel.passes) error += pass.error;
  }
  return error;
}

Unit unit_of(const Program& program, const std::vector<LaunchKernel>& kernels) {
  if (kernels.size() == 1) return {kernels.front().source.text, {kernels.front().source.name}};
  std::vector<KernelText> texts;
  for (const LaunchKernel& kernel : kernels) texts.push_back(text_of(kernel));
  auto text = texts.begin();
  for (const AxisLaunches& axis : program.axes) {
    for (std::size_t i = 0; i < axis.launches; ++i) {
      *text = of_axis(std::move(*text), axis.axis, program.problem.lengths), ++text;
    }
  }
  Unit unit{unit_text(texts), {}};
  for (const KernelText& one : texts) unit.names.push_back(one.name);
  return unit;
}

}  // namespace sonoma
