// Every bad argument: exit code 2, a message that names argument, value and what is allowed,
// nothing on standard output.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

CommandResult sonoma(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SONOMA_COMMAND);
  return run_command(arguments);
}

struct BadCase {
  std::vector<std::string> arguments;
  std::vector<std::string> named;  ///< parts of the message
};

void expect_rejected(const BadCase& bad) {
  std::string line;
  for (const auto& argument : bad.arguments) line += argument + ' ';
  const CommandResult result = sonoma(bad.arguments);
  EXPECT_EQ(result.exit_code, 2) << line << result.err;
  EXPECT_EQ(result.out, "") << line;
  for (const auto& part : bad.named) {
    EXPECT_NE(result.err.find(part), std::string::npos)
        << line << "lacks " << part << ": " << result.err;
  }
}

TEST(Arguments, LengthsAreChecked) {
  for (const std::string command : {"emit", "explain", "verify"}) {
    expect_rejected({{command}, {"--n", "missing"}});
    expect_rejected({{command, "--n", "abc"}, {"--n", "abc", "positive integer"}});
    expect_rejected({{command, "--n", "12x"}, {"--n", "12x"}});
    expect_rejected({{command, "--n", "0"}, {"--n", "0"}});
    expect_rejected({{command, "--n=-8"}, {"--n", "-8"}});
    expect_rejected({{command, "--n", "99999999999999999999"}, {"--n", "99999999999999999999"}});
    expect_rejected({{command, "--n", "67108867"}, {"67108867", "2^31"}});
    expect_rejected({{command, "--n", "67108866"}, {"67108866", "2^31"}});
  }
}

TEST(Arguments, RequestOptionsAreChecked) {
  const auto emit = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"emit", "--n", "256"});
    return more;
  };
  expect_rejected({emit({"--radix", "3"}), {"radix", "3", "2, 4, 8, 16 or 32"}});
  expect_rejected({emit({"--radix", "64"}), {"radix", "64"}});
  expect_rejected({emit({"--radix", "two"}), {"--radix", "two"}});
  expect_rejected({emit({"--engine", "tensor"}), {"--engine", "tensor", "mma", "simt"}});
  expect_rejected({emit({"--arch", "sm_61"}), {"arch", "sm_61", "sm_75", "--device cpu"}});
  expect_rejected({emit({"--arch", "sm_70"}), {"arch", "sm_70", "sm_75", "--device cpu"}});
  expect_rejected({emit({"--scale", "big"}), {"--scale", "big", "finite"}});
  expect_rejected({emit({"--scale", "nan"}), {"--scale", "nan"}});
  expect_rejected({emit({"--scale", "0"}), {"scale", "0"}});
  expect_rejected(
      {emit({"--norm", "unitary"}), {"--norm", "unitary", "backward", "ortho", "forward"}});
  expect_rejected({emit({"--form", "headr"}), {"--form", "headr", "kernel"}});
  expect_rejected({emit({"--decomposition", "(gs 16 (dft 8))"}), {"decomposition", "256"}});
  expect_rejected({emit({"--decomposition", "(gs 16 (dft 16)"}), {"decomposition"}});
  expect_rejected({emit({"--decomposition", ""}), {"decomposition"}});
}

TEST(Arguments, ContradictionsAreChecked) {
  expect_rejected({{"emit", "--n", "16", "--radix", "4", "--decomposition", "(dft 16)"},
                   {"--radix", "--decomposition"}});
  expect_rejected(
      {{"emit", "--n", "16", "--scale", "2", "--norm", "ortho"}, {"--scale", "--norm"}});
  expect_rejected({{"emit", "--n", "16", "--engine", "simt", "--products", "3"}, {"mma"}});
}

TEST(Arguments, CommandsAreChecked) {
  expect_rejected({{}, {"subcommand"}});
  expect_rejected({{"transform"}, {"transform", "--help"}});
  expect_rejected({{"emit", "--n", "16", "--colour"}, {"--colour"}});
  expect_rejected({{"emit", "--n"}, {"--n"}});
  expect_rejected({{"cache"}, {"subcommand"}});
  expect_rejected({{"cache", "prune", "--keep-mib", "-1"}, {"--keep-mib", "-1"}});
  expect_rejected({{"run", "--n", "16"}, {"--input"}});
  expect_rejected(
      {{"verify", "--n", "16", "--device", "tpu"}, {"--device", "tpu", "auto, gpu or cpu"}});
  expect_rejected({{"verify", "--n", "9..15"}, {"--n", "9..15", "2..8192"}});
  expect_rejected({{"verify", "--n", "64..16"}, {"--n", "64..16"}});
  expect_rejected({{"verify", "--n", "2..x"}, {"--n"}});
  expect_rejected({{"bench", "--suite", "all"}, {"--suite", "all", "pow2"}});
  expect_rejected({{"bench", "--suite", "pow2", "--points", "40"}, {"--points", "40", "13 to 30"}});
  expect_rejected({{"bench", "--suite", "pow2", "--vs", "vkfft"}, {"--vs", "vkfft", "cufft"}});
  expect_rejected({{"bench", "--suite", "pow2", "--repeat", "0"}, {"--repeat", "0"}});
}

TEST(Arguments, HelpDocumentsTheExitCodes) {
  const CommandResult help = sonoma({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_NE(help.out.find("Exit codes: 0 success; 1 "), std::string::npos) << help.out;
  for (const char* command : {"emit", "explain", "run", "verify", "cache", "bench"}) {
    EXPECT_NE(help.out.find(command), std::string::npos) << command;
    EXPECT_EQ(sonoma({command, "--help"}).exit_code, 0) << command;
  }
}

TEST(Arguments, BenchNeedsAGpu) {
  const CommandResult result =
      run_command({SONOMA_COMMAND, "bench", "--suite", "pow2", "--points", "13", "--vs", "copy"},
                  {"CUDA_VISIBLE_DEVICES="});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("bench times a GPU"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sonoma::tests
