// `sonoma compile`, the cache from one machine to others, and the commands of docs/caching.md.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"

namespace sonoma::tests {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class Caching : public testing::Test {
 protected:
  // The command of a user whose cache is that of so many, with a system's cache that they share.
  CommandResult sonoma(std::vector<std::string> arguments, const std::string& cache = "cache") {
    arguments.insert(arguments.begin(), SONOMA_COMMAND);
    return run_command(arguments, {"SONOMA_CACHE_DIR=" + folder_.file(cache),
                                   "SONOMA_SYSTEM_CACHE=" + folder_.file("system"),
                                   "SONOMA_SYSTEM_WISDOM=", "SONOMA_WISDOM="});
  }
  json document(std::vector<std::string> arguments, const std::string& cache = "cache") {
    arguments.push_back("--json");
    const CommandResult result = sonoma(std::move(arguments), cache);
    EXPECT_TRUE(json::accept(result.out)) << result.out << result.err;
    return json::accept(result.out) ? json::parse(result.out) : json();
  }
  json compile(const std::string& n, const std::string& cache = "cache") {
    return document({"compile", "--n", n, "--arch", "sm_90"}, cache);
  }
  [[nodiscard]] std::string bundle() const { return folder_.file("bundle"); }

  TemporaryFolder folder_;
};

TEST_F(Caching, CompileFillsTheCacheOnce) {
  const json first = compile("2..8,6");
  EXPECT_EQ(first.at("plans").size(), 4U);
  EXPECT_EQ(first.at("compiled"), 4);
  EXPECT_EQ(first.at("failed"), 0);
  EXPECT_EQ(first.at("plans")[0].at("kernels")[0].at("arch"), "sm_90");
  const json second = compile("2..8,6");
  EXPECT_EQ(second.at("compiled"), 0);
  EXPECT_EQ(second.at("there"), 4);
  const json listed = document({"cache", "ls"});
  EXPECT_EQ(listed.at("kernels").size(), 4U);
  EXPECT_EQ(listed.at("texts").size(), 4U);
  // Each architecture has its own.
  EXPECT_EQ(document({"compile", "--n", "2", "--arch", "sm_80,sm_90"}).at("compiled"), 1);
}

// Both where the batch fills the GPU, and where it does not.
TEST_F(Caching, CompileIsOfAnyBatch) {
  const json made = document({"compile", "--n", "65536", "--arch", "sm_90"});
  EXPECT_GE(made.at("plans")[0].at("kernels").size(), 2U);
}

TEST_F(Caching, CompileTakesASpec) {
  const std::string spec = folder_.file("spec.json");
  std::ofstream(spec) << R"({"archs": ["sm_80", "sm_90"], "requests": [{"n": [4, 8]}]})";
  EXPECT_EQ(document({"compile", "--spec", spec}).at("compiled"), 4);
  EXPECT_EQ(document({"compile", "--spec", spec, "--arch", "sm_90"}).at("there"), 2);
  EXPECT_EQ(compile("4,8").at("compiled"), 0);
  const CommandResult both = sonoma({"compile", "--spec", spec, "--n", "4"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.err.find("--spec"), std::string::npos) << both.err;
  EXPECT_EQ(sonoma({"compile", "--spec", folder_.file("none.json")}).exit_code, 3);
}

TEST_F(Caching, CompileSaysWhatIsWrong) {
  EXPECT_EQ(sonoma({"compile", "--n", "x", "--arch", "sm_90"}).exit_code, 2);
  EXPECT_EQ(sonoma({"compile", "--n", "8", "--arch", "sm_12"}).exit_code, 2);
  EXPECT_EQ(sonoma({"compile", "--arch", "sm_90"}).exit_code, 2);
  // The others go on.
  const CommandResult some =
      sonoma({"compile", "--n", "4,8", "--registers", "1", "--arch", "sm_90", "--json"});
  EXPECT_EQ(some.exit_code, 3);
  EXPECT_EQ(json::parse(some.out).at("failed"), 2);
  EXPECT_NE(some.err.find("n=4"), std::string::npos) << some.err;
}

TEST_F(Caching, WhatIsPackedIsUnpackedElsewhere) {
  compile("2..8");
  const json packed = document({"cache", "pack", bundle()});
  EXPECT_EQ(packed.at("entries"), 6);
  EXPECT_LT(packed.at("packed_bytes"), packed.at("bytes").get<int>() / 2);
  const json unpacked = document({"cache", "unpack", bundle()}, "other");
  EXPECT_EQ(unpacked.at("added"), 6);
  EXPECT_EQ(compile("2..8", "other").at("compiled"), 0);
  const json again = document({"cache", "unpack", bundle()}, "other");
  EXPECT_EQ(again.at("added"), 0);
  EXPECT_EQ(again.at("there"), 6);
}

TEST_F(Caching, APackedSelection) {
  compile("2");
  (void)document({"compile", "--n", "2", "--arch", "sm_80"});
  EXPECT_EQ(document({"cache", "pack", bundle(), "--arch", "80"}).at("entries"), 2);
  EXPECT_EQ(document({"cache", "pack", bundle(), "--kind", "cubin"}).at("entries"), 2);
  EXPECT_EQ(document({"cache", "pack", bundle(), "--kind", "cubin", "--arch", "sm_90,sm_80"})
                .at("entries"),
            2);
  const std::string key = document({"cache", "ls"}).at("kernels")[0].at("key");
  EXPECT_EQ(document({"cache", "pack", bundle(), "--key", key.substr(0, 10)}).at("entries"), 1);
  EXPECT_EQ(sonoma({"cache", "pack", bundle(), "--kind", "cubins"}).exit_code, 2);
  EXPECT_EQ(sonoma({"cache", "pack", bundle(), "--arch", "sm_1"}).exit_code, 2);
  EXPECT_EQ(sonoma({"cache", "pack", folder_.file("no/where")}).exit_code, 3);
}

// Wherever a byte is changed or the file ends, sound entries are never overwritten, no damaged one
// is written, and a refusal names one.
TEST_F(Caching, DamagedBundlesAreRefused) {
  compile("2,4");
  (void)document({"cache", "pack", bundle()});
  const std::string sound = read_text(bundle());
  const auto refused = [&](const std::string& bytes, const std::string& cache) {
    write_text(bundle(), bytes);
    const CommandResult result = sonoma({"cache", "unpack", bundle()}, cache);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_NE((result.out + result.err).find(bundle()), std::string::npos) << result.err;
    EXPECT_EQ(sonoma({"cache", "verify"}, cache).exit_code, 0);
    return result.out;
  };
  std::string damaged = sound;
  damaged[sound.size() / 8] ^= 1;  // in the first entry
  EXPECT_NE(refused(damaged, "one").find("entry "), std::string::npos);
  EXPECT_EQ(document({"cache", "ls"}, "one").at("kernels").size() +
                document({"cache", "ls"}, "one").at("texts").size(),
            3U);
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t at = i * sound.size() / 12;
    damaged = sound;
    damaged[at] ^= 4;
    (void)refused(damaged, "two");
    (void)refused(sound.substr(0, at), "two");
  }
  EXPECT_EQ(sonoma({"cache", "unpack", folder_.file("none")}).exit_code, 3);
  write_text(bundle(), sound);
  EXPECT_EQ(sonoma({"cache", "unpack", bundle()}, "two").exit_code, 0);
}

TEST_F(Caching, UnpackMendsAndNeverOverwrites) {
  compile("2");
  (void)document({"cache", "pack", bundle()});
  const std::string path = document({"cache", "ls"}).at("kernels")[0].at("path");
  const auto before = fs::last_write_time(path);
  EXPECT_EQ(document({"cache", "unpack", bundle()}).at("there"), 2);
  EXPECT_EQ(fs::last_write_time(path), before);
  fs::resize_file(path, 100);
  EXPECT_EQ(document({"cache", "unpack", bundle()}).at("added"), 1);
  EXPECT_EQ(sonoma({"cache", "verify"}).exit_code, 0);
}

TEST_F(Caching, ASystemsCacheServesEverybody) {
  compile("2");
  (void)document({"cache", "pack", bundle()});
  const json unpacked = document({"cache", "unpack", bundle(), "--to", folder_.file("system")});
  EXPECT_EQ(unpacked.at("added"), 2);
  EXPECT_EQ(fs::status(folder_.file("system")).permissions(), fs::perms(0755));
  for (const auto& file : fs::directory_iterator(folder_.file("system"))) {
    EXPECT_EQ(file.status().permissions(), fs::perms(0644)) << file.path();
  }
  EXPECT_EQ(compile("2", "other").at("compiled"), 0);
  const json places = document({"cache", "stat"}, "other").at("places");
  ASSERT_EQ(places.size(), 2U);
  EXPECT_FALSE(places[0].at("system"));
  EXPECT_TRUE(places[1].at("system"));
  EXPECT_EQ(places[1].at("sums").at("cubin sm_90").at("entries"), 1);
  ::chmod(folder_.file("system").c_str(), 0777);
  EXPECT_EQ(sonoma({"cache", "unpack", bundle(), "--to", folder_.file("system")}).exit_code, 3);
  EXPECT_EQ(compile("2", "other").at("compiled"), 1);
}

TEST_F(Caching, StatCountsWhatWasUsed) {
  compile("2,4");
  const auto all = [&] { return document({"cache", "stat"}).at("places")[0].at("sums").at("all"); };
  EXPECT_EQ(all().at("entries"), 4);
  EXPECT_EQ(all().at("used_since_made"), 0);
  compile("2");
  EXPECT_EQ(all().at("used_since_made"), 2);
  EXPECT_NE(sonoma({"cache", "stat"}).out.find("cubin sm_90"), std::string::npos);
}

TEST_F(Caching, ExtractWritesWhatAnEntryIsMadeOf) {
  compile("2");
  const json listed = document({"cache", "ls"});
  const std::string kernel = listed.at("kernels")[0].at("key"),
                    text = listed.at("texts")[0].at("key");
  const json files =
      document({"cache", "extract", kernel.substr(0, 12), "--out", folder_.file("x")});
  EXPECT_TRUE(read_text(files.at("binary").get<std::string>())
                  .starts_with("\x7f"
                               "ELF"));
  const std::string source = read_text(files.at("source").get<std::string>());
  EXPECT_NE(source.find("__global__"), std::string::npos);
  const json of_text = document({"cache", "extract", text, "--out", folder_.file("y")});
  EXPECT_EQ(read_text(of_text.at("source").get<std::string>()), source);
  EXPECT_EQ(sonoma({"cache", "extract", "0123456789abcdef"}).exit_code, 2);
  EXPECT_EQ(sonoma({"cache", "extract", "../x"}).exit_code, 2);
}

// ---- docs/caching.md

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The lines of its blocks of shell commands.
std::vector<std::string> documented_commands() {
  std::istringstream text(read_text(fs::path(SONOMA_DOCS) / "caching.md"));
  std::vector<std::string> commands;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
    } else if (inside) {
      commands.push_back(line);
    }
  }
  return commands;
}

