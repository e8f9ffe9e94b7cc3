// emit and explain: text only, no GPU and no compiler needed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

std::string output_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SONOMA_COMMAND);
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Emit, PrintsAKernel) {
  const std::string text = output_of({"emit", "--n", "4096", "--radix", "16", "--arch", "sm_90"});
  EXPECT_TRUE(contains(text, "extern \"C\" __global__"));
  EXPECT_TRUE(contains(text, "(gs 16 (gs 16 (dft 16)))"));
  EXPECT_EQ(text, output_of({"emit", "--n", "4096", "--radix", "16", "--form", "kernel"}));
}

TEST(Emit, EveryOptionReachesTheText) {
  const std::string plain = output_of({"emit", "--n", "256", "--engine", "mma"});
  const std::vector<std::vector<std::string>> variants = {
      {"--radix", "4"},     {"--decomposition", "(gs 4 (gs 4 (dft 16)))"},
      {"--engine", "simt"}, {"--engine", "mma", "--products", "4"},
      {"--arch", "sm_75"},  {"--inverse"},
      {"--scale", "0.5"},   {"--norm", "forward"},
  };
  for (const auto& variant : variants) {
    std::vector<std::string> arguments = {"emit", "--n", "256"};
    if (variant[0] != "--engine") arguments.insert(arguments.end(), {"--engine", "mma"});
    arguments.insert(arguments.end(), variant.begin(), variant.end());
    EXPECT_NE(output_of(arguments), plain) << variant[0];
  }
  EXPECT_EQ(output_of({"emit", "--n", "256", "--engine", "mma", "--norm", "backward"}), plain);
  EXPECT_EQ(output_of({"emit", "--n", "256", "--decomposition", "(gs 16 (dft 16))"}),
            output_of({"emit", "--n", "256", "--radix", "16"}));
}

TEST(Emit, PrimesHaveTwoMethods) {
  const std::vector<std::string> request = {"explain", "--n", "1009", "--method"};
  const auto by = [&](const char* method) {
    auto arguments = request;
    arguments.emplace_back(method);
    return output_of(arguments);
  };
  EXPECT_TRUE(contains(by("rader"), "by two transforms of 1008 points in one kernel"));
  EXPECT_TRUE(contains(by("bluestein"), "by two transforms of 2048 points in one kernel"));
  const CommandResult composite =
      run_command({SONOMA_COMMAND, "emit", "--n", "15", "--method", "rader"});
  EXPECT_NE(composite.exit_code, 0);
  EXPECT_TRUE(contains(composite.err, "bluestein for n = 15")) << composite.err;
}

// A kernel's first lines are the command that made it.
void expect_reproduced(const std::string& text) {
  const std::string start = "// sonoma emit ";
  ASSERT_TRUE(text.starts_with(start));
  std::string command = text.substr(start.size(), text.find("\n//\n") - start.size());
  const std::string next = "\n//";
  for (auto at = command.find(next); at != std::string::npos; at = command.find(next)) {
    command.erase(at, next.size());
  }
  const CommandResult again = run_command({"/bin/sh", "-c", SONOMA_COMMAND " emit " + command});
  EXPECT_EQ(again.exit_code, 0) << command << again.err;
  EXPECT_EQ(again.out, text) << command;
}

