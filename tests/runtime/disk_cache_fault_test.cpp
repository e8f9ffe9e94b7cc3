// Whatever happens to the cache costs one compilation and at most one line in the log.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "disk_cache.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

namespace fs = std::filesystem;

class DiskCacheFault : public ::testing::Test {
 protected:
  // A sound entry, spoilt by `spoil`, is noticed, compiled anew and then found.
  template <class Spoil>
  void expect_recovery(Spoil&& spoil) {
    const DiskCache cache(config_, log_);
    fs::remove_all(path_);
    cache.store(inputs_, some_binary(20));
    spoil();
    CountingCompiler compiler;
    compiler.result = some_binary(20);
    EXPECT_EQ(count_warnings([&] {
                const Compiled compiled = find_or_compile(cache, inputs_, compiler.function());
                EXPECT_EQ(compiled.binary, some_binary(20));
              }),
              1);
    EXPECT_EQ(compiler.calls, 1);
    EXPECT_EQ(cache.load(inputs_), some_binary(20));
  }

  // The cache is of no use, says so once, and compiling goes on.
  void expect_memory_only() {
    CountingCompiler compiler;
    EXPECT_EQ(count_warnings([&] {
                const DiskCache cache(config_, log_);
                EXPECT_FALSE(cache.usable());
                (void)find_or_compile(cache, inputs_, compiler.function());
                (void)find_or_compile(cache, inputs_, compiler.function());
                EXPECT_EQ(cache.keep_source(inputs_), "");
              }),
              1);
    EXPECT_EQ(compiler.calls, 2);
  }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  CompileInputs inputs_ = some_inputs();
  fs::path path_ = entry_path(config_.cache_dir, inputs_);
  Log log_{LogLevel::warn};
};

TEST_F(DiskCacheFault, TruncatedAtEveryOffset) {
  const std::string sound = encode({inputs_, some_binary(20)});
  for (std::size_t size = 0; size < sound.size(); ++size) {
    SCOPED_TRACE(size);
    expect_recovery([&] { fs::resize_file(path_, size); });
  }
}

TEST_F(DiskCacheFault, EveryBitFlipped) {
  const std::string sound = encode({inputs_, some_binary(20)});
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    SCOPED_TRACE(bit);
    std::string bytes = sound;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    expect_recovery([&] { write_file(path_, bytes); });
  }
}

TEST_F(DiskCacheFault, LongerThanItShouldBe) {
  expect_recovery([&] { std::ofstream(path_, std::ios::app) << "x"; });
}

TEST_F(DiskCacheFault, EntryOfOtherInputs) {
  expect_recovery([&] { write_file(path_, encode({some_inputs("other"), some_binary(20)})); });
}

TEST_F(DiskCacheFault, WrongMode) {
  expect_recovery([&] { ::chmod(path_.c_str(), 0644); });
  expect_recovery([&] { ::chmod(path_.c_str(), 04600); });
}

TEST_F(DiskCacheFault, SymbolicLink) {
  const fs::path elsewhere = folder_.path() / "elsewhere";
  expect_recovery([&] {
    fs::rename(path_, elsewhere);
    fs::create_symlink(elsewhere, path_);
  });
  EXPECT_EQ(read_file(elsewhere), encode({inputs_, some_binary(20)}));  // untouched
}

TEST_F(DiskCacheFault, Fifo) {
  expect_recovery([&] {
    fs::remove(path_);
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  });
}

TEST_F(DiskCacheFault, ForeignOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root: a file is given to another user";
  expect_recovery([&] { ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0); });
}

TEST_F(DiskCacheFault, FolderInThePlaceOfAnEntry) {
  const DiskCache cache(config_, log_);
  fs::create_directory(path_);
  CountingCompiler compiler;
  EXPECT_EQ(count_warnings([&] { (void)find_or_compile(cache, inputs_, compiler.function()); }),
            3);  // it cannot be read, before and after the claim, and cannot be replaced
  EXPECT_EQ(compiler.calls, 1);
}

