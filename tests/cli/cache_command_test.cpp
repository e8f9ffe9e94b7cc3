#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;

/// The command with a cache of its own.
class CacheCommand : public testing::Test {
 protected:
  CommandResult sonoma(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SONOMA_COMMAND);
    return run_command(arguments, {"SONOMA_CACHE_DIR=" + cache()});
  }
  json document(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    return json::parse(sonoma(std::move(arguments)).out);
  }
  void fill() { ASSERT_EQ(sonoma({"verify", "--n", "2..4", "--device", "cpu"}).exit_code, 0); }
  std::string cache() const { return folder_.file("cache"); }

 private:
  TemporaryFolder folder_;
};

TEST_F(CacheCommand, PathIsTheConfiguredOne) {
  EXPECT_EQ(sonoma({"cache", "path"}).out, cache() + "\n");
  EXPECT_EQ(document({"cache", "path"}).at("path"), cache());
}

TEST_F(CacheCommand, AnEmptyCacheIsSound) {
  EXPECT_EQ(document({"cache", "ls"}).at("kernels").size(), 0u);
  EXPECT_EQ(sonoma({"cache", "verify"}).exit_code, 0);
  EXPECT_EQ(document({"cache", "prune"}).at("removed_files"), 0);
}

TEST_F(CacheCommand, AFullDiskBehindStandardOutputIsAnError) {
  for (const std::string arguments :
       {"cache path", "explain --n 4 --json", "emit --n 4", "--help"}) {
    const CommandResult result = run_command(
        {"/bin/sh", "-c", std::string(SONOMA_COMMAND) + " " + arguments + " >/dev/full"},
        {"SONOMA_CACHE_DIR=" + cache()});
    EXPECT_EQ(result.exit_code, 3) << arguments;
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
  }
}

TEST_F(CacheCommand, ListsWhatRunsLeave) {
  fill();
  const json kernels = document({"cache", "ls"}).at("kernels");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].at("kind"), "host");
  EXPECT_GT(kernels[0].at("bytes"), 0);
  EXPECT_EQ(document({"cache", "ls"}).at("texts").size(), 2u);
  EXPECT_NE(sonoma({"cache", "ls"}).out.find("2 kernels, 2 texts"), std::string::npos);
  // A second process of the same sizes compiles nothing.
  fill();
  EXPECT_EQ(document({"cache", "ls"}).at("kernels").size(), 2u);
}

TEST_F(CacheCommand, VerifyFindsDamageAndPruneRemovesIt) {
  fill();
  const std::string path = document({"cache", "ls"}).at("kernels")[0].at("path");
  std::string bytes = read_text(path);
  bytes[bytes.size() / 2] ^= 1;
  write_text(path, bytes);
  const CommandResult result = sonoma({"cache", "verify"});
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_NE(result.out.find(path), std::string::npos) << result.out;
  EXPECT_GE(document({"cache", "prune"}).at("removed_files"), 1);
  EXPECT_EQ(sonoma({"cache", "verify"}).exit_code, 0);
  EXPECT_EQ(document({"cache", "ls"}).at("kernels").size(), 1u);
}

TEST_F(CacheCommand, PruneToZeroEmptiesIt) {
  fill();
  EXPECT_EQ(document({"cache", "prune", "--keep-mib", "0"}).at("kept_bytes"), 0);
  EXPECT_EQ(document({"cache", "ls"}).at("kernels").size(), 0u);
}

}  // namespace
}  // namespace sonoma::tests
