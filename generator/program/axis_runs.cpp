#include "sonoma/axis_runs.hpp"

namespace sonoma {
namespace {

std::uint64_t bytes_to_next(const FftProblem& problem, bool input) {
  const std::int64_t points = input ? problem.in_dist() : problem.out_dist();
  return static_cast<std::uint64_t>(points) * problem.bytes_of_point(input);
}

std::uint64_t bytes_between_spectra(const FftProblem& problem) {
  if (!problem.convolution) return 0;
  return static_cast<std::uint64_t>(problem.convolution->spectrum_dist) * point_bytes(Storage::f32);
}

}  // namespace

std::vector<AxisRun> axis_runs(const Program& program) {
  std::vector<AxisRun> runs;
  std::size_t first = 0;
  for (const Program& one : programs_of_axes(program)) {
    const std::size_t last = first + one.launches.size();
    const std::int64_t repeat = program.axes.empty() ? 1 : program.axes[runs.size()].repeat;
    runs.push_back({first, last, repeat, one.transforms_together, bytes_to_next(one.problem, true),
                    bytes_to_next(one.problem, false), bytes_between_spectra(one.problem)});
    first = last;
  }
  return runs;
}

}  // namespace sonoma
