// sonoma tune without a GPU: arguments, estimates, wisdom files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;

CommandResult tune(std::vector<std::string> arguments,
                   const std::vector<std::string>& environment = {"CUDA_VISIBLE_DEVICES="}) {
  arguments.insert(arguments.begin(), {SONOMA_COMMAND, "tune"});
  return run_command(arguments, environment);
}

void expect_rejected(const std::vector<std::string>& arguments, const std::string& named) {
  const CommandResult result = tune(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(named), std::string::npos) << result.err;
}

// Of an architecture that no wisdom is shipped for.
std::string entry(const std::string& arithmetic, const std::string& eff) {
  const std::string steps = arithmetic == "simt" ? "" : R"("tensor_steps":1,)";
  return R"json({"device":"NVIDIA A100","arch":"sm_80","driver":"13.0",)json"
         R"json("lengths":[64],"storage":"f32","arithmetic":")json" +
         arithmetic + R"json(","tuning":{"decomposition":"(gs 16 (dft 4))",)json" + steps +
         R"json("points_per_thread":16,"block_points":1024,"registers":88,)json"
         R"json("stage_load":false,"stage_store":false},"kernels":"0123456789abcdef","eff":)json" +
         eff + R"json(,"ms":0.25,"points":67108864,"rel_l2":1e-07,"date":"2026-11-21"})json";
}

std::string wisdom(const std::vector<std::string>& entries) {
  std::string text = "{\n\"format\": \"sonoma-wisdom\",\n\"version\": 2,\n\"entries\": [";
  for (std::size_t i = 0; i < entries.size(); ++i) text += (i == 0 ? "\n" : ",\n") + entries[i];
  return text + "\n]\n}\n";
}

TEST(TuneCommand, ArgumentsAreChecked) {
  expect_rejected({}, "--n (missing)");
  expect_rejected({"--n", "536870912"}, "--n 536870912");
  expect_rejected({"--suite", "pow3"}, "--suite pow3");
  expect_rejected({"--suite", "smooth", "--n", "64"}, "--suite");
  expect_rejected({"--n", "64,,128"}, "--n ''");
  expect_rejected({"--n", "64", "--precision", "f8"}, "--precision f8");
  expect_rejected({"--n", "64", "--effort", "some"}, "--effort some");
  expect_rejected({"--n", "64", "--accuracy", "split5"}, "--accuracy split5");
  expect_rejected({"--n", "64", "--engine", "tensor"}, "--engine tensor");
  expect_rejected({"--n", "64", "--accuracy", "simt", "--engine", "simt"}, "--accuracy");
  expect_rejected({"--n", "64", "--points", "12"}, "--points 12");
  expect_rejected({"--n", "64", "--effort", "estimate", "--arch", "sm_91"}, "91");
  expect_rejected({"--shape", "64x64", "--n", "64"}, "--shape");
  expect_rejected({"--shape", "64x"}, "--shape ''");
  expect_rejected({"--shape", "64x64", "--suite", "shapes"}, "--suite");
  expect_rejected({"--n", "64", "--domain", "c2c,r2r"}, "--domain r2r");
  expect_rejected({"--n", "64", "--convolution", "both"}, "--convolution both");
  expect_rejected({"--again", "--missing"}, "--again");
  expect_rejected({"--again", "--effort", "patient"}, "--again");
  expect_rejected({"--again", "--candidates", "5"}, "--again");
  expect_rejected({"--n", "64", "--seconds", "-1"}, "--seconds -1");
  expect_rejected({"--measure", "f", "--compile-only", "f"}, "--measure");
}

TEST(TuneCommand, MeasuringSaysThatItNeedsAGpu) {
  for (const char* what : {"--n=64", "--again"}) {
    const CommandResult result = tune({what});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("tune times a GPU (--effort estimate and --compile-only need none)"),
              std::string::npos)
        << result.err;
  }
}

TEST(TuneCommand, EstimatesWithoutAGpu) {
  const std::vector<std::string> arguments = {"--n",      "64,1024",    "--precision",
                                              "f32,f16",  "--accuracy", "simt,half",
                                              "--effort", "estimate",   "--json"};
  const CommandResult result = tune(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out);
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[3].at("n"), 1024);
  EXPECT_EQ(rows[3].at("storage"), "f32");
  EXPECT_EQ(rows[3].at("arithmetic"), "half");
  EXPECT_EQ(rows[4].at("storage"), "f16");
  for (const auto& row : rows) {
    EXPECT_GT(row.at("estimates").size(), 3u);
    for (const auto& candidate : row.at("estimates")) EXPECT_GT(candidate.at("eff"), 0.0);
  }
  EXPECT_EQ(tune(arguments).out, result.out);
  const CommandResult table = tune({"--n", "64", "--engine", "simt", "--effort", "estimate"});
  EXPECT_NE(table.out.find("engine=simt"), std::string::npos) << table.out;
  EXPECT_EQ(table.out.find("engine=mma"), std::string::npos) << table.out;
}

