#include "run_suite.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "line_up.hpp"
#include "workload.hpp"

namespace sonoma::bench {
namespace {

/// As large as the largest problem of that storage.
Workload workload_for(const Suite& suite, Storage storage) {
  std::size_t points = 0, bytes = 0;
  for (const auto& problem : suite.problems) {
    if (problem.storage != storage) continue;
    points = std::max(points, static_cast<std::size_t>(problem.in_points()));
    bytes = std::max(bytes, static_cast<std::size_t>(problem.out_points()) *
                                point_bytes(problem.result_storage()));
  }
  return {Device::gpu, storage, points, bytes};
}

Result result_of(const FftProblem& problem) {
  Result result;
  result.type = to_string(problem.storage);
  if (problem.result_storage() != problem.storage) {
    result.type += " to " + to_string(problem.result_storage());
  }
  result.dims = dims_of(problem);
  result.batch = transforms_of(problem);
  result.place = place_of(problem);
  return result;
}

void run_problem(const FftProblem& problem, const LineUp& who, const Workload& workload,
                 const GpuStream& stream, const Repetitions& repetitions,
                 const Listener<Result>& listener) {
  const auto times = time_contenders(who.contenders, stream, repetitions);
  const Sample sample(workload, problem);
  Result result = result_of(problem);
  result.copy_ms = times[0];
  for (std::size_t c = 0; c < who.contenders.size(); ++c) {
    // Nobody is judged by what another has left.
    copy_on_device(workload.out(), workload.in(), workload.bytes(), stream.get());
    who.contenders[c].enqueue();
    stream.synchronize();
    result.lib = who.contenders[c].name;
    result.ms = times[c];
    result.rel_l2 = c == 0 ? 0 : sample.relative_l2(workload.output());
    result.workspace = who.contenders[c].workspace;
    listener.result(result);
  }
}

}  // namespace

void run_suite(const Suite& suite, const RunOptions& options, const Listener<Result>& listener) {
  const GpuStream stream;
  std::optional<Cufft> cufft;
  if (options.with_cufft) cufft.emplace();
  std::unique_ptr<const Workload> workload;
  for (const auto& problem : suite.problems) {
    if (!workload || workload->storage() != problem.storage) {
      workload.reset();  // frees its memory before the next takes as much
      workload = std::make_unique<const Workload>(workload_for(suite, problem.storage));
    }
    const LineUp who = line_up(problem, *workload, cufft ? &*cufft : nullptr, stream);
    for (const auto& note : who.notes) listener.note(note);
    run_problem(problem, who, *workload, stream, {options.repetitions, suite.launches}, listener);
  }
}

}  // namespace sonoma::bench
