// Requests by chance on a GPU, beside FFTW. SONOMA_RANDOM_COUNT says how many; under
// compute-sanitizer they are a sample of kernels of all kinds (tests/transform/sanitize.sh).
#include <gtest/gtest.h>

#include <iostream>

#include "../setting.hpp"
#include "by_chance.hpp"
#include "sonoma/gpu.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

// False where it is refused.
bool try_on_gpu(std::int64_t seed, std::int64_t number) {
  std::string asked = "SONOMA_RANDOM_SEED=" + std::to_string(seed) +
                      " SONOMA_RANDOM_FIRST=" + std::to_string(number) + " repeats it: ";
  try {
    Chance chance(seed, number);
    const FftProblem problem = chance.problem();
    PlanOptions options;
    options.device = Device::gpu;
    options.tuning = chance.tuning(problem);
    asked += to_string(problem) + " " + to_string(options.tuning);
    const Plan plan = make_plan(problem, options);
    SCOPED_TRACE(asked);
    expect_as_fftw(plan);
    return true;
  } catch (const UnsupportedProblem&) {
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << asked << "\n" << error.what();
    return true;
  }
}

TEST(ByChanceOnGpu, WhatIsAcceptedIsThatOfFftw) {
  if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  const std::int64_t seed = setting("SONOMA_RANDOM_SEED", seed_of_today());
  const std::int64_t first = setting("SONOMA_RANDOM_FIRST", 0);
  const std::int64_t count = setting("SONOMA_RANDOM_COUNT", 60);
  std::int64_t right = 0, number = first;
  while (right < count) right += try_on_gpu(seed, number++) ? 1 : 0;
  std::cout << "seed " << seed << ": " << right << " of " << number - first << " were accepted\n";
}

}  // namespace
}  // namespace sonoma::test