TEST(Emit, TheHeaderReproducesTheKernel) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--n", "512"},
           {"--n", "16384", "--batch", "1", "--arch", "sm_90"},
           {"--n", "65536", "--batch", "1", "--pass", "1", "--arch", "sm_90"},
           {"--n", "65536", "--batch", "1", "--pass", "2", "--arch", "sm_90"},
           {"--shape", "512x512", "--batch", "256", "--arch", "sm_90"},
           {"--shape", "64x64x64", "--batch", "256", "--arch", "sm_90"},
           {"--shape", "1024x1024", "--batch", "64", "--arch", "sm_90"},
           {"--n", "65219", "--batch", "1000", "--arch",
            "sm_90"},                                              // two passes, as their tile says
           {"--n", "85995", "--batch", "800", "--arch", "sm_90"},  // of which each has its laps
           {"--n", "33124", "--fused", "1", "--columns", "13", "--arch", "sm_90"},
           {"--n", "33124", "--fused", "1", "--points-per-thread", "28", "--arch", "sm_90"},
           {"--shape", "2048x2048", "--pass", "1", "--arch", "sm_90"},
           {"--shape", "2048x2048", "--pass", "2", "--arch", "sm_90"},
           {"--shape", "210x120", "--domain", "r2c", "--batch", "1", "--arch", "sm_90"},
           {"--shape", "324x96", "--domain", "c2r", "--batch", "1", "--arch", "sm_90"},
           {"--shape", "125x125", "--batch", "1", "--pass", "1", "--arch", "sm_90"},
           {"--shape", "125x125", "--batch", "1", "--pass", "2", "--arch", "sm_90"},
           {"--shape", "1024x64", "--domain", "r2c", "--batch", "1", "--pass", "2", "--arch",
            "sm_90"},
           {"--n", "191", "--batch", "20", "--arch", "sm_90"},
           {"--n", "1009", "--method", "rader", "--scale", "0.1"},
           {"--n", "64", "--radix", "4", "--engine", "simt", "--inverse", "--scale", "0.1"},
           {"--n", "32", "--engine", "mma", "--arch", "sm_75", "--in-place", "--norm", "ortho"}}) {
    std::vector<std::string> arguments = {"emit"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_reproduced(output_of(arguments));
  }
}

// Of every launch: columns, axes of arrays, padded and cropped, real, of filters, fused.
TEST(Emit, TheHeaderReproducesKernelsWithLoops) {
  for (const std::string request :
       {"--array 8x256x256x3 --axes 1,2",
        "--array 2x5x4x7 --axes 0,2",
        "--shape 480x640",
        "--array 4x6x10 --axes 0,2 --domain r2c",
        "--array 4x64x10 --axes 1 --domain c2r",
        "--array 4x6x10 --axes 2,0 --shape 12x3 --in-place",
        "--array 4x6x10 --axes 1,0 --domain dct2",
        "--array 2x65536x5 --axes 1 --precision f16",
        "--array 2x65536x5 --axes 1 --domain r2c",
        "--shape 480x640 --in-length 400x600 --out-length 300x500",
        "--shape 480x640 --domain c2r",
        "--shape 100x100x64 --convolution real",
        "--shape 512x512 --convolution real --channels 3",
        "--array 2x12x16x3 --axes 1,2 --convolution complex",
        "--n 64 --convolution real --channels 3:70:40",
        "--n 64 --convolution real --loops 4:64:64:33",
        "--n 1048576 --convolution real --channels 3",
        "--n 65536 --fused 1 --loops 3:65536:65536",
        "--n 65536 --fused 1 --in-dist 70000 --in-length 60000 --load-code value",
        "--n 65536 --fused 1 --accuracy simt64",
        "--n 1048576 --accuracy simt64",
        "--shape 48x64 --accuracy simt64",
        "--n 67 --accuracy simt64",
        "--n 8192 --precision f16 --accuracy packed --inverse --norm backward",
        "--n 8400 --precision f16 --accuracy packed --pass-lengths 60,70 --fused 1"}) {
    int pass = 1;
    for (; pass < 10; ++pass) {
      const CommandResult one = run_command({"/bin/sh", "-c",
                                             std::string(SONOMA_COMMAND " emit --arch sm_90 ") +
                                                 request + " --pass " + std::to_string(pass)});
      if (one.exit_code != 0) break;
      SCOPED_TRACE(request);
      expect_reproduced(one.out);
    }
    EXPECT_GT(pass, 1) << request;
  }
}

// Of two passes in one launch that are sections of a tree; the second has a choice of such.
TEST(Emit, TheHeaderOfFusedSectionsSaysTheirTree) {
  expect_reproduced(
      output_of({"emit", "--arch", "sm_90", "--n", "65536", "--pass-lengths", "256,256", "--fused",
                 "1", "--decomposition", "(gs 16 (gs 16 (gs 16 (dft 16))))"}));
  expect_reproduced(output_of({"emit", "--arch", "sm_90", "--n", "1048576", "--batch", "64",
                               "--precision", "f16", "--accuracy", "packed"}));
}

std::string kernel_in(const std::string& text) {
  return text.substr(text.find("// ===== the kernel ====="));
}

