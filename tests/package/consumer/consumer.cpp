// A user's program: the transform of an impulse is one in every bin.
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
  for (const std::complex<float> bin : out) {
    if (bin != std::complex<float>(1)) {
      std::printf("an impulse gave %g%+gi\n", bin.real(), bin.imag());
      return 1;
    }
  }
  std::puts("an impulse gave ones");
  return 0;
}
