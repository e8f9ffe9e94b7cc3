// Every system call on a file of cache, wisdom and overrides fails in turn, and the process is
// killed at each of them in turn. Nothing is lost that was there, nothing half-written is read, the
// next run works, and what failed says so. SONOMA_EVERY_FAULT=1: with every error that fits a call,
// not one of them (a minute).
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <ostream>
#include <sstream>
#include <vector>

#include "cache_folder.hpp"
#include "command.hpp"
#include "faults_support.hpp"
#include "sonoma/cache_bundle.hpp"
#include "sonoma/wisdom_file.hpp"

namespace sonoma::tests {
namespace {

namespace fs = std::filesystem;
using Look = std::function<void(const fs::path&)>;

struct Scenario {
  std::string name;
  std::string command;  ///< words; @ stands for the folder
  Look prepare;
  Look expect_kept;  ///< of what was there, after any run
  Look expect_done;  ///< after a run that went well
  bool never_fails = false;
  bool judges = false;  ///< may exit with 1: a check that failed
};
void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

// ---- what lies in the folder

Wisdom wisdom_in(const fs::path& file) { return load_wisdom(file).value_or(Wisdom()); }

bool has_all(const Wisdom& all, const Wisdom& some) {
  Wisdom both = all;
  both.merge(some);
  return both == all;
}

CacheFolder cache_in(const fs::path& folder, bool make = false) {
  return {folder / "cache", CacheFolder::Trust::own, make};
}

void put_kernel(const fs::path& folder, const std::string& name) {
  const CompileInputs inputs = inputs_of(name);
  ASSERT_TRUE(cache_in(folder, true)
                  .write(entry_file_name(cache_key(inputs)), encode({inputs, binary_of(name)})));
}

// Sound where it is there.
void expect_kernel(const fs::path& folder, const std::string& name, bool must_be_there = true) {
  std::string why;
  const auto entry = cache_in(folder).read_entry(entry_file_name(cache_key(inputs_of(name))), why);
  EXPECT_EQ(why, "") << name;
  EXPECT_TRUE(entry || !must_be_there) << name;
  EXPECT_TRUE(!entry || entry->binary == binary_of(name)) << name;
}

Config config_of(const fs::path& folder) {
  Config config;
  config.cache_dir = folder;
  config.system_caches.clear();
  return config;
}

void put_bundle(const fs::path& folder, const std::string& kernel) {
  put_kernel(folder / "elsewhere", kernel);
  (void)pack_cache(folder / "bundle", {}, config_of(folder / "elsewhere" / "cache"));
}

// Whole, and of so many entries.
void expect_bundle(const fs::path& folder, std::vector<std::size_t> sizes) {
  const Config config = config_of(folder / "unpacked");
  const CacheUnpacking done = unpack_cache(folder / "bundle", {}, config);
  EXPECT_TRUE(done.faults.empty());
  EXPECT_NE(std::ranges::find(sizes, done.added), sizes.end()) << done.added;
  fs::remove_all(config.cache_dir);
}

void expect_override(const fs::path& folder, std::vector<int> numbers, bool must_be_there = true) {
  const Overrides found = load_overrides(folder / "overrides");
  EXPECT_TRUE(found.problems.empty());
  ASSERT_LE(found.entries.size(), 1U);
  EXPECT_TRUE(!must_be_there || !found.entries.empty());
  const auto is_it = [&](int number) { return found.entries[0] == some_override(number); };
  EXPECT_TRUE(found.entries.empty() || std::ranges::any_of(numbers, is_it));
}

// ---- scenarios

std::vector<Scenario> of_wisdom() {
  const Wisdom old = some_wisdom(2), more = some_wisdom(60);
  Wisdom both = old;
  both.merge(more);
  const auto expect = [](const fs::path& file, const Wisdom& least) {
    EXPECT_TRUE(has_all(wisdom_in(file), least)) << file;
  };
  return {
      {"import", SONOMA_COMMAND " tune --import @/more.json --wisdom @/wisdom.json",
       [=](const fs::path& folder) {
         save_wisdom(folder / "wisdom.json", old), save_wisdom(folder / "more.json", more);
       },
       [=](const fs::path& folder) { expect(folder / "wisdom.json", old); },
       [=](const fs::path& folder) { EXPECT_EQ(wisdom_in(folder / "wisdom.json"), both); }},
      {"first_import", SONOMA_COMMAND " tune --import @/more.json --wisdom @/a/b/wisdom.json",
       [=](const fs::path& folder) { save_wisdom(folder / "more.json", more); },
       [=](const fs::path& folder) { expect(folder / "a/b/wisdom.json", {}); },
       [=](const fs::path& folder) { EXPECT_EQ(wisdom_in(folder / "a/b/wisdom.json"), more); }},
      {"export", SONOMA_COMMAND " tune --export @/out.json --wisdom @/wisdom.json",
       [=](const fs::path& folder) {
         save_wisdom(folder / "wisdom.json", both), save_wisdom(folder / "out.json", old);
       },
       [=](const fs::path& folder) {
         EXPECT_EQ(wisdom_in(folder / "wisdom.json"), both), expect(folder / "out.json", old);
       },
       [=](const fs::path& folder) { EXPECT_EQ(wisdom_in(folder / "out.json"), both); }},
      {"load_system_wisdom", SONOMA_SUBJECT " load-system-wisdom @/wisdom.d",
       [=](const fs::path& folder) { save_wisdom(folder / "wisdom.d/one.json", old); },
       [=](const fs::path& folder) { expect(folder / "wisdom.d/one.json", old); },
       [](const fs::path&) {}},
  };
}

std::vector<Scenario> of_cache() {
  const auto put_both = [](const fs::path& folder) {
    put_kernel(folder, kept_kernel), put_kernel(folder, new_kernel);
  };
  const auto expect_both = [](const fs::path& folder) {
    expect_kernel(folder, kept_kernel), expect_kernel(folder, new_kernel);
  };
  const auto expect_one = [](const fs::path& folder) {
    expect_kernel(folder, kept_kernel), expect_kernel(folder, new_kernel, false);
  };
  const auto nothing = [](const fs::path&) {};
  return {
      {"compile", SONOMA_SUBJECT " compile @/cache",
       [](const fs::path& folder) { put_kernel(folder, kept_kernel); }, expect_one, nothing, true},
      {"first_compile", SONOMA_SUBJECT " compile @/cache", nothing,
       [](const fs::path& folder) {
         if (!fs::exists(folder / "cache")) return;
         expect_kernel(folder, kept_kernel, false), expect_kernel(folder, new_kernel, false);
       },
       nothing, true},
      {"pack", SONOMA_COMMAND " cache pack @/bundle",
       [=](const fs::path& folder) { put_bundle(folder, kept_kernel), put_both(folder); },
       [=](const fs::path& folder) {
         expect_both(folder), expect_bundle(folder, {1, 2});
       },
       [=](const fs::path& folder) { expect_bundle(folder, {2}); }},
      {"unpack", SONOMA_COMMAND " cache unpack @/bundle",
       [=](const fs::path& folder) {
         put_bundle(folder, new_kernel), put_kernel(folder, kept_kernel);
       },
       expect_one, expect_both},
      {"prune", SONOMA_COMMAND " cache prune",
       [=](const fs::path& folder) {
         put_both(folder);
         ASSERT_TRUE(cache_in(folder).write(entry_file_name(std::string(64, '0')), "unsound"));
       },
       expect_both,
       [](const fs::path& folder) {
         EXPECT_FALSE(cache_in(folder).has(entry_file_name(std::string(64, '0'))));
       }},
      {"verify", SONOMA_COMMAND " cache verify", put_both, expect_both, nothing, false, true},
  };
}

std::vector<Scenario> of_overrides() {
  const auto put = [](const fs::path& folder) {
    save_override(folder / "overrides", some_override(1));
  };
  return {
      {"save_override", SONOMA_SUBJECT " save-override @/overrides", put,
       [](const fs::path& folder) {
         expect_override(folder, {1, 2});
       },
       [](const fs::path& folder) { expect_override(folder, {2}); }},
      {"remove_override", SONOMA_SUBJECT " remove-override @/overrides", put,
       [](const fs::path& folder) { expect_override(folder, {1}, false); },
       [](const fs::path& folder) {
         EXPECT_TRUE(load_overrides(folder / "overrides").entries.empty());
       }},
      {"load_overrides", SONOMA_SUBJECT " load-overrides @/overrides", put,
       [](const fs::path& folder) { expect_override(folder, {1}); }, [](const fs::path&) {}},
  };
}

// ---- running them

struct Point {
  std::string call;
  int errors = 0;
};

class Faults : public testing::TestWithParam<Scenario> {
 protected:
  CommandResult run(const std::string& fault = "") {
    std::vector<std::string> words;
    std::istringstream command(GetParam().command);
    for (std::string word; command >> word;) {
      const std::size_t at = word.find('@');
      if (at != std::string::npos) word.replace(at, 1, folder_.string());
      words.push_back(word);
    }
    fs::remove(log_);
    return run_command(words, {"LD_PRELOAD=" SONOMA_FAULT_SHIM, "FAULTS_UNDER=" + folder_.string(),
                               "FAULTS_LOG=" + log_.string(), "FAULT=" + fault,
                               "SONOMA_CACHE_DIR=" + (folder_ / "cache").string(),
                               "SONOMA_SYSTEM_CACHE=", "SONOMA_SYSTEM_WISDOM=", "SONOMA_LOG=off"});
  }

