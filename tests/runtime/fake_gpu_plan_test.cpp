// Plans for a GPU, compiled by the real NVRTC and loaded by the fake driver.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fake_driver_access.hpp"
#include "runtime.hpp"
#include "sonoma/generate.hpp"
#include "support.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

class FakeGpuPlan : public ::testing::Test {
 protected:
  [[nodiscard]] long count(const char* name) const {
    return std::count(state_->calls.begin(), state_->calls.end(), name);
  }

  FakeDriverState* state_ = reset_fake_driver();
  TemporaryFolder folder_;
  Config config_ = fake_gpu_config(folder_.path());
  FftProblem problem_{.lengths = {256}, .batch = 100};
};

TEST_F(FakeGpuPlan, IsMadeForTheDeviceThatIsThere) {
  Runtime runtime(config_);
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 8;
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR] = 6;
  const Plan plan = runtime.make_plan(problem_, {});
  EXPECT_EQ(plan.device(), Device::gpu);
  EXPECT_EQ(plan.generated().target.arch, 86);
  EXPECT_EQ(plan.resources().registers, 40);  // the driver's word: attribute 4, times 10
  EXPECT_NE(plan.describe().find("registers"), std::string::npos);
}

TEST_F(FakeGpuPlan, ExecutesTheGeneratedLaunch) {
  Runtime runtime(config_);
  const Plan plan = runtime.make_plan(problem_, {});
  Rows in(256, 100), out(256, 100);
  plan.execute(in.data(), out.data());
  const LaunchShape& shape = plan.generated().source.launch;
  ASSERT_EQ(state_->launches.size(), 1U);
  const FakeLaunch& launch = state_->launches[0];
  EXPECT_EQ(launch.blocks, (100 + shape.transforms_per_block - 1) / shape.transforms_per_block);
  EXPECT_EQ(launch.threads, shape.threads);
  EXPECT_EQ(launch.shared_bytes, shape.shared_bytes);
  EXPECT_EQ(launch.in, in.data());
  EXPECT_EQ(launch.out, out.data());
  EXPECT_EQ(launch.batch, 100U);
}

// What a pass reads the one before has stored; the first waits for the end of all that came before.
TEST_F(FakeGpuPlan, TheSecondPassBeginsEarly) {
  Runtime runtime(config_);
  FftProblem problem = problem_;
  problem.lengths = {65536};
  PlanOptions options;
  options.tuning.pass_lengths = {256, 256};
  options.tuning.fused = false;
  const Plan plan = runtime.make_plan(problem, options);
  Rows in(65536, problem.batch), out(65536, problem.batch);
  plan.execute(in.data(), out.data());
  ASSERT_EQ(state_->launches.size(), 2U);
  EXPECT_FALSE(state_->launches[0].follows);
  EXPECT_TRUE(state_->launches[1].follows);
}

// ---- several launches in one submission

class FakeGpuGraph : public FakeGpuPlan {
 protected:
  [[nodiscard]] Plan two_passes() {
    FftProblem problem = problem_;
    problem.lengths = {65536}, problem.batch = 1;
    PlanOptions options;
    options.tuning.pass_lengths = {256, 256}, options.tuning.fused = false;
    return runtime_.make_plan(problem, options);
  }
  // A stream, which the fake driver does not look at.
  [[nodiscard]] Stream stream(int which) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<Stream>(reinterpret_cast<std::uintptr_t>(&some_[which]));
  }
  // How the launches of an execution on `at` were submitted.
  std::string submitted(const Plan& plan, Rows& in, Rows& out, Stream at) {
    const long graphs = count("cuGraphLaunch");
    const auto launches = state_->launches.size();
    plan.execute(in.data(), out.data(), at);
    EXPECT_EQ(state_->launches.size(), launches + 2);
    EXPECT_EQ(state_->launches[launches].in, in.data());
    EXPECT_EQ(state_->launches[launches + 1].out, out.data());
    EXPECT_EQ(state_->launches[launches + 1].stream, at);
    EXPECT_TRUE(state_->launches[launches + 1].follows);
    return count("cuGraphLaunch") > graphs ? "at once" : "one by one";
  }

  Runtime runtime_{config_};
  int some_[2] = {};
  Rows a_{65536, 1}, b_{65536, 1}, c_{65536, 1};
};

