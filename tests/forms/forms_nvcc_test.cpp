// The forms of emit compiled by nvcc. Nothing runs.
#include <gtest/gtest.h>

#include <string>

#include "forms_support.hpp"

namespace sonoma::tests {
namespace {

class FormsByNvcc : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc";
  }

  // Kernels have overloads that they do not call, of which nvcc warns.
  void compile(std::vector<std::string> arguments, bool strict = true) const {
    const std::vector<std::string> options = {"-arch=sm_90", "-std=c++17",
                                              "-Xcompiler",  "-Wall,-Wextra,-Werror",
                                              "-Werror",     "all-warnings"};
    arguments.insert(arguments.begin(), options.begin(),
                     strict ? options.end() : options.begin() + 2);
    arguments.insert(arguments.begin(), *find_nvcc());
    const CommandResult result = run_command(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments.back() << "\n" << result.out << result.err;
  }

  TemporaryFolder folder_;
};

TEST_F(FormsByNvcc, Launchers) {
  for (const FormCase& one : launcher_cases()) {
    // One of each kind: with tables, user and spectrum, axes, clusters.
    if (one.name != "filter_plane" && one.name != "with_code" && one.name != "cluster_16") continue;
    const TemporaryFolder folder;
    write_launcher(one, folder);
    compile({"--fmad=false", "-cubin", folder.file(one.name + ".cu"), "-o", folder.file("cubin")},
            false);
    compile({"-c", folder.file("use.cu"), "-o", folder.file("use.o")});
  }
}

TEST_F(FormsByNvcc, TablesAreKnownByTheirNames) {
  emit("--n 256 --arch sm_90 --form launcher --out " + folder_.path().string());
  compile({"-ptx", folder_.file("fft_256.cu"), "-o", folder_.file("ptx")}, false);
  const std::string ptx = read_text(folder_.path() / "ptx");
  EXPECT_NE(ptx.find(".global .align 32 .b8 fft_256_tables_1["), std::string::npos);
}

TEST_F(FormsByNvcc, Standalone) {
  for (const std::string request : {"--n 4096 --engine mma", "--shape 480x640 --domain r2c"}) {
    emit(request + " --arch sm_90 --form standalone --name alone --out " + folder_.file("a.cu"));
    compile({"--fmad=false", folder_.file("a.cu"), "-o", folder_.file("a")}, false);
  }
}

TEST_F(FormsByNvcc, Headers) {
  for (const std::string request : {"--n 1024 --engine mma", "--n 360"}) {
    emit(request + " --arch sm_90 --form header --name form --out " + folder_.file("form.cuh"));
    write_text(folder_.path() / "use.cu", read_text(FORMS_FOLDER "/use_header.cu"));
    compile({"--fmad=false", folder_.file("use.cu"), "-o", folder_.file("use")});
  }
}

// Two of them in one program, with operators of float2 behind the one and in front of the other.
TEST_F(FormsByNvcc, HeadersSideBySide) {
  for (const std::string n : {"64", "100"}) {
    emit("--n " + n + " --arch sm_90 --form header --out " + folder_.file("fft_" + n + ".cuh"));
  }
  write_text(folder_.path() / "two.cu", R"(#include "fft_64.cuh"
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
#include "fft_100.cuh"
__global__ void both(float2* x) {
  const auto load = [&](unsigned t, unsigned) { return x[t] + x[t]; };
  const auto store = [&](unsigned k, unsigned, float2 value) { x[k + 100] = value; };
  fft_64::transform(load, store);
  __syncthreads();
  fft_100::transform(load, store);
}
)");
  compile({"-c", folder_.file("two.cu"), "-o", folder_.file("two.o")});
}

TEST_F(FormsByNvcc, TheExample) {
  const std::string example = EXAMPLES "/power_spectrum.cu";
  emit("--n 1024 --arch sm_90 --form header --out " + folder_.file("fft_1024.cuh"));
  compile({"--fmad=false", "-I", folder_.path().string(), example, "-o", folder_.file("example")});
}

TEST_F(FormsByNvcc, CommandsOfTheDocs) { run_commands_of_docs(false); }

TEST_F(FormsByNvcc, TheLauncherOfTheDocs) {
  const auto snippets = snippets_of_docs("cpp");
  ASSERT_EQ(snippets.size(), 1u);
  const std::string& text = snippets.front();
  emit("--n 1048576 --arch sm_90 --form launcher --out " + folder_.file("generated"));
  const std::size_t body = text.find('\n') + 1;
  write_text(folder_.path() / "docs.cu",
             text.substr(0, body) +
                 "CUdeviceptr allocate(unsigned long long bytes);\n"
                 "void use(CUdeviceptr in, CUdeviceptr out, unsigned long long batch, CUstream "
                 "stream) {\n" +
                 text.substr(body) + "}\n");
  compile(
      {"-I", folder_.path().string(), "-c", folder_.file("docs.cu"), "-o", folder_.file("docs.o")});
}

}  // namespace
}  // namespace sonoma::tests
