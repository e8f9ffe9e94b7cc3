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
  std::int64_t points = 0;
  for (const auto& problem : suite.problems) {
    if (problem.storage == storage) points = std::max(points, points_of(problem));
  }
  return {Device::gpu, storage, static_cast<std::size_t>(points)};
}

Result result_of(const FftProblem& problem) {
  Result result;
  result.type = to_string(problem.storage);
  result.dims = dims_of(problem);
  result.batch = transforms_of(problem);
  result.place = problem.placement == Placement::in_place ? "in" : "out";
  if (!problem.layout.loops.empty()) result.place += "-columns";
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
    who.contenders[0].enqueue();  // the copy: nobody is judged by what another has left
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
