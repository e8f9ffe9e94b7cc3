// The benchmark from end to end on a driver and a cuFFT that only record: a second passes between
// any two events, kernels do nothing. NVRTC compiles them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;

class BenchOnFakeGpu : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_symlink(SONOMA_FAKE_DRIVER, folder_.path() / "libcuda.so.1");
    std::filesystem::create_symlink(SONOMA_FAKE_CUFFT, folder_.path() / "libcufft.so.12");
  }

  json rows(std::vector<std::string> arguments) {
    const char* paths = std::getenv("LD_LIBRARY_PATH");
    return rows(std::move(arguments), "LD_LIBRARY_PATH=" + folder_.path().string() +
                                          (paths != nullptr ? std::string(":") + paths : ""));
  }

  CommandResult command(std::vector<std::string> arguments) {
    const char* paths = std::getenv("LD_LIBRARY_PATH");
    arguments.insert(arguments.begin(), SONOMA_COMMAND);
    return run_command(arguments, {"LD_LIBRARY_PATH=" + folder_.path().string() +
                                       (paths != nullptr ? std::string(":") + paths : ""),
                                   "SONOMA_CACHE_DIR=" + folder_.file("cache")});
  }

  json rows(std::vector<std::string> arguments, const std::string& environment) {
    arguments.insert(arguments.begin(), {SONOMA_COMMAND, "bench", "--json"});
    const CommandResult result =
        run_command(arguments, {environment, "SONOMA_CACHE_DIR=" + folder_.file("cache")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    notes_ = result.err;
    return result.exit_code == 0 ? json::parse(result.out).at("results") : json();
  }

  TemporaryFolder folder_;
  std::string notes_;
};

std::vector<std::string> libs(const json& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.at("lib"));
  return names;
}

const std::vector<std::string> everybody = {"copy", "sonoma", "sonoma-mma", "sonoma-simt", "cufft"};

// That a launch moves.
float gigabytes(const json& row) {
  return row.at("gb_per_s").get<float>() * row.at("ms").get<float>() / 1000;
}

TEST_F(BenchOnFakeGpu, EverybodyIsTimedAndJudged) {
  const json result =
      rows({"--n", "64", "--points", "13", "--repeat", "2", "--csv", folder_.file("rows.csv")});
  ASSERT_EQ(libs(result), everybody) << notes_;
  for (const auto& row : result) {
    EXPECT_EQ(row.at("batch"), 128);
    EXPECT_EQ(row.at("ms"), 1000 / 100);
    EXPECT_EQ(row.at("copy_ms"), 1000 / 100);
    EXPECT_EQ(row.at("gpu"), "Fake GPU");
    const bool copies = row.at("lib") == "copy";  // and nobody else transforms
    EXPECT_EQ(row.at("relL2") > 0.5, !copies) << row;
  }
  EXPECT_EQ(result[4].at("workspace"), 64 * 128 * 8 / 2);
  const std::string csv = read_text(folder_.path() / "rows.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6) << csv;
}

// Beside what the planner chooses.
TEST_F(BenchOnFakeGpu, ATuningThatIsAskedForIsARow) {
  const std::vector<std::string> run = {"--n", "64", "--points", "13", "--repeat", "1"};
  auto tuned = run;
  tuned.insert(tuned.end(), {"--engine", "simt", "--registers", "40"});
  EXPECT_EQ(libs(rows(tuned)),
            (std::vector<std::string>{"copy", "sonoma", "sonoma-tuned", "cufft"}))
      << notes_;
  tuned.insert(tuned.begin(), "bench");
  tuned.back() = "9";  // registers
  const CommandResult refused = command(tuned);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("sonoma-tuned: registers = 9"), std::string::npos) << refused.err;
}

