// A user's program: the transform of an impulse is one in every bin, as close as the plan says.
// Errors are caught as what they are, and what a plan was made of can be looked at.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <sonoma/inspect.hpp>
#include <sonoma/sonoma.hpp>
#include <sonoma/version.hpp>
#include <vector>

namespace {

bool refuses_wrong_lengths() {
  sonoma::FftProblem problem;
  problem.lengths = {-4};
  try {
    (void)sonoma::make_plan(problem);
  } catch (const sonoma::UnsupportedProblem& error) {
    std::printf("refused: %s\n", error.what());
    return true;
  }
  return false;
}

bool names_the_stage(const sonoma::Plan& plan) {
  try {
    plan.execute(static_cast<const void*>(nullptr), nullptr);
  } catch (const std::invalid_argument& error) {
    std::printf("refused: %s\n", error.what());
    return true;
  }
  return false;
}

}  // namespace

int main() {
  sonoma::FftProblem problem;
  problem.lengths = {16};
  sonoma::PlanOptions options;
  options.device = sonoma::Device::cpu;
  const sonoma::Plan plan = sonoma::make_plan(problem, options);

  std::vector<std::complex<float>> in(16), out(16);
  in[0] = 1;
  plan.execute(in.data(), out.data());
  double error = 0;
  for (const std::complex<float> bin : out) error += std::norm(bin - 1.0f);
  const double relative = std::sqrt(error / 16);
  std::printf("Sonoma %s (%s): an impulse gave ones to %g, promised is %g\n", sonoma::version(),
              sonoma::commit(), relative, plan.error_bound());

  std::printf("%s\n%s\n", to_string(plan.generated().schedule).c_str(),
              to_string(plan.generated().ir).c_str());
  const bool good = relative <= plan.error_bound() && refuses_wrong_lengths() &&
                    names_the_stage(plan) && plan.program().launches.size() == 1 &&
                    std::strcmp(sonoma::version(), VERSION) == 0;
  return good ? 0 : 1;
}
