// sonoma bench without a GPU: its arguments, and recorded rows shown again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

const std::string rows =
    "lib,type,dims,batch,place,ms,copy_ms,eff,relL2,workspace,gpu,cuda,commit,date\n"
    "copy,f32,64,1048576,out,0.25600,0.25600,1.000,0,0,NVIDIA H200,13.0,abc1234,2026-11-20\n"
    "sonoma,f32,64,1048576,out,0.32000,0.25600,0.800,1.85e-07,0,NVIDIA H200,13.0,abc1234,"
    "2026-11-20\n";

CommandResult bench(std::vector<std::string> arguments,
                    const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {SONOMA_COMMAND, "bench"});
  return run_command(arguments, environment);
}

void expect_rejected(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& named) {
  const CommandResult result = bench(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  for (const auto& part : named) {
    EXPECT_NE(result.err.find(part), std::string::npos) << "lacks " << part << ": " << result.err;
  }
}

TEST(BenchCommand, ArgumentsAreChecked) {
  expect_rejected({"--suite", "all"}, {"--suite", "all", "pow2", "single", "plan"});
  expect_rejected({"--precision", "f8"}, {"--precision", "f8", "f32, f16, bf16 or i16"});
  expect_rejected({"--precision", "f32,,f16"}, {"--precision", "''"});
  expect_rejected({"--n", "1..1"}, {"--n 1..1", "2..2^26"});
  expect_rejected({"--n", "64..16"}, {"--n 64..16"});
  expect_rejected({"--n", "2..200000000"}, {"--n 200000000", "2^26"});
  expect_rejected({"--n", "2.."}, {"--n"});
  expect_rejected({"--suite", "single", "--points", "20"}, {"--points", "20", "pow2"});
  expect_rejected({"--points", "12"}, {"--points 12", "13 to 30"});
  expect_rejected({"--domain", "r2r"}, {"--domain r2r", "c2c, r2c, c2r, dct1"});
  expect_rejected({"--domain", "dct2", "--vs", "cufft"}, {"--vs cufft", "copy with --domain dct2"});
  expect_rejected({"--domain", "r2c", "--n", "64", "--out-dist", "32"}, {"out_dist", "33 or more"});
  expect_rejected({"--from", "x.csv", "--domain", "r2c"}, {"--from", "--domain"});
  expect_rejected({"--repeat", "-1"}, {"--repeat -1"});
  expect_rejected({"--vs", "vkfft"}, {"--vs vkfft", "cufft"});
  expect_rejected({"--suite", "single", "--batch", "20"}, {"--batch", "20", "pow2"});
  expect_rejected({"--batch", "0"}, {"--batch", "0", "positive"});
  expect_rejected({"--batch", "3", "--points", "20"}, {"--batch", "--points"});
  expect_rejected({"--suite", "columns", "--in-stride", "3"}, {"--suite", "columns", "single"});
  expect_rejected({"--suite", "plan", "--in-length", "3"}, {"--suite", "plan", "single"});
  expect_rejected({"--suite", "columns", "--loops", "3:64:64"}, {"--suite", "columns", "single"});
  expect_rejected({"--n", "64", "--channels", "3"}, {"--channels 3", "--convolution"});
  expect_rejected({"--n", "64", "--convolution", "real", "--loops", "3:64:64:33", "--in-dist",
                   "192", "--out-dist", "192"},
                  {"--loops 3:64:64:33", "fourth"});
  expect_rejected({"--n", "64", "--shape", "8x8"}, {"--n", "--shape"});
  expect_rejected({"--shape", "8x8,8x"}, {"--shape ''", "256x256"});
  expect_rejected({"--shape", "8192x16384"}, {"--shape 8192x16384", "--points"});
  expect_rejected({"--shape", "1099511627776x1099511627776"}, {"--shape 10995", "2^40 points"});
  expect_rejected({"--suite", "2d", "--n", "64"}, {"--n 64", "--shape"});
  expect_rejected({"--suite", "columns", "--shape", "8x8"}, {"--suite columns", "--shape"});
  expect_rejected({"--suite", "plan", "--shape", "8x8"}, {"--suite plan", "--shape"});
  expect_rejected({"--n", "64", "--out-dist", "63"}, {"out_dist", "63", "64 or more"});
  expect_rejected({"--from", "x.csv", "--in-stride", "3"}, {"--from", "--in-stride"});
  expect_rejected({"--suite", "plan", "--plot", "x.png"}, {"--plot x.png", "plan"});
  expect_rejected({"--suite", "plan", "--vs", "copy"}, {"--vs copy", "plan"});
  expect_rejected({"--suite", "plan", "--repeat", "3"}, {"--repeat 3", "plan", "median"});
  expect_rejected({"--from", "x.csv", "--suite", "pow2"}, {"--from", "--suite"});
  expect_rejected({"--from", "x.csv", "--n", "16"}, {"--from", "--n"});
}

TEST(BenchCommand, SuitesOfExecutionSayThatTheyNeedAGpu) {
  for (const std::string suite : {"pow2", "single"}) {
    const CommandResult result =
        bench({"--suite", suite, "--vs", "copy"}, {"CUDA_VISIBLE_DEVICES="});
    EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("bench times a GPU"), std::string::npos) << result.err;
  }
}

