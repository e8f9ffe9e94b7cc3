// The disk cache in good order. What can go wrong is in disk_cache_fault_test.cpp.
#include "disk_cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <array>

#include "support.hpp"

namespace sonoma::testing {
namespace {

class DiskCacheTest : public ::testing::Test {
 protected:
  [[nodiscard]] DiskCache open() { return {config_, log_}; }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "a" / "cache");
  Log log_{LogLevel::warn};
};

mode_t mode_of(const std::filesystem::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

void set_used(const std::filesystem::path& path, time_t seconds) {
  const std::array<timespec, 2> times = {{{seconds, 0}, {seconds, 0}}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
}

TEST_F(DiskCacheTest, StoresAndLoads) {
  const DiskCache cache = open();
  EXPECT_FALSE(cache.load(some_inputs()));
  cache.store(some_inputs(), some_binary());
  EXPECT_EQ(cache.load(some_inputs()), some_binary());
  EXPECT_FALSE(cache.load(some_inputs("other")));
}

TEST_F(DiskCacheTest, AnotherProcessFindsIt) {
  open().store(some_inputs(), some_binary());
  EXPECT_EQ(open().load(some_inputs()), some_binary());
}

TEST_F(DiskCacheTest, OnlyTheUserHasAccess) {
  const mode_t previous = ::umask(0);
  open().store(some_inputs(), some_binary());
  ::umask(previous);
  EXPECT_EQ(mode_of(config_.cache_dir), 0700U);
  EXPECT_EQ(mode_of(entry_path(config_.cache_dir, some_inputs())), 0600U);
}

TEST_F(DiskCacheTest, AnyUmaskWillDo) {
  const DiskCache cache = open();
  const mode_t previous = ::umask(0777);
  cache.store(some_inputs(), some_binary());
  ::umask(previous);
  EXPECT_TRUE(cache.load(some_inputs()));
}

TEST_F(DiskCacheTest, LeavesNothingElseInTheFolder) {
  const DiskCache cache = open();
  cache.store(some_inputs(), some_binary());
  cache.store(some_inputs(), some_binary());
  ASSERT_EQ(cache.folder().files().size(), 1U);
  EXPECT_TRUE(is_entry_file(cache.folder().files()[0].name));
}

TEST_F(DiskCacheTest, ReadOffAndWriteOff) {
  open().store(some_inputs(), some_binary());
  config_.cache_read = false;
  EXPECT_FALSE(open().load(some_inputs()));
  config_.cache_read = true;
  config_.cache_write = false;
  open().store(some_inputs("other"), some_binary());
  EXPECT_TRUE(open().load(some_inputs()));
  EXPECT_EQ(open().keep_source(some_inputs()), "");
  EXPECT_EQ(open().folder().files().size(), 1U);
}

TEST_F(DiskCacheTest, DropsTheLeastRecentlyUsed) {
  const DiskCache unlimited = open();
  const auto path = [&](const char* name) {
    return entry_path(config_.cache_dir, some_inputs(name));
  };
  for (const char* name : {"first", "second", "third"}) {
    unlimited.store(some_inputs(name), some_binary(1000));
    set_used(path(name), 1000);
  }
  set_used(path("second"), 500);
  EXPECT_TRUE(unlimited.load(some_inputs("second")));  // now the most recent
  set_used(path("first"), 2000);

  config_.cache_limit_bytes = 3 * std::filesystem::file_size(path("second"));
  open().store(some_inputs("fourth"), some_binary(1000));
  EXPECT_TRUE(std::filesystem::exists(path("first")));
  EXPECT_TRUE(std::filesystem::exists(path("second")));
  EXPECT_FALSE(std::filesystem::exists(path("third")));
  EXPECT_TRUE(std::filesystem::exists(path("fourth")));
}

TEST_F(DiskCacheTest, KeepsSourcesThatDoNotCompile) {
  const DiskCache cache = open();
  const std::string path = cache.keep_source(some_inputs());
  EXPECT_TRUE(path.ends_with(".cu"));
  EXPECT_EQ(read_file(path), some_inputs().source);
}

TEST_F(DiskCacheTest, FindOrCompileCompilesOnce) {
  const DiskCache cache = open();
  CountingCompiler compiler;
  const Compiled first = find_or_compile(cache, some_inputs(), compiler.function());
  const Compiled second = find_or_compile(cache, some_inputs(), compiler.function());
  EXPECT_EQ(compiler.calls, 1);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(first.binary, second.binary);
}

TEST_F(DiskCacheTest, CompileErrorsGetThePathOfTheSource) {
  const DiskCache cache = open();
  try {
    (void)find_or_compile(cache, some_inputs(), [](const CompileInputs&) -> Binary {
      throw FftError(Stage::compile, "no", "line 1: error");
    });
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::compile);
    EXPECT_EQ(error.message(), "no");
    EXPECT_EQ(error.log(), "line 1: error");
    EXPECT_EQ(read_file(error.source_path()), some_inputs().source);
  }
  EXPECT_FALSE(cache.load(some_inputs()));
}

TEST_F(DiskCacheTest, ACachedBinaryThatDoesNotLoadIsCompiledAnewOnce) {
  const DiskCache cache = open();
  cache.store(some_inputs(), {"bad", ""});
  CountingCompiler compiler;
  Compiled compiled;
  const auto load = [](const std::string& bytes) {
    if (bytes == "bad") throw FftError(Stage::load_module, "bad");
    return bytes.size();
  };
  const auto size = load_or_recompile(cache, some_inputs(), compiler.function(), compiled, load);
  EXPECT_EQ(size, compiler.result.bytes.size());
  EXPECT_EQ(compiler.calls, 1);
  EXPECT_FALSE(compiled.from_cache);
  EXPECT_EQ(cache.load(some_inputs()), compiler.result);

  compiler.result.bytes = "bad";
  cache.remove(some_inputs());
  EXPECT_THROW((void)load_or_recompile(cache, some_inputs(), compiler.function(), compiled, load),
               FftError);
  EXPECT_EQ(compiler.calls, 2);
}

}  // namespace
}  // namespace sonoma::testing
