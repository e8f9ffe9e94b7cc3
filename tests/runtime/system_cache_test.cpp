// Entries of any compiler, and of folders of the system beneath the user's.
#include <gtest/gtest.h>

#include <functional>

#include "disk_cache.hpp"
#include "sonoma/cache.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

namespace fs = std::filesystem;

// Of any compiler.
CompileInputs open_inputs(const std::string& name = "kernel") {
  CompileInputs inputs = some_inputs(name);
  inputs.compiler.clear();
  return inputs;
}

Binary binary_by(const std::string& compiler) {
  Binary binary = some_binary(50);
  binary.made_by = compiler;
  return binary;
}

class SystemCache : public ::testing::Test {
 protected:
  SystemCache() { config_.system_caches = {first_, second_}; }

  [[nodiscard]] DiskCache open() { return {config_, log_}; }

  // As an administrator does.
  void put(const fs::path& folder, const Binary& binary) const {
    const CacheFolder shared(folder, CacheFolder::Trust::shared, true);
    ASSERT_TRUE(
        shared.write(entry_file_name(cache_key(open_inputs())), encode({open_inputs(), binary})));
  }
  [[nodiscard]] std::optional<std::string> found(const std::string& preferred = {}) {
    const auto binary = open().load(open_inputs(), preferred);
    return binary ? std::optional(binary->made_by) : std::nullopt;
  }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  fs::path first_ = folder_.path() / "first", second_ = folder_.path() / "second";
  Log log_{LogLevel::warn};
};

TEST_F(SystemCache, ServesWhatTheUserDoesNotHave) {
  EXPECT_EQ(found(), std::nullopt);
  put(second_, binary_by("second"));
  EXPECT_EQ(found(), "second");
  put(first_, binary_by("first"));
  EXPECT_EQ(found(), "first");
  open().store(open_inputs(), binary_by("own"));
  EXPECT_EQ(found(), "own");
}

TEST_F(SystemCache, TheCompilerThatIsHereIsPreferred) {
  put(first_, binary_by("old"));
  put(second_, binary_by("new"));
  EXPECT_EQ(found("new"), "new");
  EXPECT_EQ(found("old"), "old");
  EXPECT_EQ(found("another"), "old");
  open().store(open_inputs(), binary_by("own"));
  EXPECT_EQ(found("new"), "new");
  EXPECT_EQ(found("another"), "own");
}

TEST_F(SystemCache, ServesWhereTheUserHasNoFolder) {
  put(first_, binary_by("first"));
  config_.cache_dir.clear();
  EXPECT_EQ(count_warnings([&] { EXPECT_EQ(found(), "first"); }), 1);  // nothing can be kept
}

TEST_F(SystemCache, IsNotWritten) {
  put(first_, binary_by("first"));
  const auto time = fs::last_write_time(first_);
  EXPECT_EQ(found(), "first");
  open().remove(open_inputs());
  EXPECT_EQ(found(), "first");
  EXPECT_EQ(fs::last_write_time(first_), time);
  EXPECT_TRUE(open().folder().files().empty());
}

// A damaged one is left where it is, and not used.
TEST_F(SystemCache, DamageIsPassedOver) {
  put(first_, binary_by("first"));
  put(second_, binary_by("second"));
  const fs::path path = entry_path(first_, open_inputs());
  fs::resize_file(path, 100);
  EXPECT_EQ(count_warnings([&] { EXPECT_EQ(found(), "second"); }), 1);
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(SystemCache, IsBelievedOnlyWhereNobodyElseCanWrite) {
  put(first_, binary_by("first"));
  for (const fs::path& path : {first_, entry_path(first_, open_inputs())}) {
    for (const mode_t mode : {0775, 0757}) {
      ::chmod(path.c_str(), mode);
      EXPECT_EQ(count_warnings([&] { EXPECT_EQ(found(), std::nullopt) << path << mode; }), 1);
    }
    ::chmod(path.c_str(), 0755);
    EXPECT_EQ(found(), "first");
    if (::geteuid() != 0) continue;  // only root gives files away
    ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
    EXPECT_EQ(count_warnings([&] { EXPECT_EQ(found(), std::nullopt) << path; }), 1);
    ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  }
  fs::rename(entry_path(first_, open_inputs()), second_);
  fs::create_symlink(second_, entry_path(first_, open_inputs()));
  EXPECT_EQ(count_warnings([&] { EXPECT_EQ(found(), std::nullopt); }), 2);  // second_ is no folder
}

// Root's are believed by everybody, another user's by nobody.
TEST_F(SystemCache, OfRootServesAUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become another user";
  put(first_, binary_by("first"));
  ::chmod(folder_.path().c_str(), 0755);
  EXPECT_EQ(wait_for(start_child([&] {
              if (::setuid(65534) != 0) return 2;
              config_.cache_dir.clear();
              return found() == "first" ? 0 : 1;
            })),
            0);
}

TEST_F(SystemCache, PlacesAreListedInTheOrderOfSearch) {
  open().store(open_inputs(), binary_by("own"));
  put(second_, binary_by("second"));
  fs::create_directory(first_);
  ::chmod(first_.c_str(), 0777);
  const auto places = cache_places(config_);
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places[0].path, config_.cache_dir);
  EXPECT_FALSE(places[0].system);
  EXPECT_EQ(places[0].contents.kernels.at(0).compiler, "own");
  EXPECT_NE(places[1].not_used, "");
  EXPECT_TRUE(places[1].contents.kernels.empty());
  EXPECT_TRUE(places[2].system);
  EXPECT_EQ(places[2].not_used, "");
  EXPECT_EQ(places[2].contents.kernels.at(0).compiler, "second");
}

