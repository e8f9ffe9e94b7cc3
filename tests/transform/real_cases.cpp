#include "real_cases.hpp"

#include "sonoma/program.hpp"

namespace sonoma::test {
void PrintTo(const RealCase& c, std::ostream* out) {
  *out << to_string(c.problem) << " " << to_string(c.options.tuning);
}

RealCase real_case(const FftProblem& problem) {
  RealCase c{problem};
  c.options.device = Device::cpu;
  return c;
}

RealCase real_case(Domain domain, const Shape& shape, std::int64_t batch) {
  FftProblem problem;
  problem.lengths = shape, problem.batch = batch, problem.domain = domain;
  if (domain == Domain::c2r) problem.direction = Direction::inverse;
  return real_case(problem);
}

Memory result_of(const Plan& plan, const Memory& in, const void* user) {
  Memory out = output_before(plan.problem(), in);
  execute_on(plan, in, out, nullptr, user);
  return out;
}

void expect_served(const RealCase& c) {
  const FftProblem& problem = c.problem;
  const Plan plan = make_plan(problem, c.options);
  const Memory in = random_input(problem, problem.storage == Storage::i16 ? 1000.0f : 1.0f);
  const Memory before = output_before(problem, in);
  const MemoryD exact =
      problem.ends == Ends{} ? expected_by_guru(problem, in) : expected_by_rows(problem, in);
  expect_transforms(problem, exact, result_of(plan, in), before, error_limit(plan.program()));
}

}  // namespace sonoma::test
