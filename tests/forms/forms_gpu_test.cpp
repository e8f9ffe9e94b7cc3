// The forms of emit, compiled by nvcc and run by a GPU.
#include <gtest/gtest.h>

#include <string>

#include "forms_support.hpp"
#include "sonoma/plan.hpp"

namespace sonoma::tests {
namespace {

class FormsOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_available()) GTEST_SKIP() << "no GPU";
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc";
  }

  void compile(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {*find_nvcc(), "-O2", "-arch=sm_90", "-std=c++17",
                                        "--fmad=false"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CommandResult result = run_command(command);
    ASSERT_EQ(result.exit_code, 0) << arguments.back() << "\n" << result.out << result.err;
  }
  static void run(std::vector<std::string> command) {
    const CommandResult result = run_command(command);
    EXPECT_EQ(result.exit_code, 0) << command[0] << "\n" << result.out << result.err;
    std::printf("%s", result.out.c_str());
  }

  TemporaryFolder folder_;
};

// By all ways that a module takes.
TEST_F(FormsOnGpu, LaunchersGiveTheEmulatedPlansBits) {
  for (const FormCase& one : launcher_cases()) {
    SCOPED_TRACE(one.name);
    const TemporaryFolder folder;
    write_launcher(one, folder);
    compile({folder.file("use.cu"), "-o", folder.file("use"), "-lcuda"});
    const std::string expected = expected_output(one, folder);
    for (const std::string kind : {"-cubin", "-ptx", "-fatbin"}) {
      if (kind != "-cubin" && one.name != "parts") continue;
      compile({kind, folder.file(one.name + ".cu"), "-o", folder.file("module")});
      auto command = use_arguments(one, folder.file("module"), folder);
      command.insert(command.begin(), folder.file("use"));
      run(command);
      EXPECT_TRUE(read_text(folder.path() / "output") == expected) << kind;
    }
  }
}

TEST_F(FormsOnGpu, StandaloneProgramsAreRight) {
  for (const std::string request :
       {"--n 4096", "--n 4096 --engine mma", "--n 1048576", "--n 65536 --fused 1", "--n 32768",
        "--n 1009", "--n 40009", "--n 3000 --domain r2c", "--n 1000 --domain c2r",
        "--shape 480x640", "--shape 64x64x64", "--shape 512x512 --domain c2r",
        "--n 262144 --inverse"}) {
    SCOPED_TRACE(request);
    emit(request + " --arch sm_90 --form standalone --name alone --out " + folder_.file("a.cu"));
    compile({folder_.file("a.cu"), "-o", folder_.file("a")});
    std::printf("%s: ", request.c_str());
    run({folder_.file("a")});
  }
}

TEST_F(FormsOnGpu, HeadersTransformInAKernel) {
  for (const std::string request : {"--n 16", "--n 1024 --engine mma", "--n 360 --inverse",
                                    "--n 1009", "--n 4096 --rounds 2 --engine simt", "--n 8192"}) {
    SCOPED_TRACE(request);
    emit(request + " --arch sm_90 --form header --name form --out " + folder_.file("form.cuh"));
    write_text(folder_.path() / "use.cu", read_text(FORMS_FOLDER "/use_header.cu"));
    compile({folder_.file("use.cu"), "-o", folder_.file("use")});
    run({folder_.file("use")});
  }
}

TEST_F(FormsOnGpu, TheExampleIsRight) {
  const std::string example = EXAMPLES "/power_spectrum.cu";
  emit("--n 1024 --arch sm_90 --form header --out " + folder_.file("fft_1024.cuh"));
  compile({"-I", folder_.path().string(), example, "-o", folder_.file("example")});
  run({folder_.file("example")});
}

TEST_F(FormsOnGpu, CommandsOfTheDocs) { run_commands_of_docs(true); }

}  // namespace
}  // namespace sonoma::tests