TEST(BenchCommand, RecordedRowsArePrintedAgain) {
  const TemporaryFolder folder;
  write_text(folder.path() / "rows.csv", rows);
  const CommandResult result = bench({"--from", folder.file("rows.csv")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("NVIDIA H200, CUDA 13.0, commit abc1234, 2026-11-20"),
            std::string::npos);
  for (const char* part : {"320.000", "0.800", "3355.4", "6291.5", "1.85e-07"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
}

TEST(BenchCommand, RowsOfRealSidesKeepTheirColumns) {
  const TemporaryFolder folder;
  std::string real = rows;
  for (auto at = real.find(",f32,"); at != std::string::npos; at = real.find(",f32,")) {
    real.replace(at, 5, ",r2c f32,");
  }
  write_text(folder.path() / "rows.csv", real);
  const CommandResult result = bench({"--from", folder.file("rows.csv")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("\ntype          n "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\nr2c f32      64 "), std::string::npos) << result.out;
}

TEST(BenchCommand, RecordedFilesBecomeOneCsvAndOneJson) {
  const TemporaryFolder folder;
  write_text(folder.path() / "a.csv", rows);
  write_text(folder.path() / "b.csv", rows);
  const CommandResult result = bench({"--from", folder.file("a.csv"), folder.file("b.csv"), "--csv",
                                      folder.file("both.csv"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_text(folder.path() / "both.csv"), rows + rows.substr(rows.find('\n') + 1));
  const auto results = nlohmann::json::parse(result.out).at("results");
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[1].at("lib"), "sonoma");
  EXPECT_EQ(results[1].at("gpu"), "NVIDIA H200");
  EXPECT_EQ(results[1].at("dims"), "64");
  EXPECT_DOUBLE_EQ(results[1].at("eff"), 0.8);
  EXPECT_NEAR(results[1].at("gb_per_s"), 3355.4, 0.1);
}

TEST(BenchCommand, RecordedRowsArePlotted) {
  const TemporaryFolder folder;
  write_text(folder.path() / "rows.csv", rows);
  const CommandResult result =
      bench({"--from", folder.file("rows.csv"), "--plot", folder.file("plot.png")});
  if (result.err.find("libcairo") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_text(folder.path() / "plot.png").substr(1, 3), "PNG");
  EXPECT_EQ(
      bench({"--from", folder.file("rows.csv"), "--plot", folder.file("no/plot.png")}).exit_code,
      3);
  for (const char* name : {"plot.svg", "again.svg"}) {
    EXPECT_EQ(bench({"--from", folder.file("rows.csv"), "--plot", folder.file(name)}).exit_code, 0);
  }
  EXPECT_TRUE(read_text(folder.path() / "plot.svg") == read_text(folder.path() / "again.svg"));
  EXPECT_EQ(
      bench({"--from", folder.file("rows.csv"), "--plot", folder.file("no/plot.svg")}).exit_code,
      3);
  const CommandResult other =
      bench({"--from", folder.file("rows.csv"), "--plot", folder.file("plot.pdf")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("file.svg"), std::string::npos) << other.err;
}

TEST(BenchCommand, BadFilesAreNamedWithTheirLine) {
  const TemporaryFolder folder;
  write_text(folder.path() / "rows.csv", rows + "sonoma,f32\n");
  expect_rejected({"--from", folder.file("rows.csv")}, {"--from", "rows.csv", "line 4"});
  const CommandResult missing = bench({"--from", folder.file("none.csv")});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_NE(missing.err.find("none.csv"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace sonoma::tests
