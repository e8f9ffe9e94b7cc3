// sonoma aot: specs, files, and what their kernels serve. Nothing here needs a GPU; what compiles
// is skipped without NVRTC.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Aot : public testing::Test {
 protected:
  CommandResult run(std::vector<std::string> arguments,
                    const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), {SONOMA_COMMAND, "aot"});
    return run_command(arguments, environment);
  }
  // Into out/. "" or the reason why nothing can be compiled here.
  std::string make(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--out", folder_.file("out")});
    const CommandResult result = run(arguments);
    if (contains(result.err, "no NVRTC")) return result.err;
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return {};
  }
  [[nodiscard]] std::string out(const std::string& name) const {
    return read_text(folder_.path() / "out" / name);
  }
  [[nodiscard]] std::string spec(const std::string& text) const {
    write_text(folder_.path() / "spec.json", text);
    return folder_.file("spec.json");
  }

  TemporaryFolder folder_;
};

// ---- bad specs

TEST_F(Aot, BadSpecsNameTheField) {
  const auto expect = [&](const std::string& text, const std::vector<std::string>& parts) {
    const CommandResult result =
        run({"--spec", spec(text), "--no-binaries", "-o", folder_.file("x")});
    EXPECT_EQ(result.exit_code, 2) << text << result.err;
    EXPECT_TRUE(contains(result.err, "spec.json")) << result.err;
    for (const std::string& part : parts) {
      EXPECT_TRUE(contains(result.err, part)) << text << "\nlacks " << part << "\n" << result.err;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x"));
  };
  const auto request = [](const std::string& fields) {
    return R"({"archs": ["sm_90"], "requests": [{"n": 16}, {)" + fields + "}]}";
  };
  expect("", {"is no JSON"});
  expect("{\"requests\": [}", {"is no JSON", "line 1, column"});
  expect("[]", {"must be an object", "archs and requests"});
  expect("{}", {"requests: must be a list"});
  expect(R"({"requests": []})", {"requests: must be a list"});
  expect(R"({"requests": [{"n": 16}], "arch": ["sm_90"]})", {"arch: is no field of a spec"});
  expect(R"({"requests": [{"n": 16}]})", {"requests[0]", "no architectures"});
  expect(R"({"archs": "sm_90", "requests": [{"n": 16}]})", {"archs: \"sm_90\": must be a list"});
  expect(R"({"archs": ["sm_91"], "requests": [{"n": 16}]})", {"archs", "sm_91", "sm_75 sm_80"});
  expect(R"({"archs": ["sm_90"], "requests": [16]})", {"requests[0]: must be an object"});
  expect(request(""), {"requests[1].n"});
  expect(request(R"("lenght": 16)"), {"requests[1].lenght: is no field", "n, shape"});
  expect(request(R"("n": 16, "arch": "sm_80")"), {"requests[1].arch: is no field", "archs"});
  expect(request(R"("n": {})"), {"requests[1].n: {}: must be a text or a number"});
  expect(request(R"("n": [])"), {"requests[1].n: is an empty list"});
  expect(request(R"("n": 0)"), {"requests[1].n 0"});
  expect(request(R"("n": 16, "inverse": 1)"), {"requests[1].inverse: 1: must be true or false"});
  expect(request(R"("n": 16, "precision": "f23")"), {"requests[1].precision f23", "f32, f16"});
  expect(request(R"("n": 16, "batch": 0)"), {"requests[1].batch 0", "positive"});
  expect(request(R"("n": 16, "shape": "4x4")"), {"requests[1]", "shape"});
  expect(request(R"("n": 16, "domain": "r2c", "inverse": true)"), {"requests[1]", "r2c"});
  expect(request(R"("n": 16, "workspace": "no")"), {"requests[1].workspace no", "fast or minimal"});
  expect(request(R"("n": 134217757)"), {"requests[1]", "134217757"});
  expect(request(R"("n": 65536, "cluster": 8, "archs": ["sm_80"])"), {"requests[1]", "cluster"});
}

TEST_F(Aot, BadOptionsAreRefused) {
  const auto expect = [&](std::vector<std::string> arguments, const std::string& part) {
    arguments.insert(arguments.end(), {"-o", folder_.file("x")});
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_TRUE(contains(result.err, part)) << result.err;
  };
  expect({"--n", "16"}, "--arch (missing)");
  expect({"--arch", "sm_90"}, "--n (missing)");
  expect({"--n", "16", "--arch", "sm_90,sm_61"}, "sm_61");
  expect({"--n", "16", "--spec", spec("{}"), "--arch", "sm_90"}, "--spec");
  EXPECT_EQ(run({"--n", "16", "--arch", "sm_90"}).exit_code, 2);  // no --out
  EXPECT_EQ(run({"--spec", folder_.file("none"), "-o", folder_.file("x")}).exit_code, 3);
}

// ---- files

TEST_F(Aot, ASpecStandsForAllWaysToTakeItsLists) {
  const std::string file = spec(R"({
    "archs": ["sm_90", "sm_80"],
    "requests": [
      {"n": [16, "64,100"], "precision": ["f32", "f16"], "inverse": [false, true]},
      {"shape": "32x32", "domain": "r2c", "batch": 3, "archs": ["sm_75"]},
      {"array": "4x64x3", "axes": "1"}
    ]})");
  ASSERT_EQ(make({"--spec", file, "--no-binaries"}), "");
  const json manifest = json::parse(out("manifest.json"));
  ASSERT_EQ(manifest.at("programs").size(), 3 * 2 * 2 * 2 + 1 + 2U);
  EXPECT_FALSE(manifest.contains("bundle"));
  EXPECT_EQ(manifest.at("programs")[0].at("arch"), "sm_80");
  EXPECT_EQ(manifest.at("programs")[0].at("batch"), "any");
  const json& plane = manifest.at("programs")[24];
  EXPECT_EQ(plane.at("arch"), "sm_75");
  EXPECT_EQ(plane.at("batch"), 3);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/kernels.sonoma"));
  ASSERT_EQ(make({"--spec", file, "--no-binaries", "--arch", "sm_89"}), "");
  const json of_one = json::parse(out("manifest.json"));
  for (const json& program : of_one.at("programs")) {
    EXPECT_EQ(program.at("arch"), "sm_89");
  }
}

