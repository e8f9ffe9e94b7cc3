#include <gtest/gtest.h>

#include <string>

#include "command.hpp"

namespace sonoma::tests {
namespace {

TEST(JitPlan, MakesAPlanForEachLength) {
  const CommandResult result = run_command({JIT_PLAN, "2", "64", "1024"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  for (const char* n : {"n = 2,", "n = 64,", "n = 1024,"}) {
    EXPECT_NE(result.out.find(n), std::string::npos) << result.out;
  }
}

TEST(JitPlan, SaysWhatItCannotDo) {
  const CommandResult result = run_command({JIT_PLAN, "67108867"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("67108867"), std::string::npos) << result.err;
}

TEST(InspectKernel, ShowsEveryStep) {
  const CommandResult result = run_command({INSPECT_KERNEL, "64", "(gs 4 (dft 16))"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"(gs 4 (dft 16))", "schedule:", "kernel IR:", "__global__"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
  }
}

TEST(InspectKernel, SaysWhatItCannotDo) {
  const CommandResult result = run_command({INSPECT_KERNEL, "64", "(gs 4 (dft 15))"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("15"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sonoma::tests
