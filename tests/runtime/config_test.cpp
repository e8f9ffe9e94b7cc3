#include "sonoma/config.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "support.hpp"

namespace sonoma {
namespace {

Config with(const std::map<std::string, std::string>& environment) {
  return Config::from_environment([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found != environment.end() ? found->second.c_str() : nullptr;
  });
}

TEST(Config, CacheFolderInOrderOfPrecedence) {
  EXPECT_EQ(with({}).cache_dir, "");
  EXPECT_EQ(with({{"HOME", "/h"}}).cache_dir, "/h/.cache/sonoma");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}).cache_dir, "/x/sonoma");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}, {"SONOMA_CACHE_DIR", "/s"}}).cache_dir,
            "/s");
}

TEST(Config, EmptyAndRelativeVariablesAreNoFolder) {
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_CACHE_HOME", ""}}).cache_dir, "/h/.cache/sonoma");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_CACHE_HOME", "x"}}).cache_dir, "/h/.cache/sonoma");
  EXPECT_EQ(with({{"HOME", ""}, {"SONOMA_CACHE_DIR", ""}}).cache_dir, "");
}

TEST(Config, OwnFolderMayBeRelativeAndIsMadeAbsolute) {
  const auto folder = with({{"SONOMA_CACHE_DIR", "here"}}).cache_dir;
  EXPECT_EQ(folder, std::filesystem::current_path() / "here");
}

TEST(Config, TemporaryFolder) {
  EXPECT_EQ(with({}).temporary_dir, "/tmp");
  EXPECT_EQ(with({{"TMPDIR", "/scratch"}}).temporary_dir, "/scratch");
  EXPECT_EQ(with({{"TMPDIR", "scratch"}}).temporary_dir, "/tmp");
}

TEST(Config, Switches) {
  EXPECT_TRUE(with({}).cache_read);
  EXPECT_TRUE(with({}).cache_write);
  EXPECT_FALSE(with({{"SONOMA_CACHE_READ_OFF", "1"}}).cache_read);
  EXPECT_FALSE(with({{"SONOMA_CACHE_WRITE_OFF", "yes"}}).cache_write);
  EXPECT_TRUE(with({{"SONOMA_CACHE_WRITE_OFF", "0"}}).cache_write);
  EXPECT_TRUE(with({{"SONOMA_CACHE_WRITE_OFF", ""}}).cache_write);
}

TEST(Config, EditedKernels) {
  EXPECT_FALSE(with({}).overrides);
  EXPECT_TRUE(with({{"SONOMA_OVERRIDES", "1"}}).overrides);
  EXPECT_FALSE(with({{"SONOMA_OVERRIDES", "0"}}).overrides);
  EXPECT_EQ(with({}).overrides_dir, "");
  EXPECT_EQ(with({{"HOME", "/h"}}).overrides_dir, "/h/.config/sonoma/overrides");
  EXPECT_EQ(with({{"HOME", "/h"}, {"SONOMA_OVERRIDES_DIR", "/o"}}).overrides_dir, "/o");
}

TEST(Config, LimitsOfTheCache) {
  EXPECT_EQ(with({}).cache_limit_bytes, 512ULL << 20);
  EXPECT_EQ(with({}).cache_entry_limit_bytes, 64ULL << 20);
  const Config config =
      with({{"SONOMA_CACHE_LIMIT_MIB", "3000000"}, {"SONOMA_CACHE_ENTRY_LIMIT_MIB", "0"}});
  EXPECT_EQ(config.cache_limit_bytes, 3000000ULL << 20);
  EXPECT_EQ(config.cache_entry_limit_bytes, 0U);
  for (const char* wrong : {"-1", "1.5", "1 ", "x", "1099511627776", "99999999999999999999"}) {
    try {
      (void)with({{"SONOMA_CACHE_LIMIT_MIB", wrong}});
      ADD_FAILURE() << wrong;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), "SONOMA_CACHE_LIMIT_MIB='" + std::string(wrong) +
                                  "': must be a number of MiB, 0 to 2^40 - 1");
    }
  }
}