  void prepare() {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    GetParam().prepare(folder_);
  }

  std::vector<Point> points() {
    prepare();
    const CommandResult result = run();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    GetParam().expect_done(folder_);
    std::vector<Point> found;
    std::ifstream log(log_);
    for (std::string line; std::getline(log, line);) {
      std::istringstream words(line);
      Point& point = found.emplace_back();
      words >> point.call >> point.errors;
    }
    return found;
  }

  void expect_message(const CommandResult& result) {
    if (result.exit_code == 0) return GetParam().expect_done(folder_);
    EXPECT_FALSE(GetParam().never_fails) << result.err;
    EXPECT_TRUE(result.exit_code == 3 || (GetParam().judges && result.exit_code == 1))
        << result.exit_code;
    const std::string& said = result.exit_code == 1 ? result.out : result.err;
    EXPECT_NE(said.find(folder_.string()), std::string::npos) << "no file is named: " << result.err;
  }

  // "7:1" or "7:kill", and then a run without.
  void try_fault(const std::string& fault) {
    prepare();
    const CommandResult result = run(fault);
    if (fault.ends_with("kill")) {
      EXPECT_EQ(result.exit_code, 128 + SIGKILL) << "the point was not reached";
    } else {
      expect_message(result);
    }
    GetParam().expect_kept(folder_);
    const CommandResult next = run();
    EXPECT_EQ(next.exit_code, 0) << "the next run: " << next.err;
    GetParam().expect_kept(folder_);
    GetParam().expect_done(folder_);
  }