TEST_F(DiskCacheFault, NoFolderGiven) {
  config_.cache_dir.clear();
  expect_memory_only();
}

TEST_F(DiskCacheFault, FolderIsAFile) {
  write_file(config_.cache_dir, "x");
  expect_memory_only();
  config_.cache_dir /= "below";
  expect_memory_only();
}

TEST_F(DiskCacheFault, FolderIsASymbolicLink) {
  const fs::path elsewhere = folder_.path() / "elsewhere";
  fs::create_directory(elsewhere);
  fs::create_symlink(elsewhere, config_.cache_dir);
  expect_memory_only();
}

TEST_F(DiskCacheFault, FolderOpenToOthers) {
  fs::create_directory(config_.cache_dir);
  write_file(config_.cache_dir / "something", "x");
  ::chmod(config_.cache_dir.c_str(), 0755);
  expect_memory_only();
}

TEST_F(DiskCacheFault, EmptyFolderOpenToOthersIsTightened) {
  fs::create_directory(config_.cache_dir);
  ::chmod(config_.cache_dir.c_str(), 0755);
  EXPECT_TRUE(DiskCache(config_, log_).usable());
  EXPECT_EQ(fs::status(config_.cache_dir).permissions(), fs::perms::owner_all);
}

TEST_F(DiskCacheFault, FolderOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root: a folder is given to another user";
  fs::create_directory(config_.cache_dir);
  ASSERT_EQ(::chown(config_.cache_dir.c_str(), 12345, 12345), 0);
  expect_memory_only();
}

// Root may write anywhere, so the test is done as another user.
TEST_F(DiskCacheFault, UnwritableFolder) {
  constexpr uid_t nobody = 65534;
  const bool root = ::geteuid() == 0;
  fs::create_directory(config_.cache_dir);
  write_file(config_.cache_dir / "something", "x");
  ::chmod(folder_.path().c_str(), 0755);
  ASSERT_TRUE(!root || ::chown(config_.cache_dir.c_str(), nobody, nobody) == 0);
  ::chmod(config_.cache_dir.c_str(), 0500);
  EXPECT_EQ(wait_for(start_child([&] {
              if (root && ::setuid(nobody) != 0) return 2;
              expect_memory_only();
              config_.cache_dir /= "below";
              expect_memory_only();
              return HasFailure() ? 1 : 0;
            })),
            0);
  ::chmod(config_.cache_dir.c_str(), 0700);
}

// Fails the write after the first bytes, as a full disk and a quota do.
TEST_F(DiskCacheFault, FileSizeLimit) {
  EXPECT_EQ(wait_for(start_child([&] {
              const DiskCache cache(config_, log_);
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{64, 64};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
              CountingCompiler compiler;
              (void)find_or_compile(cache, inputs_, compiler.function());
              (void)find_or_compile(cache, inputs_, compiler.function());
              if (compiler.calls != 2) return 3;
              return cache.folder().files().empty() ? 0 : 4;
            })),
            0);
}

TEST_F(DiskCacheFault, FullDisk) {
  fs::create_directory(config_.cache_dir);
  if (::mount("tmpfs", config_.cache_dir.c_str(), "tmpfs", 0, "size=64k,mode=0700") != 0) {
    GTEST_SKIP() << "a small tmpfs cannot be mounted here: " << last_error();
  }
  {
    const DiskCache cache(config_, log_);
    CountingCompiler compiler;
    compiler.result = some_binary(1 << 20);
    EXPECT_EQ(count_warnings([&] { (void)find_or_compile(cache, inputs_, compiler.function()); }),
              1);
    EXPECT_TRUE(cache.folder().files().empty());
    compiler.result = some_binary(1000);
    (void)find_or_compile(cache, inputs_, compiler.function());
    EXPECT_TRUE(find_or_compile(cache, inputs_, compiler.function()).from_cache);
  }
  EXPECT_EQ(::umount(config_.cache_dir.c_str()), 0);
}

}  // namespace
}  // namespace sonoma::testing
