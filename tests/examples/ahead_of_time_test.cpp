// A program with linked-in kernels, and what it needs: no NVRTC, no cache.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "command.hpp"

namespace sonoma::tests {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// `command` where every folder that has NVRTC is empty: a mount namespace of its own.
CommandResult without_nvrtc(const std::string& command,
                            const std::vector<std::string>& environment) {
  const std::string folder = fs::canonical(NVRTC).parent_path().string();
  return run_command(
      {"/bin/sh", "-c",
       "exec unshare --user --map-root-user --mount /bin/sh -c 'mount -t tmpfs none " + folder +
           " && ! ls " + folder + "/libnvrtc* 2>/dev/null && " + command + "'"},
      environment);
}

// "" if there are namespaces here.
std::string no_namespaces() {
  const CommandResult result = without_nvrtc("true", {});
  return result.exit_code == 0 ? "" : "no mount namespace here: " + result.err;
}

class LinkedIn : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> nothing_else() const {
    return {"SONOMA_CACHE_DIR=" + folder_.file("cache"), "SONOMA_LOG=error"};
  }
  TemporaryFolder folder_;
};

TEST_F(LinkedIn, KernelsServeTheEmulatedDevice) {
  const CommandResult result = run_command({AHEAD_OF_TIME, "cpu"}, nothing_else());
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "made ahead of time: yes")) << result.out;
}

TEST_F(LinkedIn, KernelsNeedNoNvrtc) {
  if (const std::string why = no_namespaces(); !why.empty()) GTEST_SKIP() << why;
  const CommandResult result = without_nvrtc(std::string(AHEAD_OF_TIME) + " cpu", nothing_else());
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "made ahead of time: yes")) << result.out;
}

// On a real one, if there is one.
TEST_F(LinkedIn, KernelsServeTheGpu) {
  const CommandResult result = run_command({AHEAD_OF_TIME, "gpu"}, nothing_else());
  if (contains(result.err, "no CUDA driver") || contains(result.err, "no GPU")) {
    GTEST_SKIP() << result.err;
  }
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

// On a driver that records and computes nothing: the plan is made, and its result is not the
// transform. Nothing is left in the cache.
TEST_F(LinkedIn, KernelsNeedNoNvrtcOnAGpu) {
  if (const std::string why = no_namespaces(); !why.empty()) GTEST_SKIP() << why;
  fs::create_symlink(FAKE_DRIVER, folder_.path() / "libcuda.so.1");
  auto environment = nothing_else();
  environment.push_back("LD_LIBRARY_PATH=" + folder_.path().string());
  const CommandResult result = without_nvrtc(std::string(AHEAD_OF_TIME) + " gpu", environment);
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "made ahead of time: yes")) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "on the GPU")) << result.out;
  EXPECT_TRUE(fs::is_empty(folder_.path() / "cache"));
}

}  // namespace
}  // namespace sonoma::tests