  TemporaryFolder scratch_;
  fs::path folder_ = scratch_.path() / "files", log_ = scratch_.path() / "log";
};

TEST_P(Faults, EachCallFailsAndEachIsTheLast) {
  const bool every = std::getenv("SONOMA_EVERY_FAULT") != nullptr;
  const std::vector<Point> all = points();
  ASSERT_GE(all.size(), 1U) << "the shim sees no calls";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string number = std::to_string(i + 1) + ":";
    const int first = every ? 0 : static_cast<int>(i) % all[i].errors;
    const int last = every ? all[i].errors - 1 : first;
    for (int error = first; error <= last; ++error) {
      SCOPED_TRACE("FAULT=" + number + std::to_string(error) + ", " + all[i].call);
      try_fault(number + std::to_string(error));
    }
    SCOPED_TRACE("FAULT=" + number + "kill, before " + all[i].call);
    try_fault(number + "kill");
  }
}

std::string name_of(const testing::TestParamInfo<Scenario>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Wisdom, Faults, testing::ValuesIn(of_wisdom()), name_of);
INSTANTIATE_TEST_SUITE_P(Cache, Faults, testing::ValuesIn(of_cache()), name_of);
INSTANTIATE_TEST_SUITE_P(Overrides, Faults, testing::ValuesIn(of_overrides()), name_of);

}  // namespace
}  // namespace sonoma::tests
