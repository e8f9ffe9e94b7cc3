// Plans of kernels that were made ahead of time: by the real NVRTC in another process, loaded by
// the fake driver in this one.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <tuple>

#include "fake_driver_access.hpp"
#include "runtime.hpp"
#include "sonoma/ahead_of_time.hpp"
#include "support.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

constexpr const char* no_nvrtc = "no NVRTC here";

std::vector<AheadRequest> requests() {
  AheadRequest plain{.problem = {.lengths = {4096}}}, one = plain, large = plain, two = plain;
  one.problem.batch = 1, one.any_batch = false, one.problem.lengths = {65536};
  large.problem.lengths = {1 << 20};
  two.problem.lengths = {512, 512};
  AheadRequest shared{.problem = {.lengths = {16384}}};
  shared.tuning.engine = Engine::simt;
  return {plain, one, large, two, shared};
}

// In a process of its own, so that this one never opens NVRTC.
void make_bundle(const std::filesystem::path& file, const std::vector<const char*>& archs) {
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 1;
    try {
      AheadOfTime ahead;
      for (const AheadRequest& request : requests()) {
        for (const char* arch : archs) {
          AheadProgram made = generate_ahead(request, target_for(arch));
          ahead.add(request, made, arch == archs.back());
        }
      }
      std::ofstream(file, std::ios::binary) << ahead.bundle();
      status = 0;
    } catch (const FftError& error) {
      std::fprintf(stderr, "%s\n", error.what());
      status = error.stage() == Stage::load_library ? 77 : 1;
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) throw std::runtime_error(no_nvrtc);
  if (status != 0) throw std::runtime_error("the bundle was not made");
}

bool has_mapped(const std::string& part) {
  std::ifstream maps("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(maps), {}};
  return text.find(part) != std::string::npos;
}

class AheadPlans : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    try {
      make_bundle(folder_->path() / "both", {"sm_80", "sm_90"});
      make_bundle(folder_->path() / "old", {"sm_80"});
    } catch (const std::exception& error) {
      fault_ = error.what();
    }
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  void SetUp() override {
    if (fault_ == no_nvrtc) GTEST_SKIP() << fault_;
    ASSERT_EQ(fault_, "");
  }

  // Neither a cache nor a compiler of its own, and nothing but what was made ahead of time.
  [[nodiscard]] static Config config(const char* bundle) {
    Config config = Config::from_environment([](const char*) { return nullptr; });
    config.driver_libraries = {FAKE_DRIVER};
    config.log_level = LogLevel::off;
    config.kernel_bundles = {folder_->path() / bundle};
    config.aot_only = true;
    return config;
  }
  void be(int major, int minor) {
    state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = major,
    state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR] = minor;
  }

  static inline TemporaryFolder* folder_ = nullptr;
  static inline std::string fault_;
  FakeDriverState* state_ = reset_fake_driver();
  Bundles none_;
};

TEST_F(AheadPlans, AreWhatThePlannerAndTheGeneratorMake) {
  const bool opened_before = has_mapped("libnvrtc");  // by another test of this process
  Runtime runtime(config("both"), none_);
  for (const AheadRequest& request : requests()) {
    PlanOptions options;
    options.tuning = request.tuning;
    const Plan plan = runtime.make_plan(request.problem, options);
    const AheadProgram made = generate_ahead(request, target_for("sm_90"));
    EXPECT_EQ(plan.program(), made.program);
    std::string text;
    ErrorEstimate error;
    for (const AheadKernel& kernel : made.kernels) {
      text += (text.empty() ? "" : "\n") + kernel.source.text;
      error += kernel.error;
    }
    EXPECT_EQ(plan.source(), text);
    EXPECT_EQ(plan.error_bound(), error.bound);
    EXPECT_EQ(plan.expected_error(), error.expected());
    EXPECT_EQ(plan.choice().reason, made.choice.reason);
    EXPECT_TRUE(plan.resources().ahead_of_time);
    EXPECT_EQ(state_->module,
              "\x7f"
              "ELF");
  }
  EXPECT_EQ(has_mapped("libnvrtc"), opened_before);
}

