// The forms of emit on the emulated device: launchers, functions in other kernels, programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "forms_support.hpp"

namespace sonoma::tests {
namespace {

CommandResult run_emulated(const std::string& file, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {RUN_EMULATED, file});
  return run_command(arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The first one.
std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.replace(at, part.size(), by);
}

class Launcher : public testing::TestWithParam<FormCase> {};

TEST_P(Launcher, GivesTheBitsOfAPlan) {
  const TemporaryFolder folder;
  write_launcher(GetParam(), folder);
  const std::string module = folder.file(GetParam().name + ".cu");
  const CommandResult result =
      run_emulated(folder.file("use.cu"), use_arguments(GetParam(), module, folder));
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(read_text(folder.path() / "output") == expected_output(GetParam(), folder));
}

INSTANTIATE_TEST_SUITE_P(All, Launcher, testing::ValuesIn(launcher_cases()),
                         [](const auto& tested) { return tested.param.name; });

// Each damages what one part of a launcher is there for.
TEST(LauncherMutants, AreNoticed) {
  struct Damage {
    std::string name, part, by;
  };
  const std::vector<FormCase> cases = launcher_cases();
  for (const Damage& damage : {
           Damage{"fused_passes", "if (kernel.counter_bytes != 0)", "if (false)"},
           Damage{"parts", "first += 2", "first += 3"},
           Damage{"parts", "return 32768", "return 16384"},
           Damage{"cluster_16", "if (kernel.cluster > 8)", "if (false)"},
           Damage{"one_kernel", "tables = tables_[which]", "tables = tables_[which] + 16"},
           Damage{"filter_plane", "launch(1, ", "launch(0, "},
       }) {
    const auto one = std::ranges::find(cases, damage.name, &FormCase::name);
    const TemporaryFolder folder;
    write_launcher(*one, folder);
    const auto header = folder.path() / (damage.name + ".hpp");
    write_text(header, replaced(read_text(header), damage.part, damage.by));
    const CommandResult result = run_emulated(
        folder.file("use.cu"), use_arguments(*one, folder.file(damage.name + ".cu"), folder));
    const bool right = result.exit_code == 0 &&
                       read_text(folder.path() / "output") == expected_output(*one, folder);
    EXPECT_FALSE(right) << damage.name << ": " << damage.by;
  }
}

TEST(Launcher, SaysWhatItCannotLoad) {
  const TemporaryFolder folder;
  const FormCase one = launcher_cases().front();
  write_launcher(one, folder);
  const CommandResult missing =
      run_emulated(folder.file("use.cu"), use_arguments(one, folder.file("missing.cubin"), folder));
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_TRUE(contains(missing.err, "one_kernel: cuModuleLoad of ")) << missing.err;
  EXPECT_TRUE(contains(missing.err, "missing.cubin")) << missing.err;
  write_text(folder.path() / "other.cu", "int nothing;\n");
  const CommandResult other =
      run_emulated(folder.file("use.cu"), use_arguments(one, folder.file("other.cu"), folder));
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_TRUE(contains(other.err, "sonoma_c2c_f32_n1024_forward_mma")) << other.err;
}

// ---- standalone

class Standalone : public testing::TestWithParam<const char*> {};

TEST_P(Standalone, IsRight) {
  const TemporaryFolder folder;
  const std::string file = folder.file("alone.cu");
  emit(std::string(GetParam()) + " --arch sm_90 --form standalone --out " + file);
  const CommandResult result = run_emulated(file, {"3"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, ": right\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "\ncopy ")) << result.out;
}

INSTANTIATE_TEST_SUITE_P(All, Standalone,
                         testing::Values("--n 64", "--n 1024 --engine mma --inverse --norm ortho",
                                         "--n 1000 --domain r2c", "--n 45 --domain c2r --scale 3",
                                         "--n 211", "--n 4096 --pass-lengths 64,64 --fused 1",
                                         "--shape 6x10x9 --domain c2r", "--shape 40x36 --inverse",
                                         "--shape 12x14 --domain r2c"));

// A table, a step, a scale, a launch: the check is not blind.
TEST(StandaloneMutants, AreWrong) {
  const TemporaryFolder folder;
  const std::string file = folder.file("alone.cu");
  emit("--n 256 --engine simt --scale 2 --arch sm_90 --form standalone --out " + file);
  const std::string right = read_text(file);
  const std::string table = "fft_256_tables_1[";
  const std::size_t unit = right.find("    {0x", right.find(table));
  ASSERT_NE(unit, std::string::npos);
  std::string word = right.substr(unit + 5, 10), other = word;
  other[4] = other[4] == '0' ? '1' : '0';
  for (const auto& [part, by] : std::vector<std::pair<std::string, std::string>>{
           {"    {" + word, "    {" + other},
           {"  twiddle_1(x, tables", "  // "},
           {"  step_3(x);\n\n", "\n"},
           {"  launch(0, batch", "  if (false) launch(0, batch"},
           {"constexpr int sign = -1", "constexpr int sign = +1"},
           {"constexpr double scale = 2", "constexpr double scale = 2.0001"}}) {
    write_text(file, replaced(right, part, by));
    const CommandResult result = run_emulated(file, {"2"});
    EXPECT_EQ(result.exit_code, 1) << by << "\n" << result.out << result.err;
    EXPECT_TRUE(contains(result.out, ": WRONG\n")) << result.out;
  }
}

// ---- a function in another kernel

class Header : public testing::TestWithParam<const char*> {};

// use_header.cu compares with a DFT in double.
TEST_P(Header, TransformsInAKernel) {
  const TemporaryFolder folder;
  emit(std::string(GetParam()) + " --arch sm_90 --form header --name form --out " +
       folder.file("form.cuh"));
  write_text(folder.path() / "use.cu", read_text(FORMS_FOLDER "/use_header.cu"));
  const CommandResult result = run_emulated(folder.file("use.cu"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(All, Header,
                         testing::Values("--n 16", "--n 256 --engine simt", "--n 1024 --engine mma",
                                         "--n 4096", "--n 360 --inverse", "--n 1009",
                                         "--n 4096 --rounds 2 --engine simt",
                                         "--n 256 --in-length 200 --out-length 100"));

TEST(Header, IsFusedByTheExample) {
  const TemporaryFolder folder;
  emit("--n 1024 --arch sm_90 --form header --out " + folder.file("fft_1024.cuh"));
  const std::string file = folder.file("power_spectrum.cu"),
                    example = read_text(EXAMPLES "/power_spectrum.cu");
  write_text(file, example);
  const CommandResult result = run_emulated(file);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  write_text(file, replaced(example, "* window[t], 0.0f", ", 0.0f"));
  EXPECT_EQ(run_emulated(file).exit_code, 1);
}

TEST(Header, IsReproducedByItsCommand) {
  const TemporaryFolder folder;
  emit("--n 1000 --arch sm_90 --form header --out " + folder.file("a.cuh"));
  const std::string text = read_text(folder.path() / "a.cuh"), start = "// sonoma emit ";
  ASSERT_TRUE(text.starts_with(start)) << text.substr(0, 200);
  std::string command = text.substr(start.size(), text.find("\n//\n") - start.size());
  for (std::size_t at; (at = command.find("\n//")) != std::string::npos;) command.erase(at, 3);
  emit(command + " --out " + folder.file("b.cuh"));
  EXPECT_EQ(read_text(folder.path() / "b.cuh"), text) << command;
}

// ---- refusals

TEST(Forms, SayWhatTheyDoNotTake) {
  const TemporaryFolder folder;
  const std::string out = " --out " + folder.file("out");
  for (const auto& [arguments, part] : std::vector<std::pair<std::string, std::string>>{
           {"--n 64 --form headr", "headr"},
           {"--n 64 --form launcher", "--out"},
           {"--n 64 --form header --name 2fast" + out, "2fast"},
           {"--n 65536 --pass 1 --form standalone" + out, "--pass"},
           {"--n 1048576 --form header" + out, "several passes"},
           {"--n 32768 --cluster 8 --form header --arch sm_90" + out, "cluster of 8"},
           {"--n 64 --domain r2c --form header" + out, "r2c"},
           {"--n 64 --precision f16 --form header" + out, "f16"},
           {"--n 64 --load-code value --form header" + out, "load and store"},
           {"--n 64 --in-stride 2 --form header" + out, "layout"},
           {"--n 64 --convolution real --form standalone" + out, "convolution"},
           {"--n 64 --domain dct2 --form standalone" + out, "dct2"},
           {"--n 10000019 --form launcher" + out, "tables"}}) {
    const CommandResult result =
        run_command({"/bin/sh", "-c", SONOMA_COMMAND " emit " + arguments});
    EXPECT_EQ(result.exit_code, 2) << arguments << result.err;
    EXPECT_TRUE(contains(result.err, part)) << arguments << "\n" << result.err;
  }
}

TEST(Forms, KernelsStayAsTheyAre) {
  const TemporaryFolder folder;
  for (const std::string request : {"--n 4096", "--shape 480x640", "--n 1048576"}) {
    emit(request + " --arch sm_90 --out " + folder.file("kernel.cu"));
    emit(request + " --arch sm_90 --form launcher --name form --out " + folder.path().string());
    const std::string kernel = read_text(folder.path() / "kernel.cu");
    EXPECT_TRUE(read_text(folder.path() / "form.cu").starts_with(kernel)) << request;
  }
}

}  // namespace
}  // namespace sonoma::tests
