// Plans from a warm cache where NVRTC is not installed, or is another one.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <functional>
#include <vector>

#include "fake_driver_access.hpp"
#include "runtime.hpp"
#include "sonoma/generate.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

class WithoutNvrtc : public ::testing::Test {
 protected:
  // Runs `body` in a process that does not see the folders of any NVRTC; 77 where that cannot be.
  int where_there_is_none(const std::function<int()>& body) {
    return wait_for(start_child([&] {
      if (::unshare(CLONE_NEWNS) != 0) return 77;
      if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 77;
      while (const auto found = find_nvrtc(config_)) {
        const std::string folder = std::filesystem::canonical(found->path).parent_path().string();
        if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=4k") != 0) return 77;
      }
      return body();
    }));
  }
  // As if another NVRTC had compiled what is there.
  void change_compiler(const std::string& compiler) const {
    const CacheFolder folder(config_.cache_dir, CacheFolder::Trust::own, false);
    for (const CacheFile& file : folder.files()) {
      std::string why;
      auto entry = folder.read_entry(file.name, why);
      if (!entry || entry->inputs.kind != "cubin") continue;
      entry->binary.made_by = compiler;
      ASSERT_TRUE(folder.write(file.name, encode(*entry)));
    }
  }

  FakeDriverState* state_ = reset_fake_driver();
  TemporaryFolder folder_;
  Config config_ = [this] {
    Config config = fake_gpu_config(folder_.path());
    config.system_caches.clear();
    return config;
  }();
  FftProblem problem_{.lengths = {256}, .batch = 100};
};

TEST_F(WithoutNvrtc, AWarmPlanIsMade) {
  FftProblem passes{.lengths = {315}}, other{.lengths = {128}};
  PlanOptions in_passes;
  in_passes.tuning.pass_lengths = {5, 7, 9};
  EXPECT_EQ(wait_for(start_child([&] {  // so that this process does not open NVRTC
              Runtime runtime(config_);
              return runtime.make_plan(problem_, {}).resources().from_cache ||
                             runtime.make_plan(passes, in_passes).resources().from_cache
                         ? 1
                         : 0;
            })),
            0);
  const int result = where_there_is_none([&] {
    Runtime runtime(config_);
    if (!runtime.make_plan(problem_, {}).resources().from_cache) return 1;
    if (!runtime.make_plan(passes, in_passes).resources().from_cache) return 2;
    if (read_file("/proc/self/maps").find("libnvrtc.so") != std::string::npos) return 0;
    try {  // unless another test has opened it
      (void)runtime.make_plan(other, {});
      return 3;
    } catch (const FftError& error) {
      return error.stage() == Stage::load_library ? 0 : 4;
    }
  });
  if (result == 77) GTEST_SKIP() << "needs the right to mount, to hide NVRTC";
  EXPECT_EQ(result, 0);
}

TEST_F(WithoutNvrtc, WhatAnotherOneCompiledServesAndTheLogSaysSoOnce) {
  (void)Runtime(config_).make_plan(problem_, {});
  FftProblem other{.lengths = {128}};
  (void)Runtime(config_).make_plan(other, {});
  change_compiler("NVRTC 12.9 of another node");
  config_.log_level = LogLevel::info;
  Runtime runtime(config_);
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(runtime.make_plan(problem_, {}).resources().from_cache);
  EXPECT_TRUE(runtime.make_plan(other, {}).resources().from_cache);
  const std::string log = ::testing::internal::GetCapturedStderr();
  const std::size_t said = log.find("NVRTC 12.9 of another node");
  if (!find_nvrtc(config_)) GTEST_SKIP() << "NVRTC's file does not say its version";
  ASSERT_NE(said, std::string::npos) << log;
  EXPECT_EQ(log.find("NVRTC 12.9 of another node", said + 1), std::string::npos) << log;
}

// Who asks for a compilation gets that of the NVRTC that is here.
TEST_F(WithoutNvrtc, CompileMakesItAnew) {
  if (!find_nvrtc(config_)) GTEST_SKIP() << "NVRTC's file does not say its version";
  const Target target = target_for("sm_90");
  const CudaSource source = generate(problem_, target).source;
  Runtime runtime(config_);
  EXPECT_FALSE(runtime.compile(source, target).from_cache);
  EXPECT_TRUE(runtime.compile(source, target).from_cache);
  change_compiler("NVRTC 12.9 of another node");
  EXPECT_FALSE(runtime.compile(source, target).from_cache);
  EXPECT_TRUE(runtime.compile(source, target).from_cache);
}

}  // namespace
}  // namespace sonoma::testing