TEST_F(AheadPlans, ServeEveryBatchAndExecute) {
  Runtime runtime(config("both"), none_);
  const Plan plan = runtime.make_plan({.lengths = {4096}, .batch = 100}, {});
  Rows in(4096, 100), out(4096, 100);
  plan.execute(in.data(), out.data());
  ASSERT_EQ(state_->launches.size(), 1U);
  EXPECT_EQ(state_->launches[0].blocks, plan.generated().source.launch.blocks(100));
  EXPECT_EQ(state_->launches[0].batch, 100U);
}

// Of a request, not of another one that any batch of would serve.
TEST_F(AheadPlans, OfOneBatchServeNoOther) {
  Runtime runtime(config("both"), none_);
  EXPECT_GT(runtime.make_plan({.lengths = {65536}, .batch = 1}, {}).program().launches.size(), 1U);
  EXPECT_THROW((void)runtime.make_plan({.lengths = {65536}, .batch = 2}, {}), FftError);
}

// The median of twenty first plans, each of a runtime of its own. Sanitizers and a loaded machine
// make it slower: the fastest counts.
TEST_F(AheadPlans, TakeLessThanAMillisecond) {
  using Clock = std::chrono::steady_clock;
  double fastest = 1e9;
  for (int i = 0; i < 20; ++i) {
    Runtime runtime(config("both"), none_);
    (void)runtime.driver();
    const auto start = Clock::now();
    (void)runtime.make_plan({.lengths = {4096}, .batch = 16}, {});
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    fastest = std::min(fastest, took.count());
  }
  std::printf("a plan made ahead of time: %.3f ms\n", fastest);
  EXPECT_LT(fastest, 1.0);
}

// Of two kinds of GPU: an architecture of the bundle, or one that runs its cubins.
TEST_F(AheadPlans, CubinsRunOnLaterMinorNumbers) {
  be(8, 6);
  Runtime runtime(config("both"), none_);
  const Plan plan = runtime.make_plan({.lengths = {4096}}, {});
  EXPECT_EQ(plan.generated().target.arch, 80);
  EXPECT_EQ(state_->module,
            "\x7f"
            "ELF");
}

TEST_F(AheadPlans, PtxServesNewerGpus) {
  for (const auto& [major, minor] : {std::pair{10, 0}, {10, 3}, {11, 0}, {13, 0}}) {
    be(major, minor);
    Runtime runtime(config("both"), none_);
    const Plan plan = runtime.make_plan({.lengths = {4096}}, {});
    EXPECT_EQ(plan.generated().target.arch, 90);
    EXPECT_EQ(state_->module.substr(0, 2), "//") << major << minor;
  }
  be(9, 0);
  Runtime runtime(config("old"), none_);
  EXPECT_EQ(runtime.make_plan({.lengths = {4096}}, {}).generated().target.arch, 80);
  EXPECT_EQ(state_->module.substr(0, 2), "//");
}

// As cubins, and as PTX: kernels may want more shared memory than a GPU has that runs them.
TEST_F(AheadPlans, WhatDoesNotFitIsAMiss) {
  const AheadRequest request = requests().back();
  PlanOptions options;
  options.tuning = request.tuning;
  for (const auto& [major, minor, arch] : {std::tuple{8, 6, "sm_80"}, {12, 0, "sm_90"}}) {
    be(major, minor);
    const LaunchShape shape = generate_ahead(request, target_for(arch)).kernels[0].source.launch;
    Runtime runtime(config("both"), none_);
    state_->attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN] =
        static_cast<int>(shape.shared_bytes) - 1;
    EXPECT_THROW((void)runtime.make_plan(request.problem, options), FftError) << arch;
    state_->attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN] =
        static_cast<int>(shape.shared_bytes);
    EXPECT_NO_THROW((void)runtime.make_plan(request.problem, options)) << arch;
  }
}

TEST_F(AheadPlans, OlderGpusAreAMiss) {
  be(7, 5);
  Runtime runtime(config("both"), none_);
  EXPECT_THROW((void)runtime.make_plan({.lengths = {4096}}, {}), FftError);
}