TEST_F(FakeGpuGraph, TakesThePointersOfEachExecution) {
  const Plan plan = two_passes();
  EXPECT_EQ(submitted(plan, a_, b_, nullptr), "at once");
  EXPECT_EQ(submitted(plan, b_, c_, nullptr), "at once");
  const long set = count("cuGraphExecKernelNodeSetParams_v2");
  EXPECT_EQ(submitted(plan, b_, c_, nullptr), "at once");
  EXPECT_EQ(count("cuGraphExecKernelNodeSetParams_v2"), set);  // they are as they were
}

// Executions of one graph wait for each other.
TEST_F(FakeGpuGraph, StaysOnItsStream) {
  const Plan plan = two_passes();
  EXPECT_EQ(submitted(plan, a_, b_, stream(0)), "one by one");
  EXPECT_EQ(submitted(plan, a_, b_, stream(0)), "at once");
  EXPECT_EQ(submitted(plan, a_, b_, stream(1)), "one by one");
  EXPECT_EQ(submitted(plan, a_, b_, stream(0)), "one by one");
  EXPECT_EQ(submitted(plan, a_, b_, stream(0)), "at once");
}

TEST_F(FakeGpuGraph, IsNotForACapture) {
  const Plan plan = two_passes();
  state_->captures = true;
  EXPECT_EQ(submitted(plan, a_, b_, nullptr), "one by one");
  state_->captures = false;
  EXPECT_EQ(submitted(plan, a_, b_, nullptr), "at once");
}

TEST_F(FakeGpuGraph, IsDoneWithoutWhereTheDriverFails) {
  for (const char* function : {"cuGraphCreate", "cuGraphAddKernelNode_v2",
                               "cuGraphAddDependencies_v2", "cuGraphInstantiateWithFlags"}) {
    state_->failing = function;
    const Plan plan = two_passes();
    EXPECT_EQ(submitted(plan, a_, b_, nullptr), "one by one") << function;
  }
  state_->failing.clear();
  const Plan plan = two_passes();
  for (const char* function : {"cuGraphExecKernelNodeSetParams_v2", "cuStreamIsCapturing"}) {
    state_->failing = function;
    EXPECT_EQ(submitted(plan, a_, b_, nullptr), "one by one") << function;
  }
  state_->failing = "cuGraphLaunch";
  EXPECT_THROW(plan.execute(b_.data(), c_.data()), FftError);
  state_->failing.clear();
  EXPECT_EQ(submitted(plan, b_, c_, nullptr), "at once");
}

TEST_F(FakeGpuGraph, IsOfSeveralLaunchesAndGivenBack) {
  {
    const Plan one = runtime_.make_plan(problem_, {});
    EXPECT_EQ(state_->graphs, 0);
    const Plan two = two_passes();
    EXPECT_EQ(state_->graphs, 1);
  }
  EXPECT_EQ(state_->graphs, 0);
  EXPECT_EQ(count("cuCtxPushCurrent_v2"), count("cuCtxPopCurrent_v2"));
}

