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

// A list of precisions times a list of accuracies.
TEST(VerifyCommand, JudgesPrecisionsAndAccuracies) {
  const CommandResult result =
      run_command({SONOMA_COMMAND, "verify", "--n", "16", "--device", "cpu", "--precision",
                   "f32,f16,bf16", "--accuracy", "half,simt", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto transforms = nlohmann::json::parse(result.out).at("transforms");
  ASSERT_EQ(transforms.size(), 6u);
  const double f16_v = 8192, bf16_v = 65536;  // unit roundoffs in u
  const auto limit = [&](std::size_t i) {
    return transforms[i].at("rel_l2_limit_u").get<double>();
  };
  EXPECT_EQ(transforms[2].at("precision"), "f16");
  EXPECT_EQ(transforms[2].at("arithmetic"), "half");
  EXPECT_EQ(transforms[5].at("precision"), "bf16");
  EXPECT_EQ(transforms[5].at("arithmetic"), "simt");
  EXPECT_EQ(limit(1), verification::e2_limit(16));
  EXPECT_GT(limit(2), limit(3));
  EXPECT_NEAR(limit(3), f16_v, 0.01 * f16_v);
  EXPECT_NEAR(limit(5), bf16_v, 0.01 * bf16_v);
  for (const auto& transform : transforms) {
    EXPECT_LE(transform.at("rel_l2_u"), transform.at("rel_l2_limit_u"));
    EXPECT_LE(transform.at("rel_l2_u"), transform.at("error_bound_u"));
  }
}

// Kernels on the emulated device against each oracle: what double precision errs does not show.
TEST(VerifyCommand, OraclesAgree) {
  using Words = std::vector<std::string>;
  for (const Words& more : {Words{"--n", "16,60,64,257"}, Words{"--n", "48", "--domain", "r2c"},
                            Words{"--n", "20", "--domain", "dct4"}, Words{"--shape", "6x10"},
                            Words{"--n", "32", "--convolution", "real"}}) {
    nlohmann::json found;
    for (const std::string oracle : {"fftw", "fftw-long", "mpfr"}) {
      Words words = {SONOMA_COMMAND, "verify", "--device", "cpu", "--json", "--reference", oracle};
      words.insert(words.end(), more.begin(), more.end());
      const CommandResult result = run_command(words);
      ASSERT_EQ(result.exit_code, 0) << more[1] << oracle << result.out << result.err;
      const auto report = nlohmann::json::parse(result.out);
      for (const auto& transform : report.at("transforms")) {
        EXPECT_EQ(transform.at("reference"), oracle);
        found[transform.at("n").dump()].push_back(transform.at("rel_l2_u"));
      }
    }
    for (const auto& [n, errors] : found.items()) {
      ASSERT_EQ(errors.size(), 3u);
      EXPECT_NEAR(errors[0], errors[2], 1e-6) << n;
      EXPECT_NEAR(errors[1], errors[2], 1e-7) << n;
    }
  }
}

// The picture, and the numbers that are in it.
TEST(VerifyCommand, PlotsErrorsBesideCufft) {
  const TemporaryFolder folder;
  write_text(folder.path() / "rows.csv",
             "lib,type,dims,batch,place,ms,copy_ms,eff,relL2,workspace,gpu,cuda,commit,date\n"
             "cufft,f32,16,4,out,1,1,1,1.1920929e-07,0,NVIDIA H200,13.0,1234567,2026-11-25\n");
  const auto plot_to = [&](const std::string& name, const std::string& rows) {
    return run_command({SONOMA_COMMAND, "verify", "4,16", "--engine", "all", "--device", "cpu",
                        "--json", "--beside", folder.file(rows), "--plot", folder.file(name)});
  };
  const CommandResult result = plot_to("errors.svg", "rows.csv");
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto transforms = nlohmann::json::parse(result.out).at("transforms");
  EXPECT_FALSE(transforms[0].contains("cufft_rel_l2_u"));
  EXPECT_NEAR(transforms[3].at("cufft_rel_l2_u"), 2.0, 1e-6);
  const std::string picture = read_text(folder.path() / "errors.svg");
  for (const char* words :
       {"measured, mma", "expected, simt", "bound, mma", "cuFFT, recorded", "sqrt(log2 n)",
        "emulated device; cuFFT: NVIDIA H200, CUDA 13.0, 2026-11-25"}) {
    EXPECT_NE(picture.find(words), std::string::npos) << words;
  }
  (void)plot_to("again.svg", "rows.csv");
  EXPECT_TRUE(picture == read_text(folder.path() / "again.svg"));
  EXPECT_EQ(plot_to("errors.pdf", "rows.csv").exit_code, 2);
  EXPECT_EQ(plot_to("no/errors.svg", "rows.csv").exit_code, 3);
  EXPECT_EQ(plot_to("errors.svg", "none.csv").exit_code, 3);
  EXPECT_EQ(plot_to("errors.svg", "errors.svg").exit_code, 2);
}

// Strides, gaps, transforms side by side, padding and cropping, integers.
TEST(VerifyCommand, JudgesLayoutsAndEnds) {
  using Words = std::vector<std::string>;
  for (const Words& more : {
           Words{"--in-stride", "3", "--out-dist", "70"},
           Words{"--in-stride", "5", "--in-dist", "1", "--batch", "5"},
           Words{"--in-length", "40", "--out-length", "33"},
           Words{"--in-length", "90", "--in-dist", "91", "--out-dist", "91", "--in-place"},
           Words{"--precision", "i16,f16", "--scale", "0.125"},
           Words{"--precision", "f32", "--out-precision", "i16"},
       }) {
    Words words = {SONOMA_COMMAND, "verify", "--n", "60,64", "--device", "cpu", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = run_command(words);
    ASSERT_EQ(result.exit_code, 0) << more[0] << more[1] << result.out << result.err;
    const auto transforms = nlohmann::json::parse(result.out).at("transforms");
    for (const auto& transform : transforms) {
      const auto& last = transform.at("findings").back();
      EXPECT_EQ(last.at("check"), "memory") << transform;
      EXPECT_EQ(last.at("value"), 0) << transform;
    }
  }
}

// Axes that could share a launch, one after the other: passes as long as they are.
TEST(VerifyCommand, JudgesAxesByThemselves) {
  using Words = std::vector<std::string>;
  for (const Words& more :
       {Words{"--shape", "12x10", "--pass-lengths", "10,12"},
        Words{"--shape", "8x16", "--pass-lengths", "16,8"},
        Words{"--shape", "8x6x10", "--pass-lengths", "10,6,8"},
        Words{"--shape", "8x1x12", "--pass-lengths", "12,8"},
        Words{"--shape", "8x16", "--domain", "r2c", "--pass-lengths", "16,8"},
        Words{"--shape", "8x16", "--domain", "c2r", "--pass-lengths", "8,16"},
        Words{"--shape", "8x6", "--convolution", "complex", "--pass-lengths", "6,8"}}) {
    Words words = {SONOMA_COMMAND, "verify", "--device", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = run_command(words);
    EXPECT_EQ(result.exit_code, 0) << more[1] << result.out << result.err;
    words[1] = "explain", words[2] = "--arch", words[3] = "sm_90";
    EXPECT_NE(run_command(words).out.find("axis by axis: "), std::string::npos) << more[1];
  }
  const CommandResult wrong =
      run_command({SONOMA_COMMAND, "explain", "--shape", "12x10", "--pass-lengths", "12,10"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("each axis, the last one first"), std::string::npos) << wrong.err;
}

TEST(VerifyCommand, BadListsAreBadArguments) {
  const auto error_of = [](const std::string& option, const std::string& value) {
    const auto result = run_command({SONOMA_COMMAND, "verify", "--n", "16", option, value});
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_NE(error_of("--precision", "f16,f64").find("--precision f64"), std::string::npos);
  EXPECT_NE(error_of("--precision", "f16,").find("--precision ''"), std::string::npos);
  EXPECT_NE(error_of("--accuracy", "half,all").find("--accuracy all"), std::string::npos);
  EXPECT_NE(error_of("--reference", "cufft").find("fftw, fftw-long or mpfr"), std::string::npos);
  EXPECT_NE(error_of("--out-dist", "1").find("--batch"), std::string::npos);
  EXPECT_NE(error_of("--in-dist", "1").find("keep the transforms apart"), std::string::npos);
  const auto far = run_command({SONOMA_COMMAND, "verify", "--n", "16,8209", "--reference", "mpfr"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_NE(far.err.find("more than 2^24 products"), std::string::npos) << far.err;
  EXPECT_EQ(far.out, "");
}

}  // namespace
}  // namespace sonoma::tests