TEST(Config, PlacesOfTheSystem) {
  using Paths = std::vector<std::filesystem::path>;
  EXPECT_EQ(with({}).system_caches, Paths{"/var/cache/sonoma"});
  EXPECT_EQ(with({{"SONOMA_SYSTEM_CACHE", "/a:/b"}}).system_caches, (Paths{"/a", "/b"}));
  EXPECT_EQ(with({{"SONOMA_SYSTEM_CACHE", ""}}).system_caches, Paths{});
  EXPECT_EQ(with({}).system_wisdom, "/etc/sonoma/wisdom.d");
  EXPECT_EQ(with({{"SONOMA_SYSTEM_WISDOM", "/w"}}).system_wisdom, "/w");
  EXPECT_EQ(with({{"SONOMA_SYSTEM_WISDOM", ""}}).system_wisdom, "");
}

// In processes of their own: there is one configuration in each.
TEST(Config, MayComeFromCode) {
  EXPECT_EQ(testing::wait_for(testing::start_child([] {
              Config mine;
              mine.cache_dir = "/mine";
              configure(mine);
              if (config().cache_dir != "/mine") return 1;
              try {
                configure(mine);
              } catch (const std::logic_error&) {
                return 0;
              }
              return 2;
            })),
            0);
  EXPECT_EQ(testing::wait_for(testing::start_child([] {
              (void)config();
              try {
                configure({});
              } catch (const std::logic_error&) {
                return 0;
              }
              return 1;
            })),
            0);
}

TEST(Config, KernelsMadeAheadOfTime) {
  EXPECT_TRUE(with({}).kernel_bundles.empty());
  EXPECT_FALSE(with({}).aot_only);
  const Config config = with({{"SONOMA_KERNELS", "/a/k.sonoma::b"}, {"SONOMA_AOT_ONLY", "1"}});
  EXPECT_EQ(config.kernel_bundles, (std::vector<std::filesystem::path>{"/a/k.sonoma", "b"}));
  EXPECT_TRUE(config.aot_only);
}

TEST(Config, PlacesOfCuda) {
  const Config config =
      with({{"SONOMA_CUDA_PATH", "/a"}, {"CUDA_HOME", "/c"}, {"CUDA_PATH", "/b"}});
  EXPECT_EQ(config.cuda_path, "/a");
  ASSERT_GE(config.cuda_roots.size(), 3U);
  EXPECT_EQ(config.cuda_roots[0], "/b");
  EXPECT_EQ(config.cuda_roots[1], "/c");
  EXPECT_EQ(config.cuda_roots[2], "/usr/local/cuda");
}

TEST(Config, WisdomInOrderOfPrecedence) {
  EXPECT_EQ(with({}).wisdom_file, "");
  EXPECT_EQ(with({{"HOME", "/h"}}).wisdom_file, "/h/.config/sonoma/wisdom.json");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/x"}}).wisdom_file, "/x/sonoma/wisdom.json");
  EXPECT_EQ(with({{"XDG_CONFIG_HOME", "/x"}, {"SONOMA_WISDOM", "/w.json"}}).wisdom_file, "/w.json");
  EXPECT_EQ(with({{"SONOMA_WISDOM", "w.json"}}).wisdom_file,
            std::filesystem::current_path() / "w.json");
}

TEST(Config, LogLevel) {
  EXPECT_EQ(with({}).log_level, LogLevel::warn);
  EXPECT_EQ(with({{"SONOMA_LOG", "debug"}}).log_level, LogLevel::debug);
  EXPECT_EQ(with({{"SONOMA_LOG", "off"}}).log_level, LogLevel::off);
  try {
    (void)with({{"SONOMA_LOG", "loud"}});
    FAIL() << "nothing thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "SONOMA_LOG='loud': allowed are off, error, warn, info and debug");
  }
}

TEST(Config, HostCompiler) {
  EXPECT_EQ(with({}).host_compiler, "");
  EXPECT_EQ(with({{"SONOMA_CXX", "clang++"}}).host_compiler, "clang++");
}

}  // namespace
}  // namespace sonoma
