// What the runtime asks of the driver, seen by a driver that records it.
#include "fake_driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "driver.hpp"
#include "fake_driver_access.hpp"
#include "gpu_kernel.hpp"
#include "sonoma/errors.hpp"

namespace sonoma::testing {
namespace {

class FakeDriver : public ::testing::Test {
 protected:
  FakeDriver() {
    source_.name = "some_kernel";
    source_.launch = {128, 0, 4};
    source_.tables = {1, 2, 3, 4};
  }

  [[nodiscard]] std::shared_ptr<const Driver> open() const {
    return std::make_shared<const Driver>(config_);
  }

  // A kernel in the primary context, on a thread without a context of its own.
  [[nodiscard]] std::unique_ptr<const GpuKernel> load() const {
    const auto driver = open();
    return std::make_unique<const GpuKernel>(driver, driver->current_device(), source_, "cubin");
  }

  [[nodiscard]] long count(const char* name) const {
    return std::count(state_->calls.begin(), state_->calls.end(), name);
  }

  static Config fake_config() {
    Config config;
    config.driver_libraries = {FAKE_DRIVER};
    return config;
  }

  Config config_ = fake_config();
  FakeDriverState* state_ = reset_fake_driver();
  CudaSource source_;
};

TEST_F(FakeDriver, TargetIsAskedFromTheDevice) {
  const auto driver = open();
  Target target = driver->target_of(driver->current_device());
  EXPECT_EQ(target.arch, 90);
  EXPECT_EQ(target.sms, 132);
  EXPECT_EQ(target.shared_bytes, 232448);
  EXPECT_EQ(target.registers, 65536);
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR] = 9;  // 8.9
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 8;
  EXPECT_EQ(driver->target_of(driver->current_device()).arch, 89);
}

TEST_F(FakeDriver, NewGpusTakeTheClosestArchThatRunsOnThem) {
  const auto driver = open();
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 10;
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR] = 6;
  EXPECT_EQ(driver->target_of(driver->current_device()).arch, 103);
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 8;
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR] =
      8;  // not 87, whose cubins run on Jetsons alone
  EXPECT_EQ(driver->target_of(driver->current_device()).arch, 86);
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] =
      13;  // newer than all: an NVRTC may know it, or PTX serves
  EXPECT_EQ(driver->target_of(driver->current_device()).arch, 138);
  state_->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 6;
  EXPECT_THROW((void)driver->target_of(driver->current_device()), UnsupportedProblem);
}

TEST_F(FakeDriver, NoGpuIsAnErrorOfTheDevice) {
  state_->devices = 0;
  EXPECT_THROW((void)open(), FftError);
  state_->devices = 1;
  state_->failing = "cuInit";
  try {
    (void)open();
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::device);
    EXPECT_STREQ(error.what(), "device: cuInit: CUDA_ERROR_FAKE (a made-up failure)");
  }
}

TEST_F(FakeDriver, LaunchesWithTheArgumentsOfTheKernel) {
  const auto kernel = load();
  int in = 0, out = 0, stream = 0;
  kernel->launch({&in, &out, nullptr, 9, 0, nullptr, nullptr}, reinterpret_cast<Stream>(&stream));
  ASSERT_EQ(state_->launches.size(), 1U);
  const FakeLaunch& launch = state_->launches[0];
  EXPECT_EQ(state_->function_name, "some_kernel");
  EXPECT_EQ(launch.blocks, 3U);  // ceil(9 / 4)
  EXPECT_EQ(launch.threads, 128U);
  EXPECT_EQ(launch.shared_bytes, 0U);
  EXPECT_EQ(launch.stream, &stream);
  EXPECT_EQ(launch.in, &in);
  EXPECT_EQ(launch.out, &out);
  EXPECT_EQ(launch.batch, 9U);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): of the driver
  EXPECT_EQ(reinterpret_cast<const std::uint32_t*>(launch.tables)[2], 3U);
}

TEST_F(FakeDriver, ExecutionOnlyLaunches) {
  const auto kernel = load();
  state_->calls.clear();
  int in = 0, out = 0;
  kernel->launch({&in, &out, nullptr, 1, 0, nullptr, nullptr}, nullptr);
  const std::vector<std::string> expected = {"cuCtxGetCurrent", "cuCtxPushCurrent_v2",
                                             "cuLaunchKernel", "cuCtxPopCurrent_v2"};
  EXPECT_EQ(state_->calls, expected);
}

TEST_F(FakeDriver, ContextOfTheCallerIsUsedAndLeft) {
  const auto driver = open();
  int own = 0;
  ASSERT_EQ(driver->functions().context_push(reinterpret_cast<CUcontext>(&own)), CUDA_SUCCESS);
  EXPECT_EQ(driver->current_device().context, reinterpret_cast<CUcontext>(&own));
  EXPECT_EQ(count("cuDevicePrimaryCtxRetain"), 0);
  { const GpuKernel kernel(driver, driver->current_device(), source_, "cubin"); }
  CUcontext current = nullptr;
  ASSERT_EQ(driver->functions().context_pop(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, reinterpret_cast<CUcontext>(&own));
}

TEST_F(FakeDriver, SharedMemoryBeyondTheDefaultIsAskedFor) {
  (void)load();
  EXPECT_TRUE(state_->function_attributes.empty());
  source_.launch.shared_bytes = 48 * 1024 + 16;
  (void)load();
  EXPECT_EQ(state_->function_attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES],
            48 * 1024 + 16);
}

