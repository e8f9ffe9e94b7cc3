// sonoma tune on a driver that only records: a second passes between any two events, and kernels do
// nothing, so that what comes out is what went in. NVRTC compiles them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;

class TuneOnFakeGpu : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_symlink(SONOMA_FAKE_DRIVER, folder_.path() / "libcuda.so.1");
  }

  CommandResult tune(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {SONOMA_COMMAND, "tune", "--wisdom", own_});
    const char* paths = std::getenv("LD_LIBRARY_PATH");
    return run_command(arguments, {"LD_LIBRARY_PATH=" + folder_.path().string() +
                                       (paths != nullptr ? std::string(":") + paths : ""),
                                   "SONOMA_CACHE_DIR=" + folder_.file("cache")});
  }

  TemporaryFolder folder_;
  std::string own_ = folder_.file("own.json");
};

std::string entry(const std::string& lengths, const std::string& registers) {
  return R"json({"device":"Fake GPU","arch":"sm_90","driver":"12.0","lengths":[)json" + lengths +
         R"json(],"storage":"f32","arithmetic":"simt","tuning":{"decomposition":"(dft 2)",)json"
         R"json("points_per_thread":8,"block_points":256,"registers":)json" +
         registers +
         R"json(,"stage_load":false,"stage_store":false},"kernels":"unknown","eff":0.9,"ms":0.25,)json"
         R"json("points":8192,"rel_l2":1e-07,"date":"2026-11-21"})json";
}

std::string wisdom(const std::vector<std::string>& entries) {
  std::string text = "{\n\"format\": \"sonoma-wisdom\",\n\"version\": 2,\n\"entries\": [";
  for (std::size_t i = 0; i < entries.size(); ++i) text += (i == 0 ? "\n" : ",\n") + entries[i];
  return text + "\n]\n}\n";
}

TEST_F(TuneOnFakeGpu, AgainTimesWhatTheFileHasAndKeepsNothingThatIsWrong) {
  const std::string text = wisdom({entry("2", "32"), entry("4", "32")});
  write_text(own_, text);
  const CommandResult result = tune({"--again", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("n"), 2);
  EXPECT_EQ(rows[0].at("timed"), 1) << "the entry's own kernel alone";
  EXPECT_EQ(rows[1].at("n"), 4);
  EXPECT_EQ(rows[1].at("timed"), 1) << "the defaults: no tree of 2 points is one of 4";
  EXPECT_EQ(rows[1].at("candidates"), 2);
  EXPECT_NE(result.err.find("above the limit"), std::string::npos) << result.err;
  EXPECT_EQ(read_text(own_), text);
}

// Each part of a plan is a search of its own.
TEST_F(TuneOnFakeGpu, EachPartOfAShapeIsSearched) {
  const CommandResult result =
      tune({"--shape", "2x3", "--domain", "dct2", "--points", "13", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("n"), 3);
  EXPECT_EQ(rows[1].at("n"), 2);
  EXPECT_EQ(rows[1].at("side_by_side"), 3);
  for (const json& row : rows) {
    EXPECT_EQ(row.at("domain"), "dct2");
    EXPECT_EQ(row.at("timed"), row.at("candidates"));
  }
  EXPECT_FALSE(std::filesystem::exists(own_)) << "nothing that is wrong is kept";
}

TEST_F(TuneOnFakeGpu, WhatIsKnownIsNoSearchOfWhatIsMissing) {
  write_text(own_, wisdom({entry("2", "32")}));
  const CommandResult result = tune({"--n", "2", "--engine", "simt", "--missing", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out), json::array());
}

TEST_F(TuneOnFakeGpu, ColumnsAndConvolutionsAreTimedAgain) {
  const auto of_4 = [](const std::string& field) {
    std::string text = entry("4", "32");
    for (const auto& [from, to] : {std::pair<std::string, std::string>("(dft 2)", "(dft 4)"),
                                   {"\"simt\",", "\"simt\"," + field + ","}}) {
      text.replace(text.find(from), from.size(), to);
    }
    return text;
  };
  write_text(own_, wisdom({of_4(R"("side_by_side":64)"), of_4(R"("convolution":"complex")")}));
  const CommandResult result = tune({"--again", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out);
  ASSERT_EQ(rows.size(), 2u) << result.err;
  EXPECT_EQ(rows[0].at("convolution"), "complex");
  EXPECT_EQ(rows[1].at("side_by_side"), 64);
  for (const json& row : rows) EXPECT_GE(row.at("timed"), 1) << row;
  const CommandResult columns = tune({"--again", "--convolution", "real"});
  EXPECT_EQ(columns.exit_code, 2) << "there are none";
}

TEST_F(TuneOnFakeGpu, AgainIsOfWhatIsAskedFor) {
  write_text(own_, wisdom({entry("2", "32"), entry("4", "32")}));
  const auto count = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--again", "--json"});
    const CommandResult result = tune(arguments);
    return result.exit_code == 0 ? json::parse(result.out).size() : 0;
  };
  EXPECT_EQ(count({"--n", "2"}), 1u);
  EXPECT_EQ(count({"--accuracy", "simt", "--precision", "f32"}), 2u);
  EXPECT_EQ(count({"--precision", "f16"}), 0u);
  const CommandResult nothing = tune({"--again", "--engine", "mma"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_NE(nothing.err.find("nothing that was asked for is known"), std::string::npos)
      << nothing.err;
}

}  // namespace
}  // namespace sonoma::tests