// Beside a failure other launches go on; what they loaded is in memory for the next plan.
TEST_F(FakeGpuPlan, OneOfSeveralLaunchesFails) {
  FftProblem problem = problem_;
  problem.lengths = {315};
  PlanOptions options;
  options.tuning.pass_lengths = {5, 7, 9};
  {
    Runtime runtime(config_);
    const Plan plan = runtime.make_plan(problem, options);
    ASSERT_EQ(plan.program().launches.size(), 3U);
    state_->failing = generate(plan.program().launches[1], plan.generated().target).source.name;
  }
  state_->calls.clear();
  {
    Runtime runtime(config_);
    try {
      (void)runtime.make_plan(problem, options);
      FAIL() << "nothing thrown";
    } catch (const FftError& error) {
      EXPECT_EQ(error.stage(), Stage::load_module);
    }
    EXPECT_EQ(count("cuModuleLoadData"), 4);  // the one that fails is compiled anew once
    EXPECT_EQ(count("cuModuleUnload"), 2);
    state_->failing.clear();
    (void)runtime.make_plan(problem, options);
    EXPECT_EQ(count("cuModuleLoadData"), 5);
  }
  EXPECT_EQ(state_->allocations, 0);
  EXPECT_EQ(count("cuModuleLoadData"), count("cuModuleUnload"));
  EXPECT_EQ(count("cuCtxPushCurrent_v2"), count("cuCtxPopCurrent_v2"));
}

TEST_F(FakeGpuPlan, EqualPlansLoadOneModule) {
  Runtime runtime(config_);
  (void)runtime.make_plan(problem_, {});
  problem_.batch = 7;
  (void)runtime.make_plan(problem_, {});
  EXPECT_EQ(count("cuModuleLoadData"), 1);
}

TEST_F(FakeGpuPlan, TheSecondProcessCompilesNothing) {
  { EXPECT_FALSE(Runtime(config_).make_plan(problem_, {}).resources().from_cache); }
  EXPECT_TRUE(Runtime(config_).make_plan(problem_, {}).resources().from_cache);
}

// Neither the compiler nor the disk cache is asked.
TEST_F(FakeGpuPlan, TakesCubinsThatWereCompiledElsewhere) {
  Runtime runtime(config_);
  std::vector<std::string> asked;
  PlanOptions options;
  options.find_cubin = [&](const CudaSource& source) {
    asked.push_back(source.text);
    return source.launch.threads > 0 ? std::optional<std::string>("a cubin") : std::nullopt;
  };
  const Plan plan = runtime.make_plan(problem_, options);
  EXPECT_EQ(asked, std::vector{plan.source()});
  EXPECT_EQ(plan.resources().registers, 40);
  EXPECT_TRUE(plan.resources().from_cache);
  EXPECT_TRUE(std::filesystem::is_empty(config_.cache_dir));
  options.find_cubin = [](const CudaSource&) -> std::optional<std::string> { return {}; };
  FftProblem other = problem_;
  other.lengths = {128};
  try {
    (void)runtime.make_plan(other, options);
    ADD_FAILURE();
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::cache);
    EXPECT_NE(error.message().find("none of those that were compiled before"), std::string::npos);
  }
}

TEST_F(FakeGpuPlan, EverythingIsGivenBack) {
  {
    Runtime runtime(config_);
    (void)runtime.make_plan(problem_, {});
  }
  EXPECT_EQ(state_->allocations, 0);
  EXPECT_EQ(count("cuModuleLoadData"), count("cuModuleUnload"));
  EXPECT_EQ(count("cuDevicePrimaryCtxRelease_v2"), 1);
}

TEST_F(FakeGpuPlan, ARejectedModuleIsCompiledAnewOnceAndThenAnError) {
  { (void)Runtime(config_).make_plan(problem_, {}); }
  state_->calls.clear();
  state_->failing = "cuModuleLoadData";
  Runtime runtime(config_);
  try {
    (void)runtime.make_plan(problem_, {});
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::load_module);
  }
  EXPECT_EQ(count("cuModuleLoadData"), 2);
  state_->failing.clear();
  EXPECT_NO_THROW((void)runtime.make_plan(problem_, {}));  // the failure was not kept
}

TEST_F(FakeGpuPlan, EveryDefaultKernelCompilesWithoutSpills) {
  Runtime runtime(config_);
  for (std::int64_t n = 2; n <= 8192; n *= 2) {
    const Target target = target_for("sm_90");
    const Cubin cubin = runtime.compile(generate({.lengths = {n}}, target).source, target);
    EXPECT_EQ(cubin.local_bytes, 0) << n;
  }
}

}  // namespace
}  // namespace sonoma::testing
