// Kernels that were edited by hand: in the place of a plan's, and kept for other plans. On the
// emulated device.
#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"
#include "npy.hpp"
#include "run_array.hpp"
#include "sonoma/verify/inputs.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;

class EditedKernel : public testing::Test {
 protected:
  CommandResult sonoma(const std::string& words, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = split(words);
    arguments.insert(arguments.begin(), SONOMA_COMMAND);
    more.insert(more.end(), {"CUDA_VISIBLE_DEVICES=", "SONOMA_OVERRIDES_DIR=" + kept()});
    return run_command(arguments, more);
  }
  [[nodiscard]] std::string kept() const { return folder_.file("kept"); }

  // What `emit` writes, with `more` behind the first step.
  std::string edited(const std::string& request, const std::string& more) {
    std::string file = folder_.file("edited.cu");
    const std::string step = "  step_1(x);\n";
    EXPECT_EQ(sonoma("emit " + request + " --out " + file).exit_code, 0);
    std::string text = read_text(file);
    const std::size_t kernel = text.find("__global__");
    const std::size_t at = text.find(step, kernel);
    EXPECT_NE(at, std::string::npos);
    write_text(file, text.insert(at + step.size(), more));
    return file;
  }

  json overrides() { return json::parse(sonoma("override list --json").out).at("overrides"); }
  std::filesystem::path only_file() {
    for (const auto& item : std::filesystem::directory_iterator(kept())) return item.path();
    return {};
  }

  const std::string right = "  x[0].x = -(-x[0].x);  // as it was\n";
  const std::string wrong = "  x[0].x *= 2.0f;\n";
  const std::string simt = "--n 16 --engine simt";
  TemporaryFolder folder_;
};

void expect_says(const CommandResult& result, int exit_code,
                 const std::vector<std::string>& parts) {
  EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
  for (const std::string& part : parts) {
    EXPECT_NE((result.out + result.err).find(part), std::string::npos)
        << "lacks " << part << ": " << result.out << result.err;
  }
}

TEST_F(EditedKernel, IsVerifiedInThePlaceOfTheEmittedOne) {
  // The request is that of its first lines.
  expect_says(sonoma("verify --device cpu --kernel " + edited(simt, right)), 0, {"n=16", "passed"});
  expect_says(sonoma("verify --device cpu --kernel " + edited(simt, wrong)), 1, {"FAILED"});
}

TEST_F(EditedKernel, RunsOnAFile) {
  const cli::NpyArray x{{16}, verification::normal_row(16, 3)};
  const Ran emitted = run(simt, x);
  const Ran same = run(simt + " --kernel " + edited(simt, right), x);
  const Ran twice = run(simt + " --kernel " + edited(simt, wrong), x);
  ASSERT_EQ(twice.result.exit_code, 0) << twice.result.err;
  EXPECT_EQ(same.y.data, emitted.y.data);
  EXPECT_NE(twice.y.data, emitted.y.data);
}

TEST_F(EditedKernel, IsOfThatPlanAlone) {
  const std::string file = edited(simt, right);
  expect_says(sonoma("verify --device cpu --n 32 --kernel " + file), 2,
              {"--kernel", "sonoma_c2c_f32_n16_forward_simt", "the plan launches", "n32"});
  expect_says(sonoma("verify --device cpu --registers 128 --kernel " + file), 2,
              {"--kernel", "was made of the kernel of `sonoma emit --n 16", "--registers 128"});
  write_text(file, "no kernel");
  expect_says(sonoma("verify --device cpu --kernel " + file), 2, {"--kernel", "defines no kernel"});
  expect_says(sonoma("verify --kernel " + folder_.file("none.cu")), 3, {"none.cu"});
}

TEST_F(EditedKernel, ThatDoesNotCompileShowsWhy) {
  const CommandResult result =
      sonoma("verify --device cpu --kernel " + edited(simt, "  no_such_function(x);\n"));
  expect_says(result, 3, {"compiler log", "no_such_function"});
}

TEST_F(EditedKernel, CodeOfTheCallersIsNotJudged) {
  const std::string file = folder_.file("edited.cu");
  const std::vector<std::string> words = {SONOMA_COMMAND, "emit", "--n",         "16",
                                          "--engine",     "simt", "--load-code", "value",
                                          "--out",        file};
  ASSERT_EQ(run_command(words).exit_code, 0);
  expect_says(sonoma("override add " + file), 2, {"--load-code value", "cannot be verified"});
}

