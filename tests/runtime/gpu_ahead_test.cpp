// Kernels made ahead of time on a real GPU: cubins of its architecture, and PTX of an older one.
// Skipped where there is none.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "gpu_support.hpp"
#include "runtime.hpp"
#include "sonoma/ahead_of_time.hpp"
#include "sonoma/sonoma.hpp"
#include "support.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

using Clock = std::chrono::steady_clock;

class GpuAhead : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  }

  // A runtime that has nothing but what is made of these.
  [[nodiscard]] Runtime& runtime(const std::vector<AheadRequest>& requests, const Target& target) {
    AheadOfTime ahead;
    for (const AheadRequest& request : requests) {
      AheadProgram made = generate_ahead(request, target);
      ahead.add(request, made, true);
    }
    std::ofstream(folder_.path() / "kernels", std::ios::binary) << ahead.bundle();
    Config config = sonoma::config();
    config.cache_dir.clear();
    config.log_level = LogLevel::off;
    config.aot_only = true;
    config.kernel_bundles = {folder_.path() / "kernels"};
    runtime_ = std::make_unique<Runtime>(config, none_);
    return *runtime_;
  }

  static void expect_transform(const Plan& plan, std::int64_t n, std::int64_t batch) {
    EXPECT_TRUE(plan.resources().ahead_of_time);
    Rows in = Rows::tone(n, batch, 3), out(n, batch);
    DeviceBuffer from(Device::gpu, in.bytes()), to(Device::gpu, in.bytes());
    from.upload(in.data(), in.bytes());
    plan.execute(from.data(), to.data());
    to.download(out.data(), out.bytes());
    out.expect_line(3);
  }

  TemporaryFolder folder_;
  Bundles none_;
  std::unique_ptr<Runtime> runtime_;
};

TEST_F(GpuAhead, CubinsOfItsArchitecture) {
  const std::vector<std::int64_t> lengths = {16, 1000, 1009, 4096, 65536, 1 << 20};
  std::vector<AheadRequest> requests;
  for (const std::int64_t n : lengths) requests.push_back({.problem = {.lengths = {n}}});
  const Target target = target_for(arch_name(gpu_info().target));
  Runtime& only = runtime(requests, target);
  for (const std::int64_t n : lengths) {
    SCOPED_TRACE(n);
    const auto start = Clock::now();
    const Plan plan = only.make_plan({.lengths = {n}, .batch = 3}, on_gpu());
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    std::printf("n = %lld: planned in %.3f ms\n", static_cast<long long>(n), took.count());
    expect_transform(plan, n, 3);
  }
  EXPECT_THROW((void)only.make_plan({.lengths = {64}}, on_gpu()), FftError);
}

TEST_F(GpuAhead, PtxOfAnOlderArchitecture) {
  if (gpu_info().target.arch < 90) GTEST_SKIP() << "cubins of sm_80 may run on this GPU";
  const std::vector<AheadRequest> requests = {{.problem = {.lengths = {4096}}},
                                              {.problem = {.lengths = {1000}}}};
  Runtime& only = runtime(requests, target_for("sm_80"));
  for (const std::int64_t n : {4096, 1000}) {
    expect_transform(only.make_plan({.lengths = {n}, .batch = 5}, on_gpu()), n, 5);
  }
}

}  // namespace
}  // namespace sonoma::testing
