#include "real_cases.hpp"

#include <functional>

namespace sonoma::test {
namespace {

Way way(const char* name, std::int64_t n, const std::function<void(Tuning&)>& wish) {
  Way result{name, n, {}};
  wish(result.tuning);
  return result;
}

}  // namespace

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

std::vector<Way> all_ways() {
  const auto by = [](Method method) { return [=](Tuning& t) { t.method = method; }; };
  const auto in_passes = [](const Shape& lengths) {
    return [=](Tuning& t) { t.pass_lengths = lengths; };
  };
  return {
      way("mma", 256, [](Tuning& t) { t.engine = Engine::mma; }),
      way("simt", 256, [](Tuning& t) { t.engine = Engine::simt; }),
      way("mma of few points", 16, [](Tuning& t) { t.engine = Engine::mma; }),
      way("four products", 1024, [](Tuning& t) { t.engine = Engine::mma, t.products = 4; }),
      way("two passes", 4096, in_passes({64, 64})),
      way("mixed passes", 3600, in_passes({60, 60})),
      way("odd passes", 2025, in_passes({45, 45})),
      way("three passes", 32768, in_passes({32, 32, 32})),
      way("tensor core passes", 4096,
          [](Tuning& t) {
            t.pass_lengths = Shape{64, 64}, t.engine = Engine::mma;
          }),
      way("passes of odd columns", 1980, in_passes({44, 45})),
      way("passes of odd rows", 1980, in_passes({45, 44})),
      way("cluster", 8192, [](Tuning& t) { t.cluster = 2; }),
      way("rounds", 8192, [](Tuning& t) { t.rounds = 2; }),
      way("Bluestein", 107, by(Method::bluestein)),
      way("Bluestein of an even number", 514, by(Method::bluestein)),
      way("Bluestein in passes", 499,
          [](Tuning& t) {
            t.method = Method::bluestein, t.pass_lengths = Shape{32, 64};
          }),
      way("Bluestein in three passes", 499,
          [](Tuning& t) {
            t.method = Method::bluestein, t.pass_lengths = Shape{32, 32, 32};
          }),
  };
}

}  // namespace sonoma::test