// ---- which of them serve

TEST_F(SystemCache, WhatAnotherCompilerMadeServesUnlessItMustNot) {
  const DiskCache cache = open();
  cache.store(open_inputs(), binary_by("old"));
  CountingCompiler compiler;
  compiler.result = binary_by("new");
  EXPECT_EQ(find_or_compile(cache, open_inputs(), compiler.function(), {"new"}).binary.made_by,
            "old");
  EXPECT_EQ(find_or_compile(cache, open_inputs(), compiler.function(), {"", true}).binary.made_by,
            "old");
  EXPECT_EQ(compiler.calls, 0);
  const Wanted exactly{"new", true};
  EXPECT_FALSE(find_or_compile(cache, open_inputs(), compiler.function(), exactly).from_cache);
  EXPECT_TRUE(find_or_compile(cache, open_inputs(), compiler.function(), exactly).from_cache);
  EXPECT_EQ(compiler.calls, 1);
}

TEST_F(SystemCache, ARejectedOneOfTheSystemIsCompiledAnewForTheUser) {
  Binary bad = binary_by("old");
  bad.bytes = "bad";
  put(first_, bad);
  const DiskCache cache = open();
  CountingCompiler compiler;
  compiler.result = binary_by("new");
  Compiled compiled;
  const auto load = [](const std::string& bytes) {
    if (bytes == "bad") throw FftError(Stage::load_module, "bad");
    return bytes.size();
  };
  for (int i = 0; i < 2; ++i) {
    (void)load_or_recompile(cache, open_inputs(), compiler.function(), compiled, load);
    EXPECT_EQ(compiler.calls, 1);
  }
  EXPECT_EQ(found(), "new");
}

TEST_F(SystemCache, ARejectedOneWithoutACompilerSaysBoth) {
  const DiskCache cache = open();
  cache.store(open_inputs(), binary_by("NVRTC 99"));
  Compiled compiled;
  const auto load = [](const std::string&) -> int {
    throw FftError(Stage::load_module, "too new");
  };
  try {
    (void)load_or_recompile(
        cache, open_inputs(),
        [](const CompileInputs&) -> Binary { throw FftError(Stage::load_library, "none here"); },
        compiled, load);
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::load_module);
    for (const char* part : {"NVRTC 99", "too new", "none here"}) {
      EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
    }
  }
  EXPECT_EQ(found(), "NVRTC 99");  // another process may have use for it
}

// ---- limits and ages

TEST_F(SystemCache, WhatIsLargerThanAnEntryMayBeIsNotKept) {
  config_.cache_entry_limit_bytes = encode({some_inputs(), some_binary(1000)}).size();
  open().store(some_inputs(), some_binary(1000));
  EXPECT_EQ(open().load(some_inputs()), some_binary(1000));
  EXPECT_EQ(count_warnings([&] { open().store(some_inputs("larger"), some_binary(1001)); }), 0);
  EXPECT_EQ(open().load(some_inputs("larger")), std::nullopt);
}

TEST_F(SystemCache, ItIsKnownWhatWasUsed) {
  const auto kernel = [&] { return inspect_cache(config_).kernels.at(0); };
  open().store(some_inputs(), some_binary());
  EXPECT_FALSE(kernel().used_since);
  EXPECT_FALSE(kernel().used_since);  // to look is not to use
  ASSERT_TRUE(open().load(some_inputs()));
  EXPECT_TRUE(kernel().used_since);
  EXPECT_GE(kernel().last_used, kernel().made);
}

}  // namespace
}  // namespace sonoma::testing
