// Plans on a real GPU: streams, graphs, threads. Skipped where there is none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include "driver.hpp"
#include "gpu_support.hpp"
#include "runtime.hpp"
#include "sonoma/sonoma.hpp"
#include "support.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

DeviceBuffer uploaded(Rows& rows) {
  DeviceBuffer buffer(Device::gpu, rows.bytes());
  buffer.upload(rows.data(), rows.bytes());
  return buffer;
}

void expect_line(const DeviceBuffer& buffer, std::int64_t n, std::int64_t batch,
                 std::int64_t frequency) {
  Rows rows(n, batch);
  buffer.download(rows.data(), rows.bytes());
  rows.expect_line(frequency);
}

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(Gpu, SaysWhatItIs) {
  EXPECT_NE(gpu_info().name, "");
  EXPECT_GE(gpu_info().driver_cuda, 11020);
}

TEST_F(Gpu, EverySizeOnTheDefaultStream) {
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    SCOPED_TRACE(n);
    const Plan plan = make_plan({.lengths = {n}, .batch = 3}, on_gpu());
    Rows in = Rows::tone(n, 3, n / 2 - 1);
    const DeviceBuffer from = uploaded(in);
    const DeviceBuffer to(Device::gpu, in.bytes());
    plan.execute(from.data(), to.data());
    expect_line(to, n, 3, n / 2 - 1);
  }
}

// What a plan owns is freed when the GPU is done with it: workspace, tables and modules, for the
// runtime that keeps kernels goes too.
TEST_F(Gpu, APlanMayGoWhileTheGpuIsAtWork) {
  const FftProblem problem{.lengths = {1 << 20}, .batch = 8};
  PlanOptions options = on_gpu();
  options.tuning.pass_lengths = {1024, 1024}, options.tuning.fused = false;
  Rows in = Rows::tone(1 << 20, 8, 77);
  const DeviceBuffer from = uploaded(in), to(Device::gpu, in.bytes()),
                     other(Device::gpu, in.bytes());
  const GpuStream stream;
  {
    Runtime runtime(config());
    const Plan plan = runtime.make_plan(problem, options);
    ASSERT_GT(plan.workspace_bytes(), 0U);
    for (int i = 0; i < 200; ++i) plan.execute(from.data(), other.data(), stream.get());
    plan.execute(from.data(), to.data(), stream.get());
  }
  {  // takes the memory that was freed
    const DeviceBuffer again(Device::gpu, in.bytes());
    copy_on_device(again.data(), from.data(), in.bytes(), nullptr);
  }
  stream.synchronize();
  expect_line(to, 1 << 20, 8, 77);
}

TEST_F(Gpu, InPlaceOnAStream) {
  const Plan plan =
      make_plan({.lengths = {1024}, .batch = 9, .placement = Placement::in_place}, on_gpu());
  Rows rows = Rows::tone(1024, 9, 77);
  const DeviceBuffer buffer = uploaded(rows);
  const GpuStream stream;
  plan.execute(buffer.data(), buffer.data(), stream.get());
  stream.synchronize();
  expect_line(buffer, 1024, 9, 77);
}

TEST_F(Gpu, TheDriverAgreesWithTheCubin) {
  for (const std::int64_t n : {16, 1024, 8192}) {
    const Plan plan = make_plan({.lengths = {n}}, on_gpu());
    const Cubin cubin = compile(plan.generated().source, plan.generated().target);
    EXPECT_EQ(plan.resources().registers, cubin.registers) << n;
    EXPECT_EQ(plan.resources().local_bytes, cubin.local_bytes) << n;
    EXPECT_EQ(plan.resources().static_shared_bytes, cubin.static_shared_bytes) << n;
    EXPECT_EQ(cubin.local_bytes, 0) << n;
  }
}

