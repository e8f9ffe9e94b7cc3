#include "pair.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "suite.hpp"
#include "workload.hpp"

namespace sonoma::bench {
namespace {

Workload workload_of(const FftProblem& problem) {
  const auto bytes = [&](bool input) {
    const std::int64_t points = input ? problem.in_points() : problem.out_points();
    return static_cast<std::size_t>(points) * problem.bytes_of_point(input);
  };
  const std::size_t point = point_bytes(problem.storage);
  Workload workload(Device::gpu, problem.storage,
                    (std::max(bytes(true), bytes(false)) + point - 1) / point);
  if (problem.values(true) == Values::hermitian) workload.make_hermitian(problem);
  return workload;
}

double error_of(const FftProblem& problem, const Contender& contender, const Workload& workload,
                const GpuStream& stream) {
  copy_on_device(workload.out(), workload.in(), workload.bytes(), stream.get());  // no leftovers
  contender.enqueue();
  stream.synchronize();
  return Sample(workload, problem).relative_l2(workload.output());
}

}  // namespace

PairTimes time_pair(const PairSide& a, const PairSide& b, int repetitions) {
  const GpuStream stream;
  const Workload of_a = workload_of(a.problem), of_b = workload_of(b.problem);
  const std::vector<Contender> who = {copy_contender(a.problem, of_a, stream.get()),
                                      sonoma_contender(a.variant, a.problem, of_a, stream.get()),
                                      copy_contender(b.problem, of_b, stream.get()),
                                      sonoma_contender(b.variant, b.problem, of_b, stream.get())};
  const int launches = std::min(launches_of(a.problem), launches_of(b.problem));
  const auto times = sample_contenders(who, stream, {repetitions, launches});
  const double bytes =
      static_cast<double>(bytes_of(a.problem)) / static_cast<double>(bytes_of(b.problem));
  std::vector<double> ratios;
  for (std::size_t i = 0; i < times[1].size(); ++i) {
    ratios.push_back(times[3][i] / times[1][i] * bytes);
  }
  return {{median(times[1]), median(times[0]), error_of(a.problem, who[1], of_a, stream)},
          {median(times[3]), median(times[2]), error_of(b.problem, who[3], of_b, stream)},
          median_interval(ratios)};
}

}  // namespace sonoma::bench
