#include "filters.hpp"

#include <cmath>

#include "host_execution.hpp"
#include "laid_out.hpp"
#include "sonoma/program.hpp"
#include "sonoma/storage.hpp"
#include "sonoma/verify/convolution.hpp"

namespace sonoma::test {

using verification::Complex;

FftProblem problem_of(const std::vector<std::int64_t>& shape, bool real) {
  FftProblem problem;
  problem.lengths = shape;
  problem.convolution.emplace().real = real;
  return problem;
}

Plan plan_of(FftProblem problem, std::int64_t batch, const Tuning& tuning) {
  problem.batch = batch;
  PlanOptions options;
  options.device = Device::cpu;
  options.tuning = tuning;
  return make_plan(problem, options);
}

std::vector<Complex> some_points(std::int64_t count, bool real, double angle) {
  std::vector<Complex> points(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double t = angle * static_cast<double>(i + 1);
    points[i] = {static_cast<float>(std::sin(t)), real ? 0 : static_cast<float>(std::cos(3 * t))};
  }
  return points;
}

std::vector<Complex> executed(const Plan& plan, const std::vector<Complex>& x,
                              const std::vector<Complex>& spectrum) {
  const FftProblem& problem = plan.problem();
  auto in = pack(problem.storage, problem.values(true), x);
  std::vector<std::byte> out(static_cast<std::size_t>(problem.out_points()) *
                             problem.bytes_of_point(false));
  cli::execute_on_host_data(plan, in, out, 0, spectrum);
  return unpack(problem.result_storage(), problem.values(false), out);
}

verification::Report protocol_report(const FftProblem& problem, const Tuning& tuning) {
  const auto plan = [&](std::int64_t batch) { return plan_of(problem, batch, tuning); };
  verification::CheckOptions options;
  options.random_transforms = 2;
  options.spectrum = verification::random_spectrum(problem, 11);
  return check_executions(cli::executions_of(plan, options.spectrum), problem,
                          roundings_of(plan(1).program()), options);
}

void expect_reference(const Plan& plan) {
  const FftProblem& problem = plan.problem();
  const Memory in = random_input(problem);
  const auto spectra = verification::random_spectrum(problem, 3);
  Memory out = output_before(problem, in);
  execute_on(plan, in, out, nullptr, nullptr, spectra.data());
  expect_transforms(problem, expected_by_rows(problem, in, spectra), out,
                    output_before(problem, in), error_limit(plan.program()),
                    norms_of_rows(problem, in, spectra));
}

}  // namespace sonoma::test