TEST(TuneCommand, EstimatesOfSeveralPasses) {
  const CommandResult result = tune({"--n", "65536,30030", "--effort", "estimate", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out);
  ASSERT_EQ(rows.size(), 2u) << "the engine simt alone";
  for (const auto& row : rows) {
    for (const auto& candidate : row.at("estimates")) {
      const json& tuning = candidate.at("tuning");
      EXPECT_TRUE(tuning.contains("cluster") || tuning.contains("pass_lengths")) << tuning;
    }
  }
}

TEST(TuneCommand, EstimatesOfTheirPartsOfShapes) {
  const auto sizes = [](const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"--effort", "estimate", "--engine", "simt", "--json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = tune(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> found;
    for (const json& row : json::parse(result.out)) {
      const std::string n = row.contains("lengths") ? row.at("lengths").dump() : row.at("n").dump();
      const json columns = row.value("side_by_side", json(0));
      found.push_back(row.at("domain").get<std::string>() + " " + n + "|" + columns.dump());
    }
    return found;
  };
  using Sizes = std::vector<std::string>;
  EXPECT_EQ(sizes({"--shape", "64x256,64x64"}), (Sizes{"c2c [64,256]|0", "c2c [64,64]|0"}));
  EXPECT_EQ(sizes({"--shape", "192x192,8x192x192"}),
            (Sizes{"c2c 192|0", "c2c 192|192", "c2c 8|36864"}))
      << "each part once";
  EXPECT_EQ(sizes({"--shape", "512x512", "--domain", "r2c,c2r"}),
            (Sizes{"r2c 512|0", "c2c 512|257", "c2r 512|0"}));
}

TEST(TuneCommand, ImportMergesAndExportWritesTheSame) {
  const TemporaryFolder folder;
  const std::string own = folder.file("deep/own.json");
  write_text(folder.path() / "a.json", wisdom({entry("simt", "0.9"), entry("split3", "0.8")}));
  write_text(folder.path() / "b.json", wisdom({entry("simt", "0.95")}));
  const CommandResult imported =
      tune({"--wisdom", own, "--import", folder.file("a.json"), folder.file("b.json")});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  const std::string merged = wisdom({entry("split3", "0.8"), entry("simt", "0.95")});
  EXPECT_EQ(read_text(own), merged);
  EXPECT_EQ(tune({"--wisdom", own, "--export", folder.file("c.json")}).exit_code, 0);
  EXPECT_EQ(read_text(folder.path() / "c.json"), merged);
  const CommandResult again = tune({"--import", folder.file("a.json")}, {"SONOMA_WISDOM=" + own});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(read_text(own), merged) << "a worse entry came in";
}

TEST(TuneCommand, BrokenAndMissingFilesAreErrors) {
  const TemporaryFolder folder;
  const std::string own = folder.file("own.json");
  write_text(folder.path() / "good.json", wisdom({entry("simt", "0.9")}));
  write_text(folder.path() / "bad.json", wisdom({entry("simt", "-1")}));
  const CommandResult bad =
      tune({"--wisdom", own, "--import", folder.file("good.json"), folder.file("bad.json")});
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_NE(bad.err.find("bad.json: wisdom: entries[0].eff"), std::string::npos) << bad.err;
  EXPECT_FALSE(std::filesystem::exists(own)) << "nothing is kept of a failed import";
  EXPECT_EQ(tune({"--wisdom", own, "--import", folder.file("none.json")}).exit_code, 3);
  EXPECT_EQ(tune({"--wisdom", own, "--export", folder.file("x.json")}).exit_code, 3);
  EXPECT_EQ(tune({"--wisdom", folder.file("bad.json"), "--show"}).exit_code, 3);
}

TEST(NextFastSizeCommand, FollowsTheWisdom) {
  const TemporaryFolder folder;
  const std::string own = folder.file("own.json");
  write_text(own, wisdom({entry("simt", "0.97")}));
  const CommandResult result =
      run_command({SONOMA_COMMAND, "next-fast-size", "--n", "61", "--arch", "sm_80", "--json"},
                  {"SONOMA_WISDOM=" + own, "CUDA_VISIBLE_DEVICES="});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(document.at("n"), 61);
  EXPECT_GE(document.at("fast"), 61);
  EXPECT_LE(document.at("fast"), 64);
  const CommandResult line =
      run_command({SONOMA_COMMAND, "next-fast-size", "--n", "64", "--arch", "sm_80"},
                  {"SONOMA_WISDOM=" + own, "CUDA_VISIBLE_DEVICES="});
  EXPECT_EQ(line.out, "64: measured at 0.97 of the speed of a copy\n");
  EXPECT_EQ(run_command({SONOMA_COMMAND, "next-fast-size"}).exit_code, 2);
  EXPECT_EQ(run_command({SONOMA_COMMAND, "next-fast-size", "--n", "0"}).exit_code, 2);
}

// Napa-FFT2's words.
TEST(ExplainCommand, NamesTheMethodOfSeveralPasses) {
  const auto method = [](const std::string& n, const std::string& option,
                         const std::string& value) {
    const CommandResult result =
        run_command({SONOMA_COMMAND, "explain", "--n", n, option, value, "--json"}, {});
    return json::parse(result.out).at("method").get<std::string>();
  };
  EXPECT_EQ(method("65536", "--fused", "0"), "2-step");
  EXPECT_EQ(method("65536", "--fused", "1"), "2-step fused");
  EXPECT_EQ(method("262144", "--pass-lengths", "64,64,64"), "2-step twice");
  EXPECT_EQ(method("1048576", "--pass-lengths", "32,32,32,32"), "2-step 3 times");
  EXPECT_EQ(method("1001", "--fused", "0"), "radix");
}

TEST(TuneCommand, ShowsWhatIsKnown) {
  const TemporaryFolder folder;
  const std::string own = folder.file("own.json");
  write_text(own, wisdom({entry("simt", "0.9")}));
  const CommandResult shown = tune({"--wisdom", own, "--show", "--n", "64"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(
      shown.out.find(
          "NVIDIA A100, CUDA 13.0, 2026-11-21, of kernels that have changed since: n=64 f32 simt"),
      std::string::npos)
      << shown.out;
  EXPECT_EQ(shown.out.find("n=128 "), std::string::npos) << shown.out;
  const auto entries = [&](std::vector<std::string> asked) {
    asked.insert(asked.end(), {"--wisdom", own, "--show", "--json"});
    const json document = json::parse(tune(asked).out);
    EXPECT_EQ(document.at("format"), "sonoma-wisdom");
    return document.at("entries").size();
  };
  EXPECT_GT(entries({}), 1000u);  // shipped
  EXPECT_EQ(entries({"--n", "64", "--arch", "sm_80"}), 1u);
  EXPECT_EQ(entries({"--n", "64", "--arch", "sm_80", "--precision", "f16"}), 0u);
}

// emit, explain and plans follow the same file.
TEST(TuneCommand, EmitAndExplainFollowTheWisdom) {
  const TemporaryFolder folder;
  const std::string own = folder.file("own.json");
  write_text(own, wisdom({entry("split3", "0.999")}));
  const std::vector<std::string> with = {"SONOMA_WISDOM=" + own};
  const auto explain = [&](const std::vector<std::string>& environment) {
    return json::parse(run_command({SONOMA_COMMAND, "explain", "--n", "64", "--arch", "sm_80",
                                    "--engine", "mma", "--json"},
                                   environment)
                           .out);
  };
  EXPECT_EQ(explain(with).at("choice").at("registers"), 88);
  EXPECT_NE(explain(with).at("reason").get<std::string>().find("measured on NVIDIA A100"),
            std::string::npos);
  EXPECT_NE(explain({}).at("choice").at("registers"), 88);
  const CommandResult emitted = run_command(
      {SONOMA_COMMAND, "emit", "--n", "64", "--arch", "sm_80", "--engine", "mma"}, with);
  EXPECT_NE(emitted.out.find("--registers 88"), std::string::npos);
  EXPECT_EQ(emitted.err, "");
  write_text(own, "nonsense");
  const CommandResult broken = run_command(
      {SONOMA_COMMAND, "emit", "--n", "64", "--arch", "sm_80", "--engine", "mma"}, with);
  EXPECT_EQ(broken.exit_code, 0);
  EXPECT_NE(broken.err.find(own), std::string::npos) << broken.err;
}

}  // namespace
}  // namespace sonoma::tests
