// Many processes on one cache folder, and processes that die in the middle.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <vector>

#include "disk_cache.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

class DiskCacheProcesses : public ::testing::Test {
 protected:
  // As in a process that needs this kernel: the exit code says whether it got the right one. Each
  // compilation adds a byte to the file `compilations_`.
  int need_kernel() const {
    const Log log(LogLevel::warn);
    const DiskCache cache(config_, log);
    const Compiled compiled = find_or_compile(cache, some_inputs(), [this](const CompileInputs&) {
      const File file(
          ::open(compilations_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
      (void)write_all(file, "x");
      return some_binary(100'000);
    });
    return compiled.binary == some_binary(100'000) ? 0 : 1;
  }

  [[nodiscard]] std::uintmax_t compilations() const {
    return std::filesystem::exists(compilations_) ? std::filesystem::file_size(compilations_) : 0;
  }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  std::filesystem::path compilations_ = folder_.path() / "compilations";
};

TEST_F(DiskCacheProcesses, TheSecondCompilesNothing) {
  EXPECT_EQ(wait_for(start_child([this] { return need_kernel(); })), 0);
  EXPECT_EQ(compilations(), 1U);
  EXPECT_EQ(wait_for(start_child([this] { return need_kernel(); })), 0);
  EXPECT_EQ(compilations(), 1U);
}

TEST_F(DiskCacheProcesses, ThirtyTwoAtOnceOnAColdKey) {
  constexpr std::uintmax_t processes = 32;
  std::vector<pid_t> children;
  for (std::uintmax_t i = 0; i < processes; ++i) {
    children.push_back(start_child([this] { return need_kernel(); }));
  }
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);

  const std::uintmax_t before = compilations();
  EXPECT_GE(before, 1U);
  EXPECT_LE(before, processes);
  EXPECT_EQ(need_kernel(), 0);
  EXPECT_EQ(compilations(), before);
  const Log log(LogLevel::warn);
  EXPECT_EQ(DiskCache(config_, log).folder().files().size(), 1U);
}

// The child is killed as soon as its half-written file is seen.
TEST_F(DiskCacheProcesses, KilledWhileWriting) {
  const Log log(LogLevel::off);
  const DiskCache cache(config_, log);
  const Binary large = some_binary(8 << 20);
  const auto writing = [](const CacheFile& file) { return is_temporary_file(file.name); };
  int interrupted = 0;
  for (int round = 0; round < 100 && interrupted < 5; ++round) {
    const pid_t child = start_child([&]() -> int {
      for (int i = 0;; ++i) cache.store(some_inputs("kernel_" + std::to_string(i % 3)), large);
    });
    std::vector<CacheFile> files;
    while (std::none_of(files.begin(), files.end(), writing)) files = cache.folder().files();
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    EXPECT_EQ(wait_for(child), 128 + SIGKILL);
    for (const CacheFile& file : cache.folder().files()) {
      std::string why;
      if (writing(file)) {
        ++interrupted;
        EXPECT_TRUE(cache.folder().remove(file.name));
      } else {
        EXPECT_TRUE(cache.folder().read_entry(file.name, why)) << why;
      }
    }
  }
  EXPECT_GT(interrupted, 0) << "no child was killed while it wrote: the test tested nothing";
}

}  // namespace
}  // namespace sonoma::testing