// The kernels that explain calls those of few transforms, and only where --batch says so.
TEST(Emit, ABatchHasItsKernels) {
  const std::vector<std::string> request = {"emit", "--arch", "sm_90", "--n"};
  const auto text = [&](const char* n, std::vector<std::string> more) {
    more.insert(more.begin(), n);
    more.insert(more.begin(), request.begin(), request.end());
    return output_of(more);
  };
  const std::string full = text("16384", {}), one = text("16384", {"--batch", "1"});
  EXPECT_TRUE(contains(full, " --rounds 2 ") && !contains(full, " --cluster "));
  EXPECT_TRUE(contains(one, " --cluster 8 ") && !contains(one, " --rounds "));
  EXPECT_EQ(text("16384", {"--batch", "4096"}), full);
  const std::string passes = text("262144", {"--batch", "1"});
  EXPECT_NE(passes, text("262144", {}));
  for (const char* pass : {"1", "2"}) {
    EXPECT_TRUE(contains(passes, kernel_in(text("262144", {"--batch", "1", "--pass", pass}))));
  }
}

TEST(Emit, KernelsOfAxesHaveNamesOfTheirOwn) {
  const std::string text = output_of({"emit", "--shape", "480x640", "--engine", "simt"});
  for (const char* part :
       {"// ===== launch 1: axis 1 of 480x640 =====", "// ===== launch 2: axis 0 of 480x640 =====",
        "\nsonoma_c2c_f32_n640_forward_simt_axis1(\n",
        "\nsonoma_c2c_f32_n480_forward_simt_axis0(\n"}) {
    EXPECT_TRUE(contains(text, part)) << part;
  }
  EXPECT_FALSE(contains(text, "_simt("));
  const std::string second =
      output_of({"emit", "--shape", "480x640", "--engine", "simt", "--pass", "2"});
  EXPECT_TRUE(contains(second, "columns side by side"));
}

// Their tunings are of the measured ones.
TEST(Emit, PassesAreThoseOfTheWhole) {
  const std::vector<std::string> request = {"emit", "--arch", "sm_90", "--n", "1048576"};
  const auto pass = [&](const char* number) {
    auto arguments = request;
    arguments.insert(arguments.end(), {"--pass", number});
    return output_of(arguments);
  };
  const std::string unit = output_of(request);
  for (const char* number : {"1", "2"}) EXPECT_TRUE(contains(unit, kernel_in(pass(number))));
}

TEST(Emit, WritesAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(output_of({"emit", "--n", "64", "--out", folder.file("k.cu")}), "");
  EXPECT_EQ(read_text(folder.path() / "k.cu"), output_of({"emit", "--n", "64"}));
  const CommandResult failed =
      run_command({SONOMA_COMMAND, "emit", "--n", "64", "--out", folder.file("no/k.cu")});
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_TRUE(contains(failed.err, "no/k.cu"));
}

TEST(Emit, AFullDiskIsAnError) {
  const CommandResult failed =
      run_command({SONOMA_COMMAND, "emit", "--n", "64", "--out", "/dev/full"});
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_TRUE(contains(failed.err, "/dev/full"));
}

TEST(Explain, TellsDecompositionCostsAndBounds) {
  const std::string text = output_of({"explain", "--n", "4096", "--radix", "16"});
  for (const char* part : {"(gs 16 (gs 16 (dft 16)))", "Schedule", "Kernel IR", "bank conflicts",
                           "error bound", "5 log2 n = 60 flops", "15.94 TFLOP/s", "binary"}) {
    EXPECT_TRUE(contains(text, part)) << part;
  }
}

