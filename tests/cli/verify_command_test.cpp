#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"
#include "sonoma/verify/metrics.hpp"

namespace sonoma::tests {
namespace {

TEST(VerifyCommand, JudgesARange) {
  const CommandResult result =
      run_command({SONOMA_COMMAND, "verify", "--n", "2..8", "--device", "cpu"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  for (const char* n : {"n=2 ", "n=4 ", "n=8 "}) {
    EXPECT_NE(result.out.find(n), std::string::npos) << result.out;
  }
  EXPECT_EQ(result.err, "");
}

TEST(VerifyCommand, JsonListsEveryEngineAndRadix) {
  const CommandResult result =
      run_command({SONOMA_COMMAND, "verify", "--n", "16", "--device", "cpu", "--engine", "all",
                   "--radix", "all", "--inverse", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto document = nlohmann::json::parse(result.out);
  EXPECT_EQ(document.at("pass"), true);
  const auto& transforms = document.at("transforms");
  ASSERT_EQ(transforms.size(), 8u);
  EXPECT_EQ(transforms[0].at("engine"), "mma");
  EXPECT_EQ(transforms[0].at("decomposition"), "(gs 2 (gs 2 (gs 2 (dft 2))))");
  EXPECT_EQ(transforms[7].at("engine"), "simt");
  EXPECT_EQ(transforms[7].at("decomposition"), "(dft 16)");
  for (const auto& transform : transforms) {
    EXPECT_EQ(transform.at("direction"), "inverse");
    EXPECT_EQ(transform.at("device"), "cpu");
    EXPECT_GT(transform.at("rel_l2_u"), 0.1);
    EXPECT_LE(transform.at("rel_l2_u"), verification::e2_limit(16));
    EXPECT_GT(transform.at("findings").size(), 20u);
  }
}

}  // namespace
}  // namespace sonoma::tests