TEST_F(FakeDriver, RoomForTheCacheIsAskedForWhereMoreBlocksFit) {
  source_.launch.most_blocks = 8, source_.launch.carveout = 67;
  state_->blocks_of_sm = 8;
  (void)load();
  EXPECT_TRUE(state_->function_attributes.empty());
  state_->blocks_of_sm = 9;
  (void)load();
  EXPECT_EQ(state_->function_attributes[CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT], 67);
}

TEST_F(FakeDriver, EverythingIsGivenBack) {
  (void)load();
  EXPECT_EQ(state_->allocations, 0);
  EXPECT_EQ(count("cuModuleUnload"), 1);
  EXPECT_EQ(count("cuDevicePrimaryCtxRetain"), 1);
  EXPECT_EQ(count("cuDevicePrimaryCtxRelease_v2"), 1);
  EXPECT_EQ(count("cuStreamDestroy_v2"), 1);
}

TEST_F(FakeDriver, NoTablesTakeNoMemory) {
  source_.tables.clear();
  (void)load();
  EXPECT_EQ(count("cuMemAlloc_v2"), 0);
}

TEST_F(FakeDriver, EveryFailureGivesBackWhatWasTaken) {
  for (const char* name :
       {"cuModuleLoadData", "cuModuleGetFunction", "cuFuncGetAttribute", "cuMemAlloc_v2",
        "cuStreamCreate", "cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"}) {
    SCOPED_TRACE(name);
    *state_ = {};
    state_->failing = name;
    EXPECT_THROW((void)load(), FftError);
    EXPECT_EQ(state_->allocations, 0);
    EXPECT_EQ(count("cuModuleUnload"), name == std::string("cuModuleLoadData") ? 0 : 1);
    EXPECT_EQ(count("cuStreamDestroy_v2"), name == std::string("cuMemcpyHtoDAsync_v2") ||
                                                   name == std::string("cuStreamSynchronize")
                                               ? 1
                                               : 0);
  }
}

TEST_F(FakeDriver, LoadsWhileAnotherThreadCaptures) {
  state_->others_capture = true;
  EXPECT_NO_THROW((void)load());
  EXPECT_EQ(count("cuMemcpyHtoD_v2"), 0);  // uses the default stream, which spoils a capture
  EXPECT_EQ(state_->allocations, 0);
}

TEST_F(FakeDriver, ContextGoneBeforeTheKernelIsNoError) {
  auto kernel = load();
  state_->failing = "cuCtxPushCurrent_v2";
  EXPECT_NO_THROW(kernel.reset());
  EXPECT_EQ(count("cuModuleUnload"), 0);
}

// After a reset the new context often lies where the old one was: nothing of it may be freed.
TEST_F(FakeDriver, AnotherContextAtTheSameAddressIsLeftAlone) {
  auto kernel = load();
  state_->context_id = 2;
  kernel.reset();
  EXPECT_EQ(count("cuModuleUnload"), 0);
  EXPECT_EQ(count("cuMemFree_v2"), 0);
}

TEST_F(FakeDriver, AResetPrimaryContextIsRetainedAgain) {
  const auto driver = open();
  (void)driver->current_device();
  (void)driver->current_device();
  EXPECT_EQ(count("cuDevicePrimaryCtxRetain"), 1);
  state_->failing = "cuCtxGetId";
  EXPECT_THROW((void)driver->current_device(), FftError);  // the fake's new one has no id either
  EXPECT_EQ(count("cuDevicePrimaryCtxRetain"), 2);
}

// It says that it is of CUDA 13, so that nothing but the missing functions tells.
TEST_F(FakeDriver, AnOlderDriverServesWithoutGraphs) {
  config_.driver_libraries = {OLD_DRIVER};
  const auto driver = open();
  EXPECT_EQ(driver->functions().context_id, nullptr);
  EXPECT_EQ(driver->functions().launch_with, nullptr);
  EXPECT_EQ(driver->graphs(), nullptr);
  EXPECT_FALSE(driver->overlaps_launches());
  EXPECT_TRUE(driver->still_has(driver->current_device()));
  source_.launch.follows = true;
  const GpuKernel kernel(driver, driver->current_device(), source_, "cubin");
  int in = 0, out = 0;
  EXPECT_NO_THROW(kernel.launch({&in, &out, nullptr, 1, 0, nullptr, nullptr}, nullptr));
}

TEST_F(FakeDriver, FailedLaunchSaysSo) {
  const auto kernel = load();
  state_->failing = "cuLaunchKernel";
  int in = 0, out = 0;
  try {
    kernel->launch({&in, &out, nullptr, 1, 0, nullptr, nullptr}, nullptr);
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::launch);
  }
}

}  // namespace
}  // namespace sonoma::testing