// The texts are those of `emit`, and the manifest says how to launch them.
TEST_F(Aot, TheFilesAreThoseOfTheManifest) {
  ASSERT_EQ(make({"--n", "4096,1048576", "--arch", "sm_90", "--no-binaries"}), "");
  const json programs = json::parse(out("manifest.json")).at("programs");
  ASSERT_EQ(programs.size(), 2U);
  EXPECT_EQ(programs[0].at("problem").at("lengths"), json::array({4096}));
  EXPECT_TRUE(programs[0].at("tuning").at("registers").is_number_integer());
  const json& launch = programs[0].at("launches")[0];
  const CommandResult emitted = run_command({SONOMA_COMMAND, "emit", "--n", "4096"});
  EXPECT_EQ(out(launch.at("source")), emitted.out);
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "out" /
                                       launch.at("tables").at("file").get<std::string>()),
            launch.at("tables").at("bytes"));
  EXPECT_TRUE(contains(emitted.out,
                       "__launch_bounds__(" + std::to_string(launch.at("threads").get<int>())));
  EXPECT_EQ(launch.at("reads"), "input");
  const json& passes = programs[1].at("launches");
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_EQ(passes[0].at("writes"), "workspace");
  EXPECT_EQ(passes[1].at("writes"), "output");
  EXPECT_GT(programs[1].at("workspace_bytes"), 0);
}

