// sonoma tune in two halves: --compile-only needs no GPU; --measure on a driver that only records,
// on which a second passes between any two events and kernels do nothing, so that none is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

namespace fs = std::filesystem;

class TuneInHalves : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(driver_);
    fs::create_symlink(SONOMA_FAKE_DRIVER, driver_ / "libcuda.so.1");
  }

  [[nodiscard]] CommandResult tune(std::vector<std::string> arguments, bool with_gpu,
                                   const std::string& more = "SONOMA_LOG=warn") const {
    arguments.insert(arguments.begin(), {SONOMA_COMMAND, "tune", "--wisdom", wisdom_});
    const char* paths = std::getenv("LD_LIBRARY_PATH");
    std::string path = paths != nullptr ? paths : "";
    if (with_gpu) path = driver_.string() + ":" + path;
    return run_command(
        arguments, {"LD_LIBRARY_PATH=" + path, "SONOMA_CACHE_DIR=" + folder_.file("cache"), more});
  }
  [[nodiscard]] CommandResult compile(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(),
                     {"--compile-only", tuned_, "--engine", "simt", "--points", "13"});
    return tune(arguments, false);
  }
  [[nodiscard]] CommandResult measure(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.end(), {"--measure", tuned_});
    return tune(arguments, true);
  }
  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& file : fs::directory_iterator(tuned_ + "/kernels")) {
      all[file.path().filename()] = read_text(file.path());
    }
    return all;
  }
  [[nodiscard]] std::string rows() const { return read_text(tuned_ + "/measurements.csv"); }

  TemporaryFolder folder_;
  fs::path driver_ = folder_.path() / "driver";
  std::string tuned_ = folder_.file("tuned"), wisdom_ = folder_.file("own.json");
};

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST_F(TuneInHalves, CompilingGoesOnWhereItStoppedAndAdds) {
  const CommandResult first = compile({"--n", "6,10", "--candidates", "2"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("2 subjects (0 of them were there)"), std::string::npos) << first.out;
  const auto before = files();
  ASSERT_EQ(before.size(), 2u);
  const CommandResult second = compile({"--n", "6,10", "--candidates", "2"});
  EXPECT_NE(second.out.find("2 subjects (2 of them were there)"), std::string::npos) << second.out;
  const std::string six = before.begin()->first, ten = std::next(before.begin())->first;
  fs::remove(tuned_ + "/kernels/" + six);
  fs::resize_file(tuned_ + "/kernels/" + ten, 700);
  const CommandResult third = compile({"--n", "6,10", "--candidates", "2"});
  EXPECT_NE(third.out.find("2 subjects (0 of them were there)"), std::string::npos) << third.out;
  EXPECT_EQ(files(), before) << "to the byte";
  const CommandResult more = compile({"--n", "10,12", "--candidates", "0"});
  EXPECT_NE(more.out.find("2 subjects (1 of them were there)"), std::string::npos)
      << "what is there is kept, also candidates that are not asked for: " << more.out;
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(TuneInHalves, MeasuresWhatWasCompiledOnce) {
  ASSERT_EQ(compile({"--n", "6", "--candidates", "2"}).exit_code, 0);
  const CommandResult first = measure();
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::string after = rows();
  const std::size_t candidates = count(after, ",first,");
  EXPECT_GE(candidates, 3u);
  EXPECT_EQ(count(after, ",final,"), candidates);
  EXPECT_EQ(count(after, ",failed,"), candidates) << "nothing that is wrong is taken";
  EXPECT_EQ(count(after, "Fake GPU"), 3 * candidates);
  EXPECT_NE(first.out.find("measurements.csv"), std::string::npos) << first.out;
  EXPECT_FALSE(fs::exists(wisdom_));
  ASSERT_EQ(compile({"--n", "10", "--candidates", "1"}).exit_code, 0);
  const CommandResult second = measure({"--json"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(rows().substr(0, after.size()), after);
  EXPECT_GT(rows().size(), after.size()) << "the new length";
  EXPECT_EQ(count(rows(), ",6,,"), 3 * candidates) << "and that alone";
  EXPECT_EQ(nlohmann::json::parse(second.out).size(), 2u);
}

// Every process ends in its fifth launch: so do all kernels, each twice when it runs alone.
TEST_F(TuneInHalves, KernelsThatEndTheProcessAreRows) {
  ASSERT_EQ(compile({"--n", "6", "--candidates", "1"}).exit_code, 0);
  const CommandResult result =
      tune({"--measure", tuned_}, true, "SONOMA_FAKE_DRIVER_LAST_LAUNCH=5");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::size_t failed = count(rows(), "processes ended while this kernel ran alone");
  EXPECT_GE(failed, 2u);
  EXPECT_EQ(count(result.err, "another process goes on"), 1 + 2 * failed) << result.err;
  EXPECT_EQ(count(rows(), ",first,"), 0u);
  const CommandResult always =
      tune({"--measure", tuned_, "--json"}, true, "SONOMA_FAKE_DRIVER_LAST_LAUNCH=1");
  EXPECT_EQ(always.exit_code, 0) << "nothing runs: " << always.err;
}

TEST_F(TuneInHalves, StopsWhenTheTimeIsOver) {
  ASSERT_EQ(compile({"--n", "6,10", "--candidates", "1"}).exit_code, 0);
  const CommandResult result = measure({"--seconds", "1e-9"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("the time is over; 2 subjects are left"), std::string::npos)
      << result.out;
}

TEST_F(TuneInHalves, RefusalsSayTheWayOut) {
  const auto expect_refused = [](const CommandResult& result, int code, const std::string& word) {
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
  };
  expect_refused(measure(), 2, "--compile-only");
  ASSERT_EQ(compile({"--n", "6", "--candidates", "0", "--arch", "sm_80"}).exit_code, 0);
  expect_refused(measure(), 3, "--arch sm_90");
  expect_refused(measure({"--n", "6"}), 2, "--measure");
  expect_refused(measure({"--seconds", "0"}), 2, "--seconds 0");
  expect_refused(compile({"--n", "6", "--candidates", "some"}), 2, "--candidates some");
  expect_refused(compile({"--n", "6", "--seconds", "3"}), 2, "--seconds");
  expect_refused(tune({"--measure", tuned_}, false), 3, "tune times a GPU");
}

}  // namespace
}  // namespace sonoma::tests
