// What compare, explain and the help say about plans, and about wrong words.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "run_array.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;

CommandResult sonoma(const std::string& words) {
  std::vector<std::string> arguments = split(words);
  arguments.insert(arguments.begin(), SONOMA_COMMAND);
  return run_command(arguments, {"CUDA_VISIBLE_DEVICES="});
}

std::string output_of(const std::string& words) {
  const CommandResult result = sonoma(words);
  EXPECT_EQ(result.exit_code, 0) << words << result.err;
  return result.out;
}

void expect_has(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "lacks " << part << ": " << text;
  }
}

void expect_error(const std::string& words, const std::vector<std::string>& parts) {
  const CommandResult result = sonoma(words);
  EXPECT_EQ(result.exit_code, 2) << words << result.err;
  EXPECT_EQ(result.out, "") << words;
  expect_has(result.err, parts);
}

// ---- compare

TEST(Compare, ShowsBothSides) {
  const std::string text =
      output_of("compare 1024 --engine simt --arch sm_90 -- --engine simt --radix 4");
  expect_has(text, {"decomposition", "A (gs", "B (gs 4 (gs 4 (gs 4 (gs 4 (dft 4)))))", "occupancy",
                    "warps", "predicted          B takes", "measured           not: "});
}

TEST(Compare, JsonHasBothSidesAndTheVerdict) {
  const json document =
      json::parse(output_of("compare 1024 --engine simt --arch sm_90 --json --diff -- --radix 4 "
                            "--engine simt"));
  const json &a = document.at("a"), &b = document.at("b");
  EXPECT_EQ(a.at("request").at("lengths"), json({1024}));
  EXPECT_EQ(b.at("request"), a.at("request"));  // its options say nothing about it
  const json& pass = b.at("launches").at(0).at("passes").at(0);
  EXPECT_EQ(pass.at("choice").at("engine"), "simt");
  EXPECT_EQ(pass.at("choice").at("decomposition"), "(gs 4 (gs 4 (gs 4 (gs 4 (dft 4)))))");
  EXPECT_GT(a.at("predicted").at("eff"), 0.1);
  EXPECT_GT(a.at("launches").at(0).at("occupancy").at("blocks"), 0);
  const json& verdict = document.at("verdict");
  EXPECT_NEAR(verdict.at("predicted_ratio").get<double>(),
              a.at("predicted").at("eff").get<double>() / b.at("predicted").at("eff").get<double>(),
              1e-9);
  EXPECT_TRUE(verdict.contains("not_measured"));
  EXPECT_FALSE(document.at("differences").at("schedule").at("only_b").empty());
}

TEST(Compare, SaysWhatDiffers) {
  const std::string same =
      output_of("compare 64 --engine simt --arch sm_90 --diff -- --engine simt");
  expect_has(same, {"The schedule (- A, + B)\nthe same", "The text (- A, + B)\nthe same"});
  const std::string other =
      output_of("compare 64 --engine simt --arch sm_90 --diff -- --engine simt --radix 2");
  expect_has(other, {"-   step 1: radix ", "+   step 1: radix 2, butterflies in registers"});
}

TEST(Compare, OtherLengthsAreComparedByTheirBytes) {
  const json document = json::parse(output_of("compare 64 --arch sm_90 -- --n 100 --json"));
  EXPECT_EQ(document.at("b").at("request").at("lengths"), json({100}));
  expect_error("compare 64 -- --radix two", {"--radix two"});
  expect_error("compare 64 -- --registres 3", {"options of B", "--registres"});
}

// ---- explain

TEST(Explain, TellsTheOccupancyAndWhatLimitsIt) {
  expect_has(output_of("explain 1024 --engine simt --arch sm_90"),
             {"occupancy      ", " warps (", "limited by ", "room by threads "});
  const json document =
      json::parse(output_of("explain 1024 --engine simt --arch sm_90 --json")).at("occupancy");
  const json& room = document.at("blocks_by");
  unsigned least = 1000;
  for (const char* name : {"threads", "blocks", "registers", "shared_memory"}) {
    least = std::min(least, room.at(name).get<unsigned>());
  }
  EXPECT_EQ(document.at("blocks"), least);
  EXPECT_FALSE(document.at("limiters").empty());
}