TEST_F(AheadPlans, AMissNamesTheRequestTheArchAndTheCommand) {
  Runtime runtime(config("both"), none_);
  FftProblem problem{.lengths = {480}, .batch = 3, .direction = Direction::inverse};
  try {
    (void)runtime.make_plan(problem, {});
    FAIL() << "a plan";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::cache);
    for (const std::string& part :
         {to_string(problem), std::string("on sm_90"), std::string("SONOMA_AOT_ONLY"),
          (folder_->path() / "both").string() + " for sm_80 sm_90 (5 requests)",
          std::string("sonoma aot --n 480 --inverse --arch sm_90 --out kernels")}) {
      EXPECT_NE(error.message().find(part), std::string::npos) << part << "\n" << error.message();
    }
  }
}

// Also where the same request was made before by other means.
TEST_F(AheadPlans, BundlesServeFromWhenTheyAreLoaded) {
  Config plain = config("both");
  plain.aot_only = false;
  plain.kernel_bundles.clear();
  plain.cache_dir = folder_->path() / "cache";
  Bundles bundles;
  Runtime runtime(plain, bundles);
  FftProblem problem{.lengths = {65536}, .batch = 1};
  const Plan before = runtime.make_plan({.lengths = {512, 512}}, {});
  EXPECT_FALSE(before.resources().ahead_of_time);
  bundles.add(KernelBundle::read((folder_->path() / "both").string()));
  const Plan after = runtime.make_plan({.lengths = {512, 512}}, {});
  EXPECT_NE(after.choice().reason, "");
  EXPECT_EQ(&after.choice() == &before.choice(), false);  // it was looked for again
  PlanOptions only;
  only.aot_only = true;
  EXPECT_TRUE(runtime.make_plan({.lengths = {512, 512}}, only).resources().ahead_of_time);
  EXPECT_TRUE(runtime.make_plan(problem, {}).resources().ahead_of_time);
}

// By an option of the plan. A kernel that this process has compiled is none made ahead of time.
TEST_F(AheadPlans, OnlyMeansOnly) {
  Config plain = config("both");
  plain.aot_only = false;
  plain.cache_dir = folder_->path() / "cache";
  Runtime runtime(plain, none_);
  PlanOptions only;
  only.aot_only = true;
  const FftProblem other{.lengths = {64}};
  EXPECT_THROW((void)runtime.make_plan(other, only), FftError);
  EXPECT_FALSE(runtime.make_plan(other, {}).resources().ahead_of_time);
  EXPECT_THROW((void)runtime.make_plan(other, only), FftError);
  EXPECT_TRUE(runtime.make_plan({.lengths = {4096}}, {}).resources().ahead_of_time);
}

// The driver may know better: then a compiler serves, unless only what is there may be used.
TEST_F(AheadPlans, ARejectedKernelIsCompiledOrAnError) {
  state_->failing = "cuModuleLoadData";
  {
    Runtime runtime(config("both"), none_);
    try {
      (void)runtime.make_plan({.lengths = {4096}}, {});
      FAIL() << "a plan";
    } catch (const FftError& error) {
      EXPECT_EQ(error.stage(), Stage::load_module);
    }
  }
  const auto loads = [this] {
    return std::count(state_->calls.begin(), state_->calls.end(), "cuModuleLoadData");
  };
  EXPECT_EQ(loads(), 1);
  Config plain = config("both");
  plain.aot_only = false;
  plain.cache_dir = folder_->path() / "cache";
  Runtime runtime(plain, none_);
  EXPECT_THROW((void)runtime.make_plan({.lengths = {4096}}, {}), FftError);
  EXPECT_GT(loads(), 2);  // that one, and what was compiled in its place
}

TEST_F(AheadPlans, ABadBundleOfTheEnvironmentIsAnError) {
  Config config = AheadPlans::config("nowhere");
  Runtime runtime(config, none_);
  EXPECT_THROW((void)runtime.make_plan({.lengths = {4096}}, {}), FftError);
}

TEST_F(AheadPlans, TheEmulatedDeviceTakesTheirText) {
  Runtime runtime(config("both"), none_);
  PlanOptions options;
  options.device = Device::cpu;
  const Plan plan = runtime.make_plan({.lengths = {4096}, .batch = 2}, options);
  EXPECT_TRUE(plan.resources().ahead_of_time);
  Rows in = Rows::tone(4096, 2, 5), out(4096, 2);
  plan.execute(in.data(), out.data());
  out.expect_line(5);
  EXPECT_THROW((void)runtime.make_plan({.lengths = {64}}, options), FftError);
}

}  // namespace
}  // namespace sonoma::testing
