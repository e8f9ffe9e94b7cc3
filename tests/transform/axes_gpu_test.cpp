// Transforms of several axes on a GPU.
#include <gtest/gtest.h>

#include "parallel.hpp"
#include "plan_transform.hpp"
#include "sonoma/gpu.hpp"

namespace sonoma::test {
namespace {

std::vector<FftProblem> problems() {
  std::vector<FftProblem> list;
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{64, 64},
                                                                  {256, 512},
                                                                  {100, 60},
                                                                  {37, 107},
                                                                  {16, 8, 32},
                                                                  {3, 4, 5, 6},
                                                                  {20000, 3},
                                                                  {1, 64}}) {
    for (const Storage storage : {Storage::f32, Storage::f16, Storage::bf16}) {
      FftProblem& problem = list.emplace_back();
      problem.lengths = shape, problem.storage = storage;
      if (list.size() % 2 == 0) problem.direction = Direction::inverse;
      if (list.size() % 3 == 0) problem.placement = Placement::in_place;
    }
  }
  return list;
}

PlanTransform on(Device device, const FftProblem& problem) {
  return PlanTransform([=](std::int64_t batch) {
    FftProblem some = problem;
    some.batch = batch;
    PlanOptions options;
    options.device = device;
    if (device == Device::cpu) options.target = gpu_info().target;
    return make_plan(some, options);
  });
}

std::string name(const FftProblem& problem) { return to_string(problem); }

class AxesOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no CUDA device";
  }
};

TEST_F(AxesOnGpu, KeepTheProtocol) {
  EXPECT_EQ(in_parallel(problems(), name,
                        [](const FftProblem& problem) {
                          const auto report =
                              on(Device::gpu, problem).check({.random_transforms = 5});
                          return report.pass() ? "" : verification::to_string(report);
                        }),
            "");
}

TEST_F(AxesOnGpu, EqualTheEmulatedDeviceBitForBit) {
  try {
    (void)on(Device::cpu, problems().front()).plan(1);
  } catch (const FftError& error) {
    GTEST_SKIP() << "no emulated device here: " << error.what();
  }
  EXPECT_EQ(in_parallel(problems(), name,
                        [](const FftProblem& problem) -> std::string {
                          const auto x = verification::concatenate(
                              verification::random_inputs(problem.n(), 3, 7, problem.storage));
                          const auto count =
                              differing(run(on(Device::gpu, problem), x, problem.n()),
                                        run(on(Device::cpu, problem), x, problem.n()));
                          return count == 0 ? "" : std::to_string(count) + " points differ";
                        }),
            "");
}

}  // namespace
}  // namespace sonoma::test
