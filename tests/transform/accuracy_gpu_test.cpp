// The same as accuracy_test.cpp on a GPU, all requests.
#include <gtest/gtest.h>

#include <cmath>

#include "accuracy_cases.hpp"
#include "sonoma/gpu.hpp"

namespace sonoma::test {
namespace {

TEST(AccuracyOnGpu, NoBoundIsExceededAndRandomInputErrsAsExpected) {
  if (!gpu_available()) GTEST_SKIP() << "no CUDA device";
  for (const Request& request : accuracy_requests()) {
    const Accuracy a = accuracy_of(request, Device::gpu, 20);
    EXPECT_LE(a.found, a.bound) << request.name << ": " << to_string(a);
    EXPECT_NEAR(a.random / a.expected, 1, 0.25) << request.name << ": " << to_string(a);
  }
}

}  // namespace
}  // namespace sonoma::test
