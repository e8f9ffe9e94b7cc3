#include "dynamic_library.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "driver.hpp"
#include "fake_driver.hpp"
#include "nvrtc.hpp"
#include "sonoma/fft_error.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

TEST(DynamicLibrary, OpensTheFirstThatIsThere) {
  std::string searched;
  const std::vector<std::string> names = {"libnot-there.so.1", "libc.so.6"};
  const auto library = DynamicLibrary::open(names, searched);
  ASSERT_TRUE(library);
  EXPECT_NE(searched.find("libnot-there.so.1"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(library->path()));
  EXPECT_NE(library->find<int(int)>("abs"), nullptr);
  EXPECT_EQ(library->find<int(int)>("no_such_function"), nullptr);
}

TEST(DynamicLibrary, StaysWhenItIsGone) {
  const std::vector<std::string> names = {OLD_DRIVER};  // which no other test opens for good
  std::string searched;
  FakeDriverStateFunction* state = nullptr;
  {
    state = DynamicLibrary::open(names, searched)
                ->find<FakeDriverStateFunction>("sonoma_fake_driver_state");
  }
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state()->devices, 1);  // its code and data are there
}

TEST(DynamicLibrary, MissingFunctionIsAnError) {
  std::string searched;
  const std::vector<std::string> names = {"libc.so.6"};
  const auto library = DynamicLibrary::open(names, searched);
  int (*function)(int) = nullptr;
  EXPECT_THROW(library->require("no_such_function", function), FftError);
}

TEST(DynamicLibrary, BuildIdIsStableAndNotEmpty) {
  std::string searched;
  const std::vector<std::string> names = {"libc.so.6"};
  const auto library = DynamicLibrary::open(names, searched);
  EXPECT_GE(library->build_id().size(), 16U);
  EXPECT_EQ(library->build_id(), library->build_id());
}

TEST(DynamicLibrary, NoDriverSaysWhatWasTriedAndTheWayOut) {
  Config config;
  config.driver_libraries = {"/nowhere/libcuda.so.1"};
  try {
    const Driver driver(config);
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::load_library);
    const std::string what = error.what();
    EXPECT_NE(what.find("/nowhere/libcuda.so.1"), std::string::npos) << what;
    EXPECT_NE(what.find("Device::cpu"), std::string::npos) << what;
  }
}

// A file of that name which is no library: the explicit path is tried first and reported.
TEST(DynamicLibrary, BrokenNvrtcIsReportedOrPassedOver) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "lib64");
  const auto broken = folder.path() / "lib64" / "libnvrtc.so.13";
  write_file(broken, "no library");
  Config config;
  config.cuda_path = folder.path();
  try {
    const NvrtcCompiler compiler(config);  // another one is in the loader's path
    EXPECT_EQ(compiler.identity().find("NVRTC "), 0U);
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::load_library);
    const std::string what = error.what();
    EXPECT_NE(what.find(broken.string()), std::string::npos) << what;
    EXPECT_NE(what.find("SONOMA_CUDA_PATH"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace sonoma::testing