TEST_F(Gpu, ManyThreadsEachWithItsStream) {
  std::vector<std::thread> workers;
  for (std::int64_t i = 0; i < 8; ++i) {
    workers.emplace_back([i] {
      const std::int64_t n = 64 << i % 4, batch = 100 + i;
      const Plan plan = make_plan({.lengths = {n}, .batch = batch}, on_gpu());
      Rows in = Rows::tone(n, batch, i);
      const DeviceBuffer from = uploaded(in);
      const DeviceBuffer to(Device::gpu, in.bytes());
      const GpuStream stream;
      for (int round = 0; round < 50; ++round) plan.execute(from.data(), to.data(), stream.get());
      stream.synchronize();
      expect_line(to, n, batch, i);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

// One plan, executed at once by threads that have no context of their own.
TEST_F(Gpu, OnePlanFromManyThreads) {
  const Plan plan = make_plan({.lengths = {256}, .batch = 33}, on_gpu());
  std::vector<std::thread> workers;
  for (std::int64_t i = 0; i < 4; ++i) {
    workers.emplace_back([&plan, i] {
      Rows in = Rows::tone(256, 33, 10 * i);
      const DeviceBuffer from = uploaded(in);
      const DeviceBuffer to(Device::gpu, in.bytes());
      plan.execute(from.data(), to.data());
      expect_line(to, 256, 33, 10 * i);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

// Several launches are one submission from the second execution of a stream on: with the pointers
// of each, though those before it are still under way.
TEST_F(Gpu, SeveralLaunchesTakeThePointersOfEachExecution) {
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{256, 256}, {32, 32, 64}}) {
    PlanOptions options = on_gpu();
    options.tuning.pass_lengths = lengths, options.tuning.fused = false;
    const Plan plan = make_plan({.lengths = {65536}, .batch = 3}, options);
    ASSERT_EQ(plan.program().launches.size(), lengths.size());
    std::vector<DeviceBuffer> from, to;
    for (std::int64_t i = 0; i < 4; ++i) {
      Rows in = Rows::tone(65536, 3, 1000 * i + 1);
      from.push_back(uploaded(in));
      to.emplace_back(Device::gpu, in.bytes());
    }
    const GpuStream stream;
    for (std::size_t round = 0; round < 40; ++round) {
      plan.execute(from[round % 4].data(), to[round % 4].data(), stream.get());
    }
    stream.synchronize();
    for (std::size_t i = 0; i < 4; ++i) {
      expect_line(to[i], 65536, 3, 1000 * static_cast<std::int64_t>(i) + 1);
    }
  }
}

// From threads with streams and workspaces of their own: one graph, which one of them takes.
TEST_F(Gpu, SeveralLaunchesFromManyThreads) {
  PlanOptions options = on_gpu();
  options.workspace_owner = WorkspaceOwner::caller;
  options.tuning.pass_lengths = {256, 256}, options.tuning.fused = false;
  const Plan plan = make_plan({.lengths = {65536}, .batch = 2}, options);
  std::vector<std::thread> workers;
  for (std::int64_t i = 0; i < 4; ++i) {
    workers.emplace_back([&plan, i] {
      Rows in = Rows::tone(65536, 2, 100 * i + 7);
      const DeviceBuffer from = uploaded(in);
      const DeviceBuffer to(Device::gpu, in.bytes());
      const DeviceBuffer workspace(Device::gpu, plan.workspace_bytes());
      const GpuStream stream;
      for (int round = 0; round < 200; ++round) {
        plan.execute(from.data(), to.data(), workspace.data(), stream.get());
      }
      stream.synchronize();
      expect_line(to, 65536, 2, 100 * i + 7);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

TEST_F(Gpu, ExecutionTakesNoMemory) {
  const Plan plan = make_plan({.lengths = {2048}, .batch = 64}, on_gpu());
  Rows in = Rows::tone(2048, 64, 5);
  const DeviceBuffer from = uploaded(in);
  const DeviceBuffer to(Device::gpu, in.bytes());
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  const GraphFunctions graph = open_graph_functions();
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(graph.memory_info(&before, &total), 0);
  for (int round = 0; round < 100; ++round) plan.execute(from.data(), to.data());
  ASSERT_EQ(graph.memory_info(&after, &total), 0);
  EXPECT_EQ(before, after);
}

TEST_F(Gpu, MisuseIsRejectedBeforeTheLaunch) {
  const Plan plan = make_plan({.lengths = {16}, .batch = 2}, on_gpu());
  Rows zeros(16, 8);
  const DeviceBuffer buffer = uploaded(zeros);
  auto* const bytes = static_cast<std::byte*>(buffer.data());
  EXPECT_THROW(plan.execute(nullptr, bytes), std::invalid_argument);
  EXPECT_THROW(plan.execute(bytes, bytes + 8), std::invalid_argument);
  EXPECT_THROW(plan.execute(bytes, bytes + 128), std::invalid_argument);
  EXPECT_NO_THROW(plan.execute(bytes, bytes + 256));
}

TEST_F(Gpu, EventsMeasureTime) {
  const Plan plan = make_plan({.lengths = {4096}, .batch = 256}, on_gpu());
  Rows in = Rows::tone(4096, 256, 1);
  const DeviceBuffer from = uploaded(in);
  const DeviceBuffer to(Device::gpu, from.bytes());
  const GpuStream stream;
  GpuEvent start, end;
  start.record(stream.get());
  plan.execute(from.data(), to.data(), stream.get());
  copy_on_device(from.data(), to.data(), from.bytes(), stream.get());
  end.record(stream.get());
  EXPECT_GT(end.milliseconds_since(start), 0.0);
}

// The program resets its GPU first and drops its plans afterwards: no crash, no message. In a
// process of its own, which starts over (no fork of an initialised driver).
TEST(GpuDeathTest, PlansOutliveTheContextQuietly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  EXPECT_EXIT(
      {
        {
          Runtime runtime(config());
          const std::optional<Plan> plan = runtime.make_plan({.lengths = {64}}, on_gpu());
          (void)open_graph_functions().reset_primary_context(0);
        }
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sonoma::testing
