// A user's program: the transform of an impulse is one in every bin, as close as the plan says.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "sonoma/plan.hpp"

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
  std::printf("an impulse gave ones to %g, promised is %g\n", relative, plan.error_bound());
  return relative <= plan.error_bound() ? 0 : 1;
}