// No string holds a printed value: one line each, and nothing that is parsed again.
void expect_plain_strings(const json& value) {
  if (value.is_structured()) {
    for (const json& one : value) expect_plain_strings(one);
  } else if (value.is_string()) {
    EXPECT_EQ(value.get<std::string>().find('\n'), std::string::npos) << value;
    EXPECT_EQ(value.get<std::string>().find("registers "), std::string::npos) << value;
  }
}

TEST(Explain, JsonIsStructured) {
  for (const std::string request :
       {"1024 --engine mma", "1000", "1009", "65536 --batch 1", "--shape 48x1x262144",
        "--n 3000 --domain r2c", "--n 64 --convolution real --channels 3"}) {
    const json document = json::parse(output_of("explain --json --arch sm_90 " + request));
    expect_plain_strings(document);
    EXPECT_TRUE(document.at("asked").at("lengths").is_array());
  }
  const json document = json::parse(output_of("explain --json --arch sm_90 4096 --engine simt"));
  const json &schedule = document.at("schedule"), &ops = document.at("kernel_ir");
  // A layout is a bijection on the digits.
  for (const json& phase : schedule.at("phases")) {
    std::vector<unsigned> digits = phase.at("in").at("registers");
    const std::vector<unsigned> threads = phase.at("in").at("threads");
    digits.insert(digits.end(), threads.begin(), threads.end());
    std::sort(digits.begin(), digits.end());
    ASSERT_EQ(digits.size(), schedule.at("digits").size());
    for (unsigned id = 0; id < digits.size(); ++id) EXPECT_EQ(digits[id], id);
  }
  const auto count = [&](const char* name) {
    return std::count_if(ops.begin(), ops.end(),
                         [&](const json& op) { return op.at("op") == name; });
  };
  EXPECT_EQ(count("Butterfly"), static_cast<long>(schedule.at("radices").size()));
  EXPECT_EQ(count("StoreTile"), 1);
}

TEST(Explain, ListsCandidatesAndWhyOneWon) {
  const std::string text = output_of("explain 1024 --arch sm_90 --candidates=3");
  expect_has(text, {"Candidates for ", "simt: ", "split3: ", "\n*",
                    "chosen (*): ", "measured on NVIDIA H200", "--engine simt"});
  const json all =
      json::parse(output_of("explain 1024 --arch sm_90 --candidates --json")).at("candidates");
  int taken = 0, measured = 0;
  for (const json& of : all) {
    double last = 1e9;
    for (const json& one : of.at("candidates")) {
      taken += one.at("taken").get<bool>() ? 1 : 0;
      measured += one.at("measured").is_null() ? 0 : 1;
      EXPECT_LE(one.at("predicted_eff"), last);
      last = one.at("predicted_eff");
    }
  }
  EXPECT_EQ(taken, 1);
  EXPECT_GE(measured, 1);
}

TEST(Explain, CandidatesAgreeWithWhatIsAsked) {
  const json all =
      json::parse(output_of("explain 1000 --arch sm_90 --registers 64 --candidates --json"))
          .at("candidates");
  for (const json& of : all) {
    for (const json& one : of.at("candidates")) EXPECT_EQ(one.at("choice").at("registers"), 64);
  }
}

TEST(Explain, CandidatesHaveWhatASearchMeasured) {
  const TemporaryFolder folder;
  const json all =
      json::parse(output_of("explain 64 --arch sm_90 --engine simt --candidates --json"))
          .at("candidates");
  ASSERT_FALSE(all.at(0).at("candidates").empty());
  // As a search writes its rows.
  const std::string table = output_of("explain 64 --arch sm_90 --engine simt --candidates=1");
  const std::size_t at = table.find("--method");
  std::string options = table.substr(at, table.find('\n', at) - at), quoted;
  for (const char c : options) quoted += c == '"' ? "\"\"" : std::string(1, c);
  write_text(folder.path() / "rows.csv",
             "domain,convolution,precision,arithmetic,shape,columns,tuning,eff,failure\n"
             "c2c,,f32,simt,64,,\"" +
                 quoted +
                 "\",0.5,\n"
                 "c2c,,f32,simt,64,,\"" +
                 quoted +
                 "\",0.625,\n"
                 "c2c,,f32,simt,128,,\"" +
                 quoted + "\",0.75,\n");
  const std::string with = output_of(
      "explain 64 --arch sm_90 --engine simt --candidates=1 "
      "--measurements " +
      folder.file("rows.csv"));
  expect_has(with, {"0.625 " + options});
  expect_error("explain 64 --measurements x.csv", {"--measurements", "--candidates"});
}