TEST_F(Caching, DocumentedCommandsRun) {
  const auto commands = documented_commands();
  ASSERT_GE(commands.size(), 8U);
  write_text(folder_.file("wisdom.json"),
             R"({"format": "sonoma-wisdom", "version": 2, "entries": []})");
  fs::create_directory(folder_.file("wisdom.d"));
  const std::vector<std::string> environment = {"SONOMA_CACHE_DIR=" + folder_.file("cache"),
                                                "SONOMA_WISDOM=" + folder_.file("wisdom.json"),
                                                "SONOMA_SYSTEM_CACHE=", "SONOMA_SYSTEM_WISDOM="};
  for (std::string command : commands) {
    SCOPED_TRACE(command);
    command = replaced(command, "sudo ", "");
    command = replaced(command, "/var/cache/sonoma", folder_.file("system"));
    command = replaced(command, "/etc/sonoma/wisdom.d", folder_.file("wisdom.d"));
    if (command.find(" KEY ") != std::string::npos) {
      const json listed = document({"cache", "ls"});
      command = replaced(command, "KEY", listed.at("kernels").at(0).at("key"));
    }
    if (command.starts_with("sonoma ")) command = SONOMA_COMMAND + command.substr(6);
    const CommandResult result = run_command(
        {"/bin/sh", "-c", "cd " + folder_.path().string() + " && " + command}, environment);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  }
}

}  // namespace
}  // namespace sonoma::tests
