// For long runs on a GPU: plans that come and go on many threads and streams, each result looked
// at, and nothing that grows. SONOMA_SOAK_SECONDS (default 10) is the time of the first test;
// SONOMA_SOAK_PLANS (default 2000) are the plans of the second.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <thread>

#include "../setting.hpp"
#include "driver.hpp"
#include "gpu_executions.hpp"
#include "runtime.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

using Bytes = std::vector<std::byte>;
using Clock = std::chrono::steady_clock;
using test::setting;

std::size_t free_device_memory() {
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  std::size_t free = 0, total = 0;
  EXPECT_EQ(open_graph_functions().memory_info(&free, &total), 0);
  return free;
}

// What a process holds, while no plan of a test is alive. Of the host's memory what is allocated is
// judged. What is resident is told: it goes up and down by a third, with no plan ever lost, as 64
// threads leave holes in as many arenas; but memory that the driver maps for itself is in it alone.
struct Held {
  std::ptrdiff_t device_bytes, host_bytes, resident_bytes, files;

  static Held now() {
    std::ifstream statm("/proc/self/statm");
    std::ptrdiff_t pages = 0, resident = 0;
    statm >> pages >> resident;
    const struct mallinfo2 heap = mallinfo2();
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return {-static_cast<std::ptrdiff_t>(free_device_memory()),
            static_cast<std::ptrdiff_t>(heap.uordblks + heap.hblkhd), resident * getpagesize(),
            std::distance(begin(files), end(files))};
  }
};

void expect_flat(const Held& before, const Held& after) {
  constexpr std::ptrdiff_t mib = 1 << 20;
  std::cout << "device memory " << (after.device_bytes - before.device_bytes) / mib
            << " MiB more, host memory " << before.host_bytes << " to " << after.host_bytes
            << " bytes, resident " << before.resident_bytes / mib << " to "
            << after.resident_bytes / mib << " MiB, files " << before.files << " to " << after.files
            << "\n";
  EXPECT_LE(after.device_bytes, before.device_bytes + 64 * mib);
  EXPECT_LE(after.host_bytes, before.host_bytes + 4 * mib);
  EXPECT_EQ(after.files, before.files);
}

/// A request, and the bytes that its execution makes while nothing else runs.
struct Subject {
  test::Request request;
  Bytes expected;
};

std::vector<Subject> subjects() {
  make_all_plans(gpu_cases());
  std::vector<Subject> result;
  const GpuStream stream;
  for (const test::Request& request : gpu_cases()) {
    Execution execution(request);
    result.push_back({request, execution.executed(stream)});
  }
  return result;
}

/// Counts of all threads.
struct Counts {
  std::atomic<std::int64_t> plans = 0, executions = 0, wrong = 0;
};

// Eight plans at once, each on a stream of its own, executed three times.
void go_round(const std::vector<Subject>& subjects, const std::vector<GpuStream>& streams,
              std::mt19937& random, Counts& counts) {
  std::vector<std::unique_ptr<Execution>> executions;
  std::vector<const Subject*> chosen;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    chosen.push_back(&subjects[random() % subjects.size()]);
    executions.push_back(std::make_unique<Execution>(chosen.back()->request));
  }
  for (int repetition = 0; repetition < 3; ++repetition) {
    for (const auto& execution : executions) execution->prepare();
    for (std::size_t i = 0; i < streams.size(); ++i) executions[i]->enqueue(streams[i]);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      streams[i].synchronize();
      if (executions[i]->result() == chosen[i]->expected) continue;
      ++counts.wrong;
      std::cout << "wrong: " << chosen[i]->request.name << "\n";
    }
    counts.executions += static_cast<std::int64_t>(streams.size());
  }
  counts.plans += static_cast<std::int64_t>(streams.size());
}

