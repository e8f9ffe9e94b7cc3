// Plans captured into graphs on a real GPU, of every method and kind. Skipped where there is none.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "driver.hpp"
#include "gpu_executions.hpp"
#include "gpu_support.hpp"
#include "runtime.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

using Case = test::Request;

class GpuGraphs : public ::testing::TestWithParam<Case> {
 protected:
  // Compilers run on all cores; each test then finds its kernels.
  static void SetUpTestSuite() {
    if (!gpu_available()) return;
    make_all_plans(gpu_cases());
  }
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  }
};

std::ptrdiff_t differences(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

// As executed directly, bit for bit, whatever the output and the workspace held; no memory taken.
TEST_P(GpuGraphs, RepeatWhatTheStreamDoes) {
  Execution execution(GetParam());
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  const GpuStream stream;
  const std::vector<std::byte> direct = execution.executed(stream);

  const CapturedGraph graph(stream.get(), [&] { execution.enqueue(stream); });
  const GraphFunctions functions = open_graph_functions();
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(functions.memory_info(&before, &total), 0);
  for (int round = 0; round < 3; ++round) {
    execution.prepare();
    graph.launch(stream.get());
    stream.synchronize();
    EXPECT_EQ(differences(execution.result(), direct), 0) << "round " << round;
  }
  ASSERT_EQ(functions.memory_info(&after, &total), 0);
  EXPECT_EQ(before, after);
}

INSTANTIATE_TEST_SUITE_P(Methods, GpuGraphs, ::testing::ValuesIn(gpu_cases()),
                         [](const auto& test) { return test.param.name; });

// Forward and back in a graph; another plan is made, cold, while the capture is under way.
TEST(GpuGraph, IsCapturedWhileAnotherThreadPlans) {
  if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  constexpr std::int64_t n = 512, batch = 17;
  const Plan forward = make_plan({.lengths = {n}, .batch = batch}, on_gpu());
  const Plan inverse = make_plan({.lengths = {n},
                                  .batch = batch,
                                  .direction = Direction::inverse,
                                  .placement = Placement::in_place,
                                  .scale = 1.0 / n},
                                 on_gpu());
  Rows in = Rows::tone(n, batch, 100);
  DeviceBuffer from(Device::gpu, in.bytes());
  from.upload(in.data(), in.bytes());
  DeviceBuffer to(Device::gpu, in.bytes());
  const GpuStream stream;
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  const CapturedGraph graph(stream.get(), [&] {
    forward.execute(from.data(), to.data(), stream.get());
    std::thread([] {
      // A scale no other test uses, so nothing is cached in memory.
      EXPECT_NO_THROW((void)make_plan({.lengths = {n}, .scale = 0.123}, on_gpu()));
    }).join();
    inverse.execute(to.data(), to.data(), stream.get());
  });
  for (int round = 0; round < 2; ++round) {
    Rows zeros(n, batch), out(n, batch);
    to.upload(zeros.data(), zeros.bytes());
    graph.launch(stream.get());
    stream.synchronize();
    to.download(out.data(), out.bytes());
    for (std::int64_t i = 0; i < n * batch; ++i) ASSERT_LT(std::abs(out[i] - in[i]), 1e-5f) << i;
  }
}

// docs/misuse.md: "a copy while a stream is captured". What follows it is as if it had not been.
TEST(GpuGraph, ACopyWhileAStreamIsCapturedIsRefused) {
  if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  Rows rows = Rows::tone(16, 2, 3);
  DeviceBuffer buffer(Device::gpu, rows.bytes());
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  const GraphFunctions functions = open_graph_functions();
  constexpr int capture_mode_global = 0;
  {
    const GpuStream stream;
    ASSERT_EQ(functions.begin_capture(stream.get(), capture_mode_global), 0);
    try {
      buffer.upload(rows.data(), rows.bytes());
      ADD_FAILURE() << "nothing is thrown";
    } catch (const FftError& error) {
      EXPECT_NE(std::string(error.what()).find("cuMemcpyHtoD"), std::string::npos) << error.what();
    }
    CUgraph_st* graph = nullptr;
    EXPECT_NE(functions.end_capture(stream.get(), &graph), 0);
    EXPECT_EQ(graph, nullptr);
  }
  EXPECT_NO_THROW(buffer.upload(rows.data(), rows.bytes()));
}

}  // namespace
}  // namespace sonoma::testing