TEST_F(BenchOnFakeGpu, AnEditedKernelIsARow) {
  const std::string file = folder_.file("k.cu");
  ASSERT_EQ(command({"emit", "64", "--engine", "simt", "--arch", "sm_90", "--out", file}).exit_code,
            0);
  write_text(file, read_text(file) + "// edited\n");
  EXPECT_EQ(libs(rows({"--kernel", file, "--points", "13", "--repeat", "1", "--vs", "copy"})),
            (std::vector<std::string>{"copy", "sonoma", "sonoma-tuned", "sonoma-edited"}))
      << notes_;
  const CommandResult other = command({"bench", "--kernel", file, "--n", "128", "--vs", "copy"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("the plan launches"), std::string::npos) << other.err;
}

// A second passes between any two events: the two take as long.
TEST_F(BenchOnFakeGpu, TwoTuningsAreTimedInTurns) {
  const CommandResult result = command({"compare", "64", "--batch", "128", "--engine", "simt",
                                        "--repeat", "9", "--json", "--", "--engine", "mma"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json verdict = json::parse(result.out).at("verdict");
  EXPECT_EQ(verdict.at("verdict"), "no difference beyond noise");
  EXPECT_EQ(verdict.at("repetitions"), 9);
  EXPECT_EQ(verdict.at("ratio").at("low"), 1);
  EXPECT_EQ(verdict.at("ratio").at("high"), 1);
  EXPECT_EQ(verdict.at("a").at("ms"), 1000 / 100);
  EXPECT_EQ(verdict.at("a").at("eff"), 1);
}

TEST_F(BenchOnFakeGpu, LayoutsAndEndsAreNamedInTheRows) {
  const std::vector<std::string> short_run = {"--n", "64", "--batch", "7", "--repeat", "1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), short_run.begin(), short_run.end());
    return rows(more);
  };
  const json strided = with({"--in-stride", "3", "--out-dist", "70"});
  const std::vector<std::string> both = {"copy", "sonoma", "sonoma-mma", "sonoma-simt"};
  std::vector<std::string> with_cufft = both;
  with_cufft.emplace_back("cufft");
  EXPECT_EQ(libs(strided), with_cufft) << notes_;
  for (const auto& row : strided) {
    EXPECT_EQ(row.at("batch"), 7);
    EXPECT_EQ(row.at("place"), "out in 3,n out 1,70");
  }
  const json padded = with({"--in-length", "40", "--precision", "i16", "--out-precision", "f32"});
  EXPECT_EQ(libs(padded), both) << notes_;
  for (const auto& row : padded) {
    EXPECT_EQ(row.at("type"), "i16 to f32");
    EXPECT_EQ(row.at("place"), "out ends: in 40");
    EXPECT_FLOAT_EQ(gigabytes(row), static_cast<float>(12.0 * 64 * 7 / 1e9));
  }
}

TEST_F(BenchOnFakeGpu, AxesAreTimedLikeOne) {
  const json result = rows({"--shape", "16x8,8x4x4", "--points", "13", "--repeat", "1"});
  ASSERT_EQ(result.size(), 10u) << notes_;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(result[i].at("lib"), everybody[i % 5]);
    EXPECT_EQ(result[i].at("dims"), i < 5 ? "16x8" : "8x4x4");
    EXPECT_EQ(result[i].at("batch"), 64);
    EXPECT_EQ(result[i].at("place"), "out");
    EXPECT_FLOAT_EQ(gigabytes(result[i]), static_cast<float>(16.0 * (1 << 13) / 1e9));
    EXPECT_EQ(result[i].at("relL2") > 0.5, i % 5 != 0) << result[i];
  }
  // One at a time, halves beside cuFFT's; many launches share the time.
  const json cubes = rows({"--suite", "3d", "--shape", "4x4x4", "--batch", "1", "--repeat", "1",
                           "--precision", "f16,bf16"});
  std::size_t of_cufft = 0;
  for (const auto& row : cubes) {
    EXPECT_EQ(row.at("dims"), "4x4x4");
    EXPECT_EQ(row.at("batch"), 1);
    EXPECT_DOUBLE_EQ(row.at("ms"), 1000.0 / 33);
    of_cufft += row.at("lib") == "cufft" ? 1 : 0;
  }
  EXPECT_EQ(of_cufft, 2u) << notes_;
}

// Three calls do the same: a transform, a product, the inverse.
TEST_F(BenchOnFakeGpu, ConvolutionsAreTimedBesideCufftWithAProduct) {
  for (const std::string values : {"complex", "real"}) {
    const json result =
        rows({"--convolution", values, "--n", "64", "--points", "13", "--repeat", "1"});
    const auto who = libs(result);
    EXPECT_EQ(std::count(who.begin(), who.end(), "cufft+product"), 1) << notes_;
    EXPECT_EQ(std::count(who.begin(), who.end(), "cufft"), 0) << notes_;
    for (const auto& row : result) {
      EXPECT_EQ(row.at("type"), values == "real" ? "real-convolution f32" : "convolution f32");
      if (row.at("lib") != "cufft+product") continue;
      EXPECT_TRUE(row.at("relL2").is_number()) << row;
      EXPECT_GE(row.at("workspace"), (values == "real" ? 33 : 64) * 128 * 8) << row;
    }
  }
}

// The axes of an array, repeated to the points; cuFFT takes each loop but the innermost by itself.
TEST_F(BenchOnFakeGpu, ArraysAreTimed) {
  const json result =
      rows({"--array", "2x8x16x3", "--axes", "1,2", "--points", "13", "--repeat", "1"});
  const auto who = libs(result);
  EXPECT_EQ(std::count(who.begin(), who.end(), "cufft"), 1) << notes_;
  for (const auto& row : result) {
    EXPECT_EQ(row.at("dims"), "8x16");
    EXPECT_EQ(row.at("batch"), 2 * 3 * (8192 / 768));
    EXPECT_EQ(row.at("place"), "out in 48:3,384 out 48:3,384 loops 3:1:1");
    EXPECT_EQ(row.at("relL2") > 0.5, row.at("lib") != "copy") << row;
  }
  const json one =
      rows({"--array", "2x8x16x3", "--axes", "1,2", "--suite", "single", "--repeat", "1"});
  ASSERT_EQ(one.size(), result.size()) << notes_;
  EXPECT_EQ(one[0].at("batch"), 6);
  // Cropped, which it does not.
  const json cropped = rows({"--array", "2x8x16x3", "--axes", "1", "--n", "6", "--repeat", "1",
                             "--points", "13", "--precision", "f32,f16"});
  for (const auto& row : cropped) EXPECT_NE(row.at("lib"), "cufft");
  EXPECT_NE(notes_.find("left out: cufft: "), std::string::npos) << notes_;
}

TEST_F(BenchOnFakeGpu, ChannelsAreTimed) {
  const json result = rows(
      {"--convolution", "real", "--channels", "4", "--n", "64", "--points", "13", "--repeat", "1"});
  EXPECT_NE(notes_.find("left out: cufft+product: "), std::string::npos) << notes_;
  ASSERT_GE(result.size(), 2u) << notes_;
  for (const auto& row : result) {
    EXPECT_EQ(row.at("type"), "4-channel real-convolution f32");
    EXPECT_EQ(row.at("batch"), 8192 / 256);
    EXPECT_TRUE(row.at("relL2").is_number()) << row;
    EXPECT_FLOAT_EQ(gigabytes(row), static_cast<float>(4.0 * 64 * (4 + 1) * 32 / 1e9));
  }
}

// cuFFT has none of them.
TEST_F(BenchOnFakeGpu, CosinesAreTimedBesideTheCopy) {
  const json result = rows({"--domain", "dct2", "--n", "64", "--points", "13", "--repeat", "2"});
  EXPECT_GE(result.size(), 2u);
  for (const auto& row : result) {
    EXPECT_EQ(row.at("type"), "dct2 f32");
    EXPECT_NE(row.at("lib"), "cufft");
    EXPECT_FLOAT_EQ(gigabytes(row), static_cast<float>(4 * (64 + 64) * 128 / 1e9));
  }
}

TEST_F(BenchOnFakeGpu, RealSidesAreTimedLikeComplexOnes) {
  for (const std::string domain : {"r2c", "c2r"}) {
    const json result = rows({"--domain", domain, "--shape", "16x8,8x4x4", "--points", "13",
                              "--repeat", "2", "--precision", "f32,f16"});
    std::size_t of_cufft = 0;
    for (const auto& row : result) {
      const bool wide = row.at("type") == domain + " f32";
      EXPECT_TRUE(wide || row.at("type") == domain + " f16") << row;
      EXPECT_EQ(row.at("batch"), 64);
      const double frequencies = row.at("dims") == "16x8" ? 16 * 5 : 32 * 3;
      EXPECT_FLOAT_EQ(gigabytes(row),
                      static_cast<float>((wide ? 4 : 2) * (128 + 2 * frequencies) * 64 / 1e9));
      of_cufft += row.at("lib") == "cufft" ? 1 : 0;
      // A number also of cuFFT, which left NaNs in its input whenever it was timed.
      ASSERT_TRUE(row.at("relL2").is_number()) << row;
      EXPECT_EQ(row.at("relL2") > 0.5, row.at("lib") != "copy") << row;
    }
    EXPECT_EQ(of_cufft, 4u) << notes_;
    EXPECT_GE(result.size(), 12u) << notes_;
  }
}

TEST_F(BenchOnFakeGpu, ShortLaunchesShareTheTimeBetweenTwoEvents) {
  const json result = rows({"--suite", "single", "--n", "64..128", "--repeat", "2"});
  ASSERT_EQ(result.size(), 10u) << notes_;
  for (const auto& row : result) EXPECT_EQ(row.at("ms"), 1000 / 100) << row;
}

TEST_F(BenchOnFakeGpu, PlansAreTimedInFreshProcesses) {
  const json result = rows({"--suite", "plan", "--n", "64,2097152"});
  ASSERT_EQ(result.size(), 6u) << notes_;
  for (const auto& row : result) {
    EXPECT_GT(row.at("cold_ms"), row.at("warm_ms")) << row;  // compiled, and found on disk
    EXPECT_GT(row.at("nvrtc_ms"), 0) << row;
    EXPECT_GT(row.at("warm_ms"), 0) << row;
    EXPECT_EQ(row.at("launches"), row.at("n") == 64 ? 1 : 2) << row;
    EXPECT_EQ(row.at("kernels"), row.at("launches")) << row;
    EXPECT_EQ(row.at("gpu"), "Fake GPU");
  }
  EXPECT_EQ(result[0].at("type"), "f32");
  EXPECT_EQ(result[5].at("type"), "bf16");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cache"));  // they have their own
}

TEST_F(BenchOnFakeGpu, WithoutAGpuPlansAreCompiledAndNotLoaded) {
  const json result =
      rows({"--suite", "plan", "--n", "64,1000003", "--precision", "f32"}, "CUDA_VISIBLE_DEVICES=");
  ASSERT_EQ(result.size(), 2u) << notes_;
  for (const auto& row : result) {
    EXPECT_GT(row.at("cold_ms"), row.at("warm_ms")) << row;
    EXPECT_GT(row.at("nvrtc_ms"), 0) << row;
    EXPECT_EQ(row.at("gpu"), "none, for sm_90");
  }
  EXPECT_EQ(result[1].at("launches"), 3);
}

TEST_F(BenchOnFakeGpu, CufftIsLeftOutOnRequest) {
  const json result = rows({"--n", "64", "--points", "13", "--repeat", "1", "--vs", "copy"});
  EXPECT_EQ(libs(result), std::vector<std::string>(everybody.begin(), everybody.end() - 1));
}

// Every storage moves its own number of bytes.
TEST_F(BenchOnFakeGpu, StoragesFollowEachOther) {
  const json result =
      rows({"--n", "64", "--points", "13", "--repeat", "1", "--precision", "f16,bf16,f32"});
  std::vector<std::string> types;
  for (const auto& row : result) {
    if (row.at("lib") != "copy") continue;
    types.push_back(row.at("type"));
    const double bytes = 2.0 * 64 * 128 * (types.back() == "f32" ? 8 : 4);
    EXPECT_FLOAT_EQ(gigabytes(row), static_cast<float>(bytes / 1e9)) << row;
  }
  EXPECT_EQ(types, (std::vector<std::string>{"f16", "bf16", "f32"}));
  EXPECT_EQ(
      result.size() + static_cast<std::size_t>(std::count(notes_.begin(), notes_.end(), '\n')), 16u)
      << notes_;
}

}  // namespace
}  // namespace sonoma::tests
