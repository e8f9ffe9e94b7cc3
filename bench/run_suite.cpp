#include "run_suite.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "workload.hpp"

namespace sonoma::bench {
namespace {

/// As large as the largest side of the problems of that storage: all that is left in an output
/// before it is judged are numbers.
Workload workload_for(std::span<const FftProblem> problems, Storage storage) {
  const auto bytes_of_side = [](const FftProblem& problem, bool input) {
    const std::int64_t points = input ? problem.in_points() : problem.out_points();
    return static_cast<std::size_t>(points) * problem.bytes_of_point(input);
  };
  const std::size_t point = point_bytes(storage);
  std::size_t bytes = 0;
  for (const auto& problem : problems) {
    if (problem.storage != storage) continue;
    bytes = std::max({bytes, bytes_of_side(problem, true), bytes_of_side(problem, false)});
  }
  return {Device::gpu, storage, (bytes + point - 1) / point};
}

Workload hermitian_workload_for(const FftProblem& problem) {
  Workload workload = workload_for({&problem, 1}, problem.storage);
  workload.make_hermitian(problem);
  return workload;
}

Result result_of(const FftProblem& problem) {
  Result result;
  result.type = type_of(problem);
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
    if (who.contenders[c].prepare) who.contenders[c].prepare();
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
    const bool hermitian = problem.values(true) == Values::hermitian;
    if (hermitian || !workload || workload->storage() != problem.storage) {
      workload.reset();  // frees its memory before the next takes as much
      workload = std::make_unique<const Workload>(
          hermitian ? hermitian_workload_for(problem)
                    : workload_for(suite.problems, problem.storage));
    }
    const LineUp who =
        line_up(problem, options.variants, *workload, cufft ? &*cufft : nullptr, stream);
    for (const auto& note : who.notes) listener.note(note);
    run_problem(problem, who, *workload, stream, {options.repetitions, launches_of(problem)},
                listener);
  }
}

}  // namespace sonoma::bench