TEST_F(Aot, TheSameBytesAreMadeAgain) {
  const std::vector<std::string> asked = {"--n", "16,1000", "--arch", "sm_80,sm_90"};
  if (const std::string why = make(asked); !why.empty()) GTEST_SKIP() << why;
  const std::string first = out("kernels.sonoma");
  // The format is the one that the document names.
  const std::string format = first.substr(0, first.find('\n'));
  EXPECT_TRUE(format.starts_with("sonoma-kernels "));
  EXPECT_TRUE(contains(read_text(SONOMA_DOC), "`" + format + "`")) << format;
  auto again = asked;
  again.insert(again.end(), {"--out", folder_.file("again"), "--json"});
  // Neither the cache nor the order decides.
  const CommandResult result = run(again, {"SONOMA_CACHE_DIR=" + folder_.file("cache")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_text(folder_.path() / "again/kernels.sonoma"), first);
  const json report = json::parse(result.out);
  EXPECT_EQ(report.at("programs"), 4);
  EXPECT_EQ(report.at("compiled"), 4);
  EXPECT_EQ(report.at("manifest").at("bundle").at("bytes"), first.size());

  auto check = asked;
  check.insert(check.end(), {"--check", "--out", folder_.file("out")});
  EXPECT_EQ(run(check).exit_code, 0);
  std::string other = first;
  other.back() ^= 1;
  write_text(folder_.path() / "out/kernels.sonoma", other);
  const CommandResult differs = run(check);
  EXPECT_EQ(differs.exit_code, 1);
  EXPECT_TRUE(contains(differs.out, "different: kernels.sonoma")) << differs.out;
  EXPECT_EQ(out("kernels.sonoma"), other);  // a check writes nothing
}

// ---- what they serve

// What the error of a miss says makes what was missed: of every kind of request. A convolution
// misses twice: its filter's spectrum is a plan too.
TEST_F(Aot, TheCommandOfAMissMakesWhatIsMissing) {
  for (const std::string request :
       {"--n 48", "--n 48 --inverse --scale 0.1 --batch 3", "--shape 6x10 --domain r2c",
        "--n 10 --domain c2r --in-place", "--n 16 --precision f16 --out-precision f32",
        "--n 9 --domain dct2 --norm ortho", "--n 16 --in-stride 3 --out-dist 20 --batch 2",
        "--n 16 --loops 3:1:16 --in-stride 3 --in-dist 48 --out-dist 48 --batch 2",
        "--n 16 --convolution real", "--shape 8x8 --in-length 5x6 --out-length 7x3",
        "--n 64 --engine mma --radix 8", "--n 16 --accuracy 1e-5",
        "--n 12 --correlation complex --channels 3"}) {
    const std::string verify = SONOMA_COMMAND " verify --device cpu " + request;
    std::string bundles;
    CommandResult result;
    for (int misses = 0; misses < 4; ++misses) {
      result = run_command({"/bin/sh", "-c", verify},
                           {"SONOMA_AOT_ONLY=1", "SONOMA_KERNELS=" + bundles});
      EXPECT_EQ(result.exit_code == 0, misses > 0 && result.err.empty()) << request << result.err;
      const std::size_t begin = result.err.find("sonoma aot "), end = result.err.find(" --out ");
      if (begin == std::string::npos) break;
      const std::string folder = folder_.file(std::to_string(misses));
      const CommandResult made = run_command(
          {"/bin/sh", "-c",
           SONOMA_COMMAND + result.err.substr(begin + 6, end - begin - 6) + " --out " + folder});
      if (contains(made.err, "no NVRTC")) GTEST_SKIP() << made.err;
      ASSERT_EQ(made.exit_code, 0) << result.err << made.err;
      bundles += (bundles.empty() ? "" : ":") + folder + "/kernels.sonoma";
    }
    EXPECT_EQ(result.exit_code, 0) << request << "\n" << result.err << result.out;
  }
}

// ---- generated/

// Every kernel that is kept there is one of its spec, to the byte.
TEST_F(Aot, TheCuratedSetIsMadeThisWay) {
  const std::filesystem::path curated = SONOMA_GENERATED;
  ASSERT_EQ(make({"--spec", (curated / "spec.json").string(), "--no-binaries"}), "");
  std::vector<std::string> texts;
  for (const auto& file : std::filesystem::directory_iterator(folder_.path() / "out/sources")) {
    texts.push_back(read_text(file.path()));
  }
  for (const auto& file : std::filesystem::directory_iterator(curated)) {
    if (file.path().extension() != ".cu") continue;
    EXPECT_NE(std::ranges::find(texts, read_text(file.path())), texts.end()) << file.path();
  }
}

TEST_F(Aot, TheCuratedSetIsReproduced) {
  const std::string file = (std::filesystem::path(SONOMA_GENERATED) / "spec.json").string();
  if (const std::string why = make({"--spec", file}); !why.empty()) GTEST_SKIP() << why;
  const CommandResult check =
      run({"--spec", file, "--check", "--out", folder_.file("out"), "--json"},
          {"SONOMA_CACHE_READ_OFF=1"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const json report = json::parse(check.out);
  EXPECT_EQ(report.at("compiled"), report.at("kernels"));
  EXPECT_TRUE(report.at("different").empty());
}

// ---- docs/ahead-of-time.md

// Its blocks of a language, in order.
std::vector<std::string> blocks(const std::string& language) {
  const std::string text = read_text(SONOMA_DOC), begin = "```" + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    found.push_back(text.substr(at, text.find("```", at) - at));
  }
  return found;
}

TEST_F(Aot, TheCommandsOfTheDocumentWork) {
  ASSERT_EQ(blocks("json").size(), 1U);
  write_text(folder_.path() / "spec.json", blocks("json")[0]);
  const std::string here =
      "set -e; cd " + folder_.path().string() +
      "; PATH=" + std::filesystem::path(SONOMA_COMMAND).parent_path().string() + ":$PATH\n";
  ASSERT_EQ(blocks("sh").size(), 3U);
  for (const std::string& commands : blocks("sh")) {
    const CommandResult result = run_command({"/bin/sh", "-c", here + commands});
    if (contains(result.err, "no NVRTC")) GTEST_SKIP() << result.err;
    EXPECT_EQ(result.exit_code, 0) << commands << result.err << result.out;
  }
  for (const char* name : {"kernels.sonoma", "kernels.cpp", "manifest.json", "sources", "tables"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "kernels" / name)) << name;
  }
}

// What a test of the package builds and runs is what the document shows.
TEST_F(Aot, TheDocumentShowsWhatIsBuilt) {
  const std::filesystem::path application = SONOMA_APPLICATION;
  ASSERT_EQ(blocks("cmake").size(), 1U);
  EXPECT_EQ(blocks("cmake")[0], read_text(application / "CMakeLists.txt"));
  const std::string program = read_text(application / "application.cpp");
  ASSERT_EQ(blocks("cpp").size(), 1U);
  std::istringstream lines(blocks("cpp")[0]);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(contains(program, line)) << line;
}

}  // namespace
}  // namespace sonoma::tests
