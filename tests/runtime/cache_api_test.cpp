#include <fcntl.h>
#include <gtest/gtest.h>

#include <array>

#include "disk_cache.hpp"
#include "sonoma/cache.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

namespace fs = std::filesystem;

class CacheApi : public ::testing::Test {
 protected:
  CacheApi() {
    const DiskCache cache(config_, log_);
    cache.store(some_inputs("older"), some_binary());
    set_used(entry("older"), 1000);
    cache.store(some_inputs("newer"), some_binary());
    set_used(entry("newer"), 2000);
  }

  [[nodiscard]] fs::path entry(const char* name) const {
    return entry_path(config_.cache_dir, some_inputs(name));
  }

  static void set_used(const fs::path& path, time_t seconds) {
    const std::array<timespec, 2> times = {{{seconds, 0}, {seconds, 0}}};
    (void)::utimensat(AT_FDCWD, path.c_str(), times.data(), 0);
  }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  Log log_{LogLevel::off};
};

TEST_F(CacheApi, ListsTheKernels) {
  const CacheContents contents = inspect_cache(config_);
  ASSERT_EQ(contents.kernels.size(), 2U);
  EXPECT_TRUE(contents.faults.empty());
  const CachedKernel& first = contents.kernels[0];
  EXPECT_EQ(first.name, "older");
  EXPECT_EQ(first.kind, "cubin");
  EXPECT_EQ(first.arch, "sm_90");
  EXPECT_EQ(first.compiler, some_inputs().compiler);
  EXPECT_EQ(first.key, cache_key(some_inputs("older")));
  EXPECT_EQ(first.path, entry("older"));
  EXPECT_EQ(first.bytes, fs::file_size(entry("older")));
  EXPECT_EQ(first.last_used, 1000);
  EXPECT_EQ(contents.kernels[1].name, "newer");
}

TEST_F(CacheApi, FindsFaultsAndChangesNothing) {
  fs::resize_file(entry("older"), 30);
  write_file(config_.cache_dir / "notes.txt", "x");
  write_file(config_.cache_dir / ".writing-0123456789abcdef", "x");
  set_used(config_.cache_dir / ".writing-0123456789abcdef", 1000);
  write_file(config_.cache_dir / ".writing-fedcba9876543210", "x");  // by a process at work
  const CacheContents contents = inspect_cache(config_);
  EXPECT_EQ(contents.kernels.size(), 1U);
  EXPECT_EQ(contents.faults.size(), 3U);
  for (const CacheFault& fault : contents.faults) {
    EXPECT_NE(fault.reason, "");
    EXPECT_TRUE(fs::exists(fault.path));
  }
}

TEST_F(CacheApi, AnEntryUnderAnotherNameIsAFault) {
  const fs::path wrong = config_.cache_dir / entry_file_name(std::string(64, 'a'));
  fs::rename(entry("older"), wrong);
  const CacheContents contents = inspect_cache(config_);
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].path, wrong);
}

TEST_F(CacheApi, PruneKeepsTheMostRecent) {
  const auto size = fs::file_size(entry("newer"));
  const CachePruning result = prune_cache(size, config_);
  EXPECT_EQ(result.removed_files, 1U);
  EXPECT_EQ(result.kept_bytes, size);
  EXPECT_FALSE(fs::exists(entry("older")));
  EXPECT_TRUE(fs::exists(entry("newer")));
  EXPECT_EQ(prune_cache(0, config_).kept_bytes, 0U);
  EXPECT_TRUE(fs::is_empty(config_.cache_dir));
}

TEST_F(CacheApi, PruneRemovesWhatIsUnsoundAndLeftOver) {
  const DiskCache cache(config_, log_);
  fs::resize_file(entry("older"), 30);
  const fs::path source = cache.keep_source(some_inputs());
  const fs::path old_temporary = config_.cache_dir / ".writing-0123456789abcdef";
  const fs::path new_temporary = config_.cache_dir / ".writing-fedcba9876543210";
  const fs::path foreign = config_.cache_dir / "notes.txt";
  for (const fs::path& path : {old_temporary, new_temporary, foreign}) write_file(path, "x");
  set_used(old_temporary, 1000);

  EXPECT_EQ(prune_cache(1 << 20, config_).removed_files, 3U);
  for (const fs::path& path : {entry("older"), source, old_temporary}) {
    EXPECT_FALSE(fs::exists(path)) << path;
  }
  for (const fs::path& path : {entry("newer"), new_temporary, foreign}) {
    EXPECT_TRUE(fs::exists(path)) << path;
  }
}

TEST_F(CacheApi, StoringClearsUpAfterKilledWriters) {
  const fs::path abandoned = config_.cache_dir / ".writing-0123456789abcdef";
  const fs::path at_work = config_.cache_dir / ".writing-fedcba9876543210";
  for (const fs::path& path : {abandoned, at_work}) write_file(path, "x");
  set_used(abandoned, 1000);
  DiskCache(config_, log_).store(some_inputs("another"), some_binary());
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(at_work));
}

TEST_F(CacheApi, SaysWhyThereIsNoCache) {
  config_.cache_dir = folder_.path() / "file";
  write_file(config_.cache_dir, "x");
  EXPECT_THROW((void)inspect_cache(config_), FftError);
  EXPECT_EQ(cache_path(config_), config_.cache_dir);
  config_.cache_dir.clear();
  EXPECT_THROW((void)cache_path(config_), FftError);
  EXPECT_THROW((void)prune_cache(0, config_), FftError);
}

}  // namespace
}  // namespace sonoma::testing
