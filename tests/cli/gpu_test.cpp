// The command on a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "npy.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/program.hpp"
#include "sonoma/verify/inputs.hpp"
#include "sonoma/verify/metrics.hpp"

namespace sonoma::tests {
namespace {

class CommandOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU";
  }
};

TEST_F(CommandOnGpu, RunGivesTheEmulatedDevicesBits) {
  const TemporaryFolder folder;
  cli::save_npy(folder.file("in.npy"), {{3, 1024}, verification::normal_row(3 * 1024, 5)});
  for (const std::string engine : {"mma", "simt"}) {
    for (const std::string device : {"gpu", "cpu"}) {
      const CommandResult result =
          run_command({SONOMA_COMMAND, "run", "--input", folder.file("in.npy"), "--output",
                       folder.file(device + ".npy"), "--device", device, "--engine", engine});
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
    EXPECT_EQ(read_text(folder.path() / "gpu.npy"), read_text(folder.path() / "cpu.npy")) << engine;
  }
}

TEST_F(CommandOnGpu, VerifyPasses) {
  const CommandResult result = run_command(
      {SONOMA_COMMAND, "verify", "--n", "2..8192", "--device", "gpu", "--engine", "all"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(CommandOnGpu, VerifyPassesForLayoutsAndEnds) {
  using Words = std::vector<std::string>;
  for (const Words& more : {Words{"--in-stride", "3", "--out-dist", "9000"},
                            Words{"--out-stride", "5", "--out-dist", "1", "--batch", "5"},
                            Words{"--in-length", "200", "--out-length", "201"},
                            Words{"--precision", "i16,bf16", "--scale", "0.125"}}) {
    Words words = {SONOMA_COMMAND, "verify", "--n", "256,360,1009,8192", "--device", "gpu"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = run_command(words);
    EXPECT_EQ(result.exit_code, 0) << more[0] << " " << result.out << result.err;
  }
}

TEST_F(CommandOnGpu, VerifyPassesForEveryKind) {
  using Words = std::vector<std::string>;
  for (const Words& more :
       {Words{"--n", "105,2048,4096", "--domain", "r2c"},
        Words{"--n", "105,2048,4096", "--domain", "c2r"},
        Words{"--n", "17,1000", "--domain", "dct1"}, Words{"--n", "15,1000", "--domain", "dst2"},
        Words{"--n", "12,1000", "--domain", "dct3"}, Words{"--n", "9,1000", "--domain", "dst4"},
        Words{"--n", "64,1000,4096", "--convolution", "complex"},
        Words{"--n", "64,1000,4096", "--correlation", "real"},
        Words{"--n", "64,1000,65536", "--convolution", "real", "--channels", "5"},
        Words{"--shape", "48x60", "--correlation", "complex", "--channels", "3"},
        Words{"--array", "4x48x60x3,2x256x128x5", "--axes", "1,2"},
        Words{"--array", "6x100x64", "--axes", "0,1", "--domain", "r2c"},
        Words{"--shape", "60x100", "--pass-lengths", "100,60"},
        Words{"--shape", "64x64", "--precision", "f32,f16"},
        Words{"--shape", "256x320", "--in-length", "200x300"},
        Words{"--shape", "64x64", "--domain", "r2c"},
        Words{"--shape", "12x10x16", "--domain", "c2r"}}) {
    Words words = {SONOMA_COMMAND, "verify", "--device", "gpu"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = run_command(words);
    EXPECT_EQ(result.exit_code, 0) << more[1] << " " << more[3] << result.out << result.err;
  }
}

TEST_F(CommandOnGpu, BenchTimesEveryLengthAndChecksIt) {
  const TemporaryFolder folder;
  const CommandResult result =
      run_command({SONOMA_COMMAND, "bench", "--n", "2..8192", "--points", "16", "--vs", "copy",
                   "--repeat", "3", "--json", "--csv", folder.file("rows.csv")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out).at("results");
  ASSERT_EQ(rows.size(), 13u * 4);
  for (const auto& row : rows) {
    EXPECT_GT(row.at("ms"), 0) << row;
    if (row.at("lib") == "copy") continue;
    const std::int64_t n = std::stoll(row.at("dims").get<std::string>());
    EXPECT_LE(row.at("relL2"), verification::e2_limit(n) * verification::kUnitRoundoff) << row;
    EXPECT_GT(row.at("relL2"), 0) << row;
  }
  const std::string csv = read_text(folder.path() / "rows.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 13 * 4);
}

// Also cuFFT, where there is one: a damaged input would show in its error.
TEST_F(CommandOnGpu, BenchTimesRealTransforms) {
  for (const std::string domain : {"r2c", "c2r"}) {
    for (const std::string vs : {"copy", "cufft"}) {
      const CommandResult result =
          run_command({SONOMA_COMMAND, "bench", "--domain", domain, "--shape", "4096,100,64x128",
                       "--points", "16", "--vs", vs, "--repeat", "3", "--json"});
      if (vs == "cufft" && result.err.find("cuFFT: neither") != std::string::npos) continue;
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const auto rows = nlohmann::json::parse(result.out).at("results");
      EXPECT_GE(rows.size(), 3u * (vs == "copy" ? 3 : 4)) << result.err;
      for (const auto& row : rows) {
        EXPECT_EQ(row.at("type"), domain + " f32");
        EXPECT_LT(row.at("relL2"), 1e-6) << row;  // 0 for the copy
      }
    }
  }
}

// The three calls with cuFFT, where there is one, make the same.
TEST_F(CommandOnGpu, BenchTimesConvolutions) {
  for (const std::string values : {"complex", "real"}) {
    const CommandResult result =
        run_command({SONOMA_COMMAND, "bench", "--convolution", values, "--n", "64,1000,4096",
                     "--points", "16", "--repeat", "3", "--json"});
    if (result.err.find("cuFFT: neither") != std::string::npos) GTEST_SKIP() << "no cuFFT";
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto rows = nlohmann::json::parse(result.out).at("results");
    std::size_t by_calls = 0;
    for (const auto& row : rows) {
      by_calls += row.at("lib") == "cufft+product" ? 1 : 0;
      EXPECT_LT(row.at("relL2"), 2e-6) << row;  // 0 for the copy
    }
    EXPECT_EQ(by_calls, 3u) << result.err;
  }
}

TEST_F(CommandOnGpu, BenchTimesSingleTransforms) {
  const CommandResult result = run_command({SONOMA_COMMAND, "bench", "--suite", "single", "--n",
                                            "256..512", "--vs", "copy", "--repeat", "3", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out).at("results");
  ASSERT_EQ(rows.size(), 2u * 4);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("batch"), 1);
    EXPECT_GT(row.at("ms"), 0) << row;
    EXPECT_LT(row.at("ms"), 1) << row;  // microseconds, not those of a hundred launches
  }
}

TEST_F(CommandOnGpu, BenchTimesPlans) {
  const CommandResult result =
      run_command({SONOMA_COMMAND, "bench", "--suite", "plan", "--n", "256", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out).at("results");
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& row : rows) {
    EXPECT_GT(row.at("cold_ms"), row.at("warm_ms")) << row;  // compiled, and found on disk
    EXPECT_GT(row.at("nvrtc_ms"), 0) << row;
    EXPECT_GT(row.at("warm_ms"), 0) << row;
    EXPECT_EQ(row.at("kernels"), 1) << row;
  }
}

// A storage that some contender does not serve yet is left out with a note.
TEST_F(CommandOnGpu, BenchHasAllStorages) {
  const CommandResult result =
      run_command({SONOMA_COMMAND, "bench", "--precision", "f16,bf16", "--n", "64", "--points",
                   "16", "--vs", "copy", "--repeat", "3", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out).at("results");
  std::size_t left_out = 0;
  for (auto at = result.err.find("left out"); at != std::string::npos; ++left_out) {
    at = result.err.find("left out", at + 1);
  }
  EXPECT_EQ(rows.size() + left_out, 2u * 4 + 1) << result.err;  // f16 packed too
  for (const auto& row : rows) {
    if (row.at("lib") == "copy") continue;
    FftProblem problem;
    problem.lengths = {64};
    problem.storage = row.at("type") == "f16" ? Storage::f16 : Storage::bf16;
    PlanOptions options;
    if (row.at("lib") == "sonoma-mma") options.tuning.engine = Engine::mma;
    if (row.at("lib") == "sonoma-simt") options.tuning.engine = Engine::simt;
    if (row.at("lib") == "sonoma-packed") problem.accuracy.arithmetic = Arithmetic::packed;
    EXPECT_GT(row.at("relL2"), 0) << row;
    EXPECT_LE(row.at("relL2"), error_limit(make_plan(problem, options).program())) << row;
  }
}

}  // namespace
}  // namespace sonoma::tests
