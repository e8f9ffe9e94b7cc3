#include "judging.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "host_execution.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/verify/convolution.hpp"

namespace sonoma::cli {

Case case_asked(const RequestOptions& request, const PlanOptions& plan) {
  Case asked{problem_asked(request), plan, {}, request.array.has_value(), {}};
  if (request.batch || request.array) {
    asked.most = asked.problem.batch * transforms_of(asked.problem);
  }
  return asked;
}

// Of transforms that lie side by side there are only as many as their strides have room for.
void require_room(const Case& the_case) {
  require_in_reach(the_case.oracle, the_case.problem);
  FftProblem many = the_case.problem;
  if (!the_case.most) many.batch = 4096;  // more than the checks take
  try {
    if (!the_case.most) validate(many);
  } catch (const UnsupportedProblem& error) {
    throw BadArgument(
        "--batch", "(missing)",
        fmt::format("say how many transforms lie side by side; of any number {}", error.what()));
  }
  if (many.convolution && many.convolution->spectrum_dist != 0) {
    throw BadArgument("--spectrum-dist", std::to_string(many.convolution->spectrum_dist),
                      "must be 0 here: all signals are checked with one spectrum");
  }
  if (many.convolution && !std::ranges::all_of(many.convolution->spectrum_strides,
                                               [](std::int64_t stride) { return stride == 0; })) {
    throw BadArgument("--loops", to_string(many.layout),
                      "must have no spectra of their own here: all signals are checked with one; "
                      "leave the fourth numbers out");
  }
  if (!input_overlaps(many)) return;
  throw BadArgument("--in-dist", std::to_string(many.in_dist()),
                    "must keep the transforms apart, for each gets numbers of its own here; `run` "
                    "takes rows that overlap");
}

verification::Report check(const Case& the_case, const Plan& plan) {
  const auto plan_of = [&](std::int64_t batch) {
    FftProblem problem = the_case.problem;
    problem.batch = batch;
    return make_plan(problem, the_case.plan);
  };
  verification::CheckOptions options;
  options.oracle = the_case.oracle;
  if (the_case.problem.convolution) {
    options.spectrum = verification::random_spectrum(the_case.problem, options.seed);
  }
  verification::Executions executions = executions_of(plan_of, options.spectrum);
  if (the_case.most) executions.most = *the_case.most;
  if (the_case.whole) executions.least_batch = the_case.problem.batch;
  return check_executions(executions, the_case.problem, roundings_of(plan.program()), options);
}

}  // namespace sonoma::cli
