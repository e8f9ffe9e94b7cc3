// The launches of a plan compile at the same time. Seen on the emulated device, by compilers that
// wait for each other.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "runtime.hpp"
#include "sonoma/cache.hpp"
#include "support.hpp"
#include "tone.hpp"

namespace sonoma::testing {
namespace {

class SideBySide : public ::testing::Test {
 protected:
  /// A compiler that does `before` first, with the text of the kernel in $kernel and this test's
  /// folder in $folder.
  void compile_after(const std::string& before) {
    const auto path = folder_.path() / "compiler";
    std::ofstream(path) << "#!/bin/sh\n"
                           "[ \"$1\" = --version ] && exec c++ --version\n"
                           "folder="
                        << folder_.path().string()
                        << "\nfor argument; do case $argument in *.cpp) kernel=$argument;; esac; "
                           "done\n"
                        << before << "\nexec c++ \"$@\"\n";
    ::chmod(path.c_str(), 0700);
    config_.host_compiler = path;
  }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  FftProblem problem_{.lengths = {315}};
  PlanOptions options_ = [] {
    PlanOptions options;
    options.device = Device::cpu;
    options.tuning.pass_lengths = {5, 7, 9};
    return options;
  }();
};

TEST_F(SideBySide, LaunchesOfAPlanCompileAtTheSameTime) {
  // Each waits, 60 s at most, until all three have begun.
  compile_after(
      "touch $folder/begun.$$; tries=0\n"
      "until [ $(ls $folder | grep -c begun) = 3 ]; do\n"
      "  tries=$((tries + 1)); [ $tries = 1200 ] && echo alone && exit 1; sleep .05\n"
      "done");
  const Plan made = Runtime(config_).make_plan(problem_, options_);
  ASSERT_EQ(made.program().launches.size(), 3U);
  Rows in = Rows::tone(315, 1, 7), out(315, 1);
  made.execute(in.data(), out.data());
  out.expect_line(7);
}

TEST_F(SideBySide, TheFirstFailureInTheOrderOfLaunchesIsThrownWhenAllHaveEnded) {
  compile_after(
      "case $(cat $kernel) in\n"
      "  *_pass1_*) ;;\n"
      "  *_pass2_*) sleep 1; echo second; exit 1;;\n"
      "  *) echo third; exit 1;;\n"
      "esac");
  Runtime runtime(config_);
  try {
    (void)runtime.make_plan(problem_, options_);
    FAIL() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_EQ(error.stage(), Stage::compile);
    EXPECT_EQ(error.log(), "second\n");
  }
  EXPECT_EQ(inspect_cache(config_).kernels.size(), 1U);
}

TEST_F(SideBySide, AFailureIsNotKept) {
  compile_after("[ -e $folder/repaired ] || grep -q _pass1_ $kernel || exit 1");
  Runtime runtime(config_);
  EXPECT_THROW((void)runtime.make_plan(problem_, options_), FftError);
  write_file(folder_.path() / "repaired", "");
  const Plan made = runtime.make_plan(problem_, options_);
  EXPECT_EQ(inspect_cache(config_).kernels.size(), 3U);
}

}  // namespace
}  // namespace sonoma::testing