TEST_F(EditedKernel, IsKeptIfItIsRight) {
  expect_says(sonoma("override add --device cpu " + edited(simt, wrong)), 1, {"not kept"});
  EXPECT_TRUE(overrides().empty());
  const std::string file = edited(simt, right);
  expect_says(sonoma("override add --device cpu " + file), 0,
              {"kept sonoma_c2c_f32_n16_forward_simt for sm_90", "emulated device", "not timed"});
  const json all = overrides();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].at("state"), "current");
  EXPECT_EQ(all[0].at("verified_on"), "emulated device");
  EXPECT_GT(all[0].at("rel_l2"), 1e-8);
  EXPECT_TRUE(all[0].at("times").is_null());
  ASSERT_EQ(sonoma("emit " + simt + " --out " + file).exit_code, 0);
  expect_says(sonoma("override add --device cpu " + file), 2, {"nothing was edited"});
}

// That a plan takes it is seen by what no verification has let in.
TEST_F(EditedKernel, IsTakenByPlansThatAskForIt) {
  ASSERT_EQ(sonoma("override add --device cpu " + edited(simt, right)).exit_code, 0);
  json file = json::parse(read_text(only_file()));
  std::string text = file.at("text");
  file["text"] = text.insert(text.find(right), wrong);
  write_text(only_file(), file.dump());
  expect_says(sonoma("verify --device cpu " + simt), 0, {"passed"});
  expect_says(sonoma("verify --device cpu " + simt + " --overrides"), 1, {"FAILED"});
  expect_says(sonoma("verify --device cpu " + simt, {"SONOMA_OVERRIDES=1"}), 1, {"FAILED"});
  expect_says(sonoma("verify --device cpu --n 16 --engine mma --overrides"), 0, {"passed"});
}

TEST_F(EditedKernel, IsLeftOutWhereItIsStale) {
  ASSERT_EQ(sonoma("override add --device cpu " + edited(simt, right)).exit_code, 0);
  json file = json::parse(read_text(only_file()));
  file["original"] = std::string(64, '0');  // as another generator had it
  write_text(only_file(), file.dump());
  EXPECT_EQ(overrides().at(0).at("state"), "stale");
  expect_says(sonoma("verify --device cpu " + simt + " --overrides"), 0, {"passed", "is stale"});
  expect_says(sonoma("override remove --stale"), 0, {"1 removed"});
  EXPECT_TRUE(overrides().empty());
}

TEST_F(EditedKernel, IsRemovedByName) {
  ASSERT_EQ(sonoma("override add --device cpu " + edited(simt, right)).exit_code, 0);
  expect_says(sonoma("override remove"), 2, {"NAME", "--stale or --all"});
  expect_says(sonoma("override remove sonoma_other"), 2, {"sonoma_other", "override list"});
  expect_says(sonoma("override remove sonoma_c2c_f32_n16_forward_simt"), 0, {"1 removed"});
  EXPECT_TRUE(overrides().empty());
}

// A kernel is code.
TEST_F(EditedKernel, IsNotReadWhereOthersMayWrite) {
  namespace fs = std::filesystem;
  ASSERT_EQ(sonoma("override add --device cpu " + edited(simt, right)).exit_code, 0);
  fs::permissions(only_file(), fs::perms::others_write, fs::perm_options::add);
  expect_says(sonoma("override list"), 0, {"others than its owner can write it"});
  expect_says(sonoma("verify --device cpu " + simt + " --overrides"), 0,
              {"others than its owner can write it"});
  fs::permissions(only_file(), fs::perms::others_write, fs::perm_options::remove);
  write_text(only_file(), "{}");
  expect_says(sonoma("override list"), 0, {only_file().string()});
}

// ---- docs/inspect.md

// The lines of its blocks of commands, without comments.
std::vector<std::string> documented_commands() {
  std::vector<std::string> commands;
  std::istringstream text(read_text(std::string(SONOMA_DOCS) + "/inspect.md"));
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) inside = line == "```sh";
    if (inside && line.starts_with("sonoma ")) {
      commands.push_back(line.substr(7, line.find('#') - 7));
    }
  }
  return commands;
}

// In their order, in a folder where the kernel is edited behind the command that emits it.
TEST_F(EditedKernel, EveryCommandOfTheDocumentRuns) {
  cli::save_npy(folder_.file("x64.npy"), {{64}, verification::normal_row(64, 3)});
  const auto commands = documented_commands();
  ASSERT_GT(commands.size(), 10u);
  for (const std::string& command : commands) {
    std::string words;
    for (const std::string& word : split(command)) {
      const bool file = word.ends_with(".cu") || word.ends_with(".npy");
      words += (file ? folder_.file(word) : word) + ' ';
    }
    const CommandResult result = sonoma(words);
    EXPECT_EQ(result.exit_code, 0) << command << result.out << result.err;
    const std::string kernel = folder_.file("k.cu"), step = "  step_1(x);\n";
    if (command.find("--out k.cu") == std::string::npos) continue;
    std::string text = read_text(kernel);
    text.insert(text.find(step, text.find("__global__")) + step.size(), right);
    write_text(kernel, text);
  }
}

}  // namespace
}  // namespace sonoma::tests