// Every instruction is of a stage of the text, in its order.
class ExplainCode : public ::testing::TestWithParam<std::string> {};

TEST_P(ExplainCode, IsThatOfEachStage) {
  const CommandResult result = sonoma("explain 64 --engine simt --arch sm_90 --json " + GetParam());
  if (result.exit_code != 0) {
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_TRUE(result.err.find("nvdisasm") != std::string::npos ||
                result.err.find("NVRTC") != std::string::npos)
        << result.err;
    GTEST_SKIP() << "no machine code here: " << result.err;
  }
  const json stages = json::parse(result.out).at("kernels").at(0).at("stages");
  std::size_t load = 0, step = 0, store = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string name = stages[i].at("stage");
    int sum = 0;
    for (const auto& count : stages[i].at("counts")) sum += count.get<int>();
    EXPECT_EQ(stages[i].at("code").size(), static_cast<std::size_t>(sum)) << name;
    const auto counts = stages[i].at("counts");
    const std::string kind = name.starts_with("Step") ? "fp32" : "global";
    if (name.starts_with("Load")) load = i + 1;
    if (name.starts_with("Step 1")) step = i + 1;
    if (name.starts_with("Store")) store = i + 1;
    if (name.starts_with("Load") || name.starts_with("Store") || name.starts_with("Step")) {
      EXPECT_GT(counts.value(kind, 0), 0) << name;
    }
  }
  EXPECT_TRUE(0 < load && load < step && step < store) << result.out;
}

INSTANTIATE_TEST_SUITE_P(Both, ExplainCode, ::testing::Values("--sass", "--ptx"),
                         [](const auto& one) { return one.param.substr(2); });

// ---- words

TEST(Help, AWrongWordSuggestsTheRightOne) {
  expect_error("explian 64", {"no command is called explian", "did you mean explain?"});
  expect_error("emit 64 --egnine simt",
               {"no option --egnine", "did you mean --engine?", "sonoma emit --help"});
  expect_error("bench --reapet 3", {"did you mean --repeat?"});
  expect_error("verify 64 --point-per-thread 8", {"did you mean --points-per-thread?"});
  expect_error("cache prnue", {"no command is called prnue", "did you mean prune?"});
  expect_error("emit 64 --domain c2cc", {"--domain c2cc", "did you mean c2c?"});
  expect_error("emit 64 --flugelhorn", {"no option --flugelhorn"});
  expect_error("verify 64 --user u.npy", {"verify has no option --user; these have: run"});
  expect_error("bench 64 --load-code value", {"bench has no option --load-code", "emit", "aot"});
  EXPECT_EQ(sonoma("emit 64 --flugelhorn").err.find("did you mean"), std::string::npos);
  expect_error("emit 64 65", {"65 is one word too many"});
}

TEST(Help, TheLengthNeedsNoOption) {
  EXPECT_EQ(output_of("emit 64 --arch sm_90"), output_of("emit --n 64 --arch sm_90"));
  EXPECT_EQ(output_of("verify 16 --device cpu"), output_of("verify --n 16 --device cpu"));
  EXPECT_EQ(output_of("next-fast-size 61 --arch sm_80"),
            output_of("next-fast-size --n 61 --arch sm_80"));
  EXPECT_EQ(output_of("tune 16 --effort estimate"), output_of("tune --n 16 --effort estimate"));
  expect_error("emit 64 --shape 8x8", {"--shape", "--n"});
  expect_error("emit 64x64", {"--n 64x64", "--shape"});
  expect_error("emit 64 --n 64", {"--n"});
}

}  // namespace
}  // namespace sonoma::tests