TEST(Explain, TellsAxesFromPasses) {
  const std::vector<std::string> request = {"explain", "--shape", "48x1x262144", "--precision",
                                            "f16",     "--arch",  "sm_90"};
  const std::string text = output_of(request);
  for (const char* part :
       {"axis by axis: axis 2 (2 launches), then axis 0 (1 launch)",
        "in a workspace, in f32: 100663296 bytes a transform",
        "axis 2 of 48x1x262144: 262144 points, 48 times\n", "2-step: transforms of columns",
        "axis 0 of 48x1x262144: 48 points, 262144 times\n"}) {
    EXPECT_TRUE(contains(text, part)) << part;
  }
  auto with_json = request;
  with_json.emplace_back("--json");
  const auto document = nlohmann::json::parse(output_of(with_json));
  EXPECT_EQ(document.at("method"), "axis by axis");
  EXPECT_EQ(document.at("between_axes"), "workspace");
  const auto& axes = document.at("axes");
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].at("axis"), 2);
  EXPECT_EQ(axes[0].at("method"), "2-step");
  EXPECT_EQ(axes[0].at("launches").size(), 2u);
  EXPECT_EQ(axes[1].at("transforms"), 262144);
  EXPECT_EQ(axes[1].at("method"), "radix");
  EXPECT_TRUE(contains(output_of({"explain", "--shape", "8x67"}), "between them in the output"));
}

// What a plan takes for a batch that leaves multiprocessors idle.
TEST(Explain, TellsWhatFewTransformsTake) {
  const auto few = [](const char* batch) {
    const auto document = nlohmann::json::parse(
        output_of({"explain", "--n", "16384", "--batch", batch, "--arch", "sm_90", "--json"}));
    return document.at("few");
  };
  EXPECT_EQ(few("1").at("launches").at(0).at("tuning").at("cluster"), 8);
  EXPECT_TRUE(few("4096").is_null());
  EXPECT_TRUE(
      contains(output_of({"explain", "--n", "262144", "--arch", "sm_90"}), "Few transforms"));
}

TEST(Explain, JsonHasTheNumbers) {
  const auto document =
      nlohmann::json::parse(output_of({"explain", "--n", "1024", "--radix", "16", "--json"}));
  EXPECT_EQ(document.at("decomposition"), "(gs 16 (gs 16 (dft 4)))");
  EXPECT_EQ(document.at("target"), "sm_90");
  EXPECT_EQ(document.at("costs").at("nominal_flops"), 5 * 1024 * 10);
  EXPECT_EQ(document.at("costs").at("bytes_minimum"), 16 * 1024);
  EXPECT_GE(document.at("costs").at("bytes_moved"), 16 * 1024);
  EXPECT_EQ(document.at("costs").at("launches"), 1);
  EXPECT_EQ(document.at("roofline").at("locality_flops_per_element"), 50);
  EXPECT_NEAR(document.at("roofline").at("flops_per_second_bound"), 50 * 4.25e12 / 16, 1e6);
  const double bound = document.at("error_bound_u");
  EXPECT_GT(bound, 0.5);
  EXPECT_LT(bound, 1000);
  const auto& binary = document.at("binary");
  EXPECT_TRUE(binary.contains("missing") || binary.at("registers") > 0) << binary;
}

TEST(Explain, SaysWhatWasChosenAndWhy) {
  const std::vector<std::string> arguments = {"explain", "--n", "1024", "--accuracy", "split3"};
  EXPECT_TRUE(contains(output_of(arguments), "arithmetic     split3, relative L2 error at most"));
  auto with_json = arguments;
  with_json.emplace_back("--json");
  const auto document = nlohmann::json::parse(output_of(with_json));
  EXPECT_EQ(document.at("arithmetic"), "split3");
  EXPECT_NEAR(document.at("error_limit"), 2.8e-7, 1e-8);
  EXPECT_EQ(document.at("choice").at("engine"), "mma");
  EXPECT_TRUE(contains(output_of(arguments), document.at("reason")));
}

TEST(Explain, AnAccuracyThatNothingHasIsRefused) {
  const CommandResult result =
      run_command({SONOMA_COMMAND, "explain", "--n", "1024", "--accuracy", "1e-9"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err, "accuracy")) << result.err;
  EXPECT_TRUE(contains(result.err, "split3 2.8e-07")) << result.err;
}

// The bound is of the H200: no number for machines it was not measured on.
TEST(Explain, OtherTargetsHaveNoRoofline) {
  const auto document =
      nlohmann::json::parse(output_of({"explain", "--n", "64", "--arch", "sm_80", "--json"}));
  EXPECT_TRUE(document.at("roofline").is_null());
  EXPECT_EQ(document.at("target"), "sm_80");
}

}  // namespace
}  // namespace sonoma::tests