void soak(const std::vector<Subject>& subjects, std::chrono::duration<double> time,
          Counts& counts) {
  constexpr unsigned threads = 64, streams_of_a_thread = 8;
  const auto end = Clock::now() + time;
  std::vector<std::thread> workers;
  for (unsigned thread = 0; thread < threads; ++thread) {
    workers.emplace_back([&, thread] {
      try {
        std::mt19937 random(thread);
        const std::vector<GpuStream> streams(streams_of_a_thread);
        while (Clock::now() < end) go_round(subjects, streams, random, counts);
      } catch (const std::exception& error) {
        ++counts.wrong;
        std::cout << error.what() << "\n";
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
}

class GpuSoak : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(GpuSoak, PlansOfAllKindsOnManyThreadsAndStreams) {
  const std::chrono::duration<double> half(static_cast<double>(setting("SONOMA_SOAK_SECONDS", 10)) /
                                           2);
  const std::vector<Subject> all = subjects();
  Counts counts;
  soak(all, half, counts);
  const Held before = Held::now();
  soak(all, half, counts);
  expect_flat(before, Held::now());
  std::cout << counts.plans << " plans of " << all.size() << " requests, " << counts.executions
            << " executions\n";
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_GT(counts.executions, 0);
}

void make_and_drop(std::int64_t first, std::int64_t last) {
  const std::int64_t lengths[] = {16, 60, 256, 1000, 1009, 4096, 65536, 100000};
  for (std::int64_t i = first; i < last; ++i) {
    (void)make_plan({.lengths = {lengths[i % 8]}, .batch = 1 + i % 3}, on_gpu());
  }
}

TEST_F(GpuSoak, PlansThatAreMadeAndDroppedLeaveNothing) {
  const std::int64_t plans = setting("SONOMA_SOAK_PLANS", 2000), threads = 8;
  make_and_drop(0, 64);
  const Held before = Held::now();
  std::vector<std::thread> workers;
  for (std::int64_t i = 0; i < threads; ++i) {
    workers.emplace_back([=] { make_and_drop(i * plans / threads, (i + 1) * plans / threads); });
  }
  for (std::thread& worker : workers) worker.join();
  expect_flat(before, Held::now());
}

// Launched again and again, while others make, execute and drop plans, of the same kernel too.
TEST_F(GpuSoak, GraphsRepeatWhilePlansComeAndGo) {
  const test::Request request{"passes", {.lengths = {1 << 16}, .batch = 3}, {}};
  Execution execution(request);
  const auto driver = Runtime::process().driver();
  const ContextScope scope(driver->functions(), driver->current_device().context);
  const GpuStream stream;
  const Bytes expected = execution.executed(stream);
  const CapturedGraph graph(stream.get(), [&] { execution.enqueue(stream); });
  std::atomic<bool> done = false;
  std::thread others([&] {
    const GpuStream other;
    for (std::int64_t i = 0; !done; ++i) {
      make_and_drop(i, i + 8);
      Execution again(request);
      EXPECT_EQ(again.executed(other), expected);
    }
  });
  for (int round = 0; round < 300; ++round) {
    execution.prepare();
    graph.launch(stream.get());
    stream.synchronize();
    EXPECT_EQ(execution.result(), expected) << "round " << round;
  }
  done = true;
  others.join();
}

// Whether every call from now on says that CUDA works no more.
bool is_said_by(const std::function<void()>& call) {
  try {
    call();
    std::cerr << "nothing was said\n";
    return false;
  } catch (const FftError& error) {
    std::cerr << error.what() << "\n";
    return std::string(error.what()).find("CUDA works no more in this process") !=
           std::string::npos;
  }
}

bool illegal_address_is_said() {
  FftProblem problem{.lengths = {64}};
  problem.ends.load_code = "*(reinterpret_cast<const float2*>(user) + 1099511627776)";
  const Plan stray = make_plan(problem, on_gpu()), good = make_plan({.lengths = {64}}, on_gpu());
  const DeviceBuffer in(Device::gpu, 512), out(Device::gpu, 512);
  Bytes host(512);
  const GpuStream stream;
  stray.execute(in.data(), out.data(), stream.get());
  bool said = is_said_by([&] { stream.synchronize(); });
  for (int again = 0; again < 2; ++again) {
    said = is_said_by([&] { good.execute(in.data(), out.data(), stream.get()); }) && said;
    said = is_said_by([&] { out.download(host.data(), host.size()); }) && said;
    said = is_said_by([&] { const GpuStream other; }) && said;
  }
  return said;
}

// In a process of its own, which it takes with it.
TEST(GpuSoakDeathTest, AnIllegalAddressInCodeOfTheCallersIsSaidByEveryCallAfterIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  if (!gpu_available()) GTEST_SKIP() << "no GPU here";
  EXPECT_EXIT(std::exit(illegal_address_is_said() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sonoma::testing
