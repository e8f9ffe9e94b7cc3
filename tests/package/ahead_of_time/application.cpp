#include <complex>
#include <cstdio>
#include <vector>

#include "sonoma/plan.hpp"

int main() {
  sonoma::FftProblem problem;
  problem.lengths = {4096};
  problem.batch = 2;
  sonoma::PlanOptions options;
  options.aot_only = true;  // a kernel that was forgotten is an error, not a compilation
  options.device = sonoma::Device::cpu;  // the emulated one; gpu where there is one
  const sonoma::Plan plan = sonoma::make_plan(problem, options);

  std::vector<std::complex<float>> in(2 * 4096), out(2 * 4096);
  in[0] = in[4096] = 1;
  plan.execute(in.data(), out.data());
  std::printf("made ahead of time: %d, X[7] = %g\n", plan.resources().ahead_of_time, out[7].real());
  return 0;
}
