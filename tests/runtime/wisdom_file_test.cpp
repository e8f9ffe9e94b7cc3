// Wisdom in files, and what a runtime makes of them.
#include "sonoma/wisdom_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "runtime.hpp"
#include "sonoma/generate.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

WisdomEntry entry_of(Arithmetic arithmetic, double eff) {
  FftProblem problem{.lengths = {64}};
  problem.accuracy.arithmetic = arithmetic;
  Tuning tuning;
  tuning.registers = 112;
  WisdomEntry entry;
  entry.platform = {"Some GPU", 80, "13.0"};
  entry.subject = {problem.lengths, problem.storage, arithmetic};
  entry.tuning = generate(problem, target_for("sm_80"), tuning).tuning;
  entry.eff = eff;
  entry.ms = 1;
  entry.points = 64;
  entry.date = "2026-11-21";
  return entry;
}

Wisdom of(std::initializer_list<WisdomEntry> entries) {
  Wisdom wisdom;
  for (const auto& entry : entries) wisdom.add(entry);
  return wisdom;
}

class WisdomFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string refusal() const {
    try {
      (void)load_wisdom(file_);
    } catch (const FftError& error) {
      EXPECT_EQ(error.stage(), Stage::wisdom);
      return error.what();
    }
    return "taken";
  }
  [[nodiscard]] Choice choice() const {
    Config config;
    config.wisdom_file = file_;
    config.system_wisdom = system_;
    Runtime runtime(config);
    PlanOptions options;
    options.device = Device::cpu;
    options.target = target_for("sm_80");  // no wisdom is shipped for it
    return runtime.choose_for({.lengths = {64}}, options);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "some" / "where" / "wisdom.json";
  std::filesystem::path system_ = folder_.path() / "wisdom.d";
};

TEST_F(WisdomFile, ComesBack) {
  EXPECT_EQ(load_wisdom(file_), std::nullopt);
  EXPECT_EQ(load_wisdom(""), std::nullopt);
  const Wisdom wisdom = of({entry_of(Arithmetic::simt, 0.9)});
  save_wisdom(file_, wisdom);
  EXPECT_EQ(load_wisdom(file_), wisdom);
  save_wisdom(file_, {});
  EXPECT_EQ(load_wisdom(file_), Wisdom());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file_.parent_path()), {}), 1)
      << "temporary files are left";
}

TEST_F(WisdomFile, MergingKeepsWhatWasThere) {
  (void)merge_into_wisdom(file_, of({entry_of(Arithmetic::simt, 0.9)}));
  const Wisdom all = merge_into_wisdom(
      file_, of({entry_of(Arithmetic::simt, 0.8), entry_of(Arithmetic::split3, 0.7)}));
  EXPECT_EQ(all, of({entry_of(Arithmetic::simt, 0.9), entry_of(Arithmetic::split3, 0.7)}));
  EXPECT_EQ(load_wisdom(file_), all);
}

TEST_F(WisdomFile, WhatIsReplacedGivesWayToWhatIsSlower) {
  const WisdomEntry fast = entry_of(Arithmetic::simt, 0.9), slow = entry_of(Arithmetic::simt, 0.8);
  const WisdomEntry other = entry_of(Arithmetic::split3, 0.7);
  save_wisdom(file_, of({fast, other}));
  EXPECT_EQ(replace_in_wisdom(file_, {slow}), of({slow, other}));
  EXPECT_EQ(load_wisdom(file_), of({slow, other}));
}

TEST_F(WisdomFile, ProcessesThatMergeAtOnceLoseNothing) {
  std::vector<pid_t> children;
  for (const Arithmetic arithmetic : searched_arithmetics) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    for (std::int64_t n = 2; n <= 8192; n *= 2) {
      WisdomEntry entry = entry_of(arithmetic, 0.5);
      entry.subject.lengths = {n};
      (void)merge_into_wisdom(file_, of({entry}));
    }
    ::_exit(0);
  }
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  EXPECT_EQ(load_wisdom(file_).value().entries().size(), std::size(searched_arithmetics) * 13U);
}

TEST_F(WisdomFile, ABrokenFileIsNamedAndKept) {
  save_wisdom(file_, {});
  std::ofstream(file_) << "{ nonsense";
  EXPECT_NE(refusal().find(file_.string() + ": wisdom: "), std::string::npos) << refusal();
  EXPECT_NE(refusal().find("line 1"), std::string::npos) << refusal();
  EXPECT_THROW((void)merge_into_wisdom(file_, {}), FftError);
  EXPECT_EQ(read_file(file_), "{ nonsense");
}

TEST_F(WisdomFile, WhatCannotBeReadOrWrittenIsAnError) {
  std::filesystem::create_directories(file_);  // a folder of that name
  EXPECT_NE(refusal(), "taken");
  EXPECT_THROW(save_wisdom(file_, {}), FftError);
  EXPECT_THROW(save_wisdom("", {}), FftError);
}

TEST_F(WisdomFile, KeepsItsPermissions) {
  const Wisdom wisdom = of({entry_of(Arithmetic::simt, 0.9)});
  save_wisdom(file_, {});
  for (const mode_t mode : {0600U, 0640U, 0644U}) {
    ASSERT_EQ(::chmod(file_.c_str(), mode), 0);
    (void)merge_into_wisdom(file_, wisdom);
    struct stat facts {};
    ASSERT_EQ(::stat(file_.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 07777, mode);
  }
}

TEST_F(WisdomFile, IsReachedThroughALink) {
  save_wisdom(file_, {});
  const auto link = folder_.path() / "link.json";
  std::filesystem::create_symlink(file_, link);
  const Wisdom wisdom = of({entry_of(Arithmetic::simt, 0.9)});
  save_wisdom(link, wisdom);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(load_wisdom(file_), wisdom);
}

TEST_F(WisdomFile, WhatIsNoRegularFileIsWrittenThrough) {
  const Wisdom wisdom = of({entry_of(Arithmetic::simt, 0.9)});
  save_wisdom("/dev/null", wisdom);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const auto pipe = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  save_wisdom(pipe, wisdom);
  std::string text(64 * 1024, '\0');
  text.resize(
      static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, text.data(), text.size()))));
  ::close(reader);
  EXPECT_EQ(text, to_json_text(wisdom));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(WisdomFile, DoesNotWaitForEverForALock) {
  save_wisdom(file_, {});
  const int folder = ::open(file_.parent_path().c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(folder, LOCK_EX), 0);
  try {
    (void)merge_into_wisdom(file_, {});
    ADD_FAILURE() << "nothing thrown";
  } catch (const FftError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("another program has locked its folder " + file_.parent_path().string()),
              std::string::npos)
        << error.what();
  }
  ::close(folder);
  EXPECT_NO_THROW((void)merge_into_wisdom(file_, {}));
}

TEST_F(WisdomFile, ThatNestsDeeplyIsRefused) {
  save_wisdom(file_, {});
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    for (int level = 0; level < 200000; ++level) text += open;
    std::ofstream(file_) << text;
    EXPECT_NE(refusal().find("nests deeper than 64 levels"), std::string::npos) << open;
  }
}

TEST_F(WisdomFile, AnEntryThatARequestRefusesIsLeftOutAndTheLogSaysSo) {
  const Choice without = choice();
  WisdomEntry entry = entry_of(Arithmetic::simt, 0.9);
  entry.tuning.block_points = 96;
  save_wisdom(file_, of({entry}));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(choice().tuning, without.tuning);
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("wisdom is not used"), std::string::npos) << log;
  EXPECT_NE(log.find("block_points = 96"), std::string::npos) << log;
}

TEST_F(WisdomFile, PlansFollowIt) {
  save_wisdom(file_, of({entry_of(Arithmetic::split3, 0.9)}));
  EXPECT_EQ(choice().tuning, entry_of(Arithmetic::split3, 0.9).tuning);
  save_wisdom(file_, of({entry_of(Arithmetic::split3, 0.9), entry_of(Arithmetic::simt, 0.95)}));
  EXPECT_EQ(choice().tuning, entry_of(Arithmetic::simt, 0.95).tuning);
  EXPECT_NE(choice().reason.find("Some GPU"), std::string::npos);
}

TEST_F(WisdomFile, PlansAreMadeWithoutABrokenOneAndTheLogSaysSo) {
  const Choice without = choice();
  save_wisdom(file_, {});
  std::ofstream(file_) << "{ nonsense";
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(choice(), without);
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find(file_.string()), std::string::npos) << log;
  EXPECT_NE(log.find("plans are made without it"), std::string::npos) << log;
}

// ---- the system's

class SystemWisdom : public WisdomFile {
 protected:
  SystemWisdom() { std::filesystem::create_directory(system_); }
  // Read, with the reasons of what is skipped.
  Wisdom read() {
    skipped_.clear();
    return load_system_wisdom(system_, [this](const std::string& why) { skipped_ += why + "\n"; });
  }
  std::string skipped_;
};

TEST_F(SystemWisdom, IsBeneathTheUsers) {
  WisdomEntry later = entry_of(Arithmetic::simt, 0.9), own = entry_of(Arithmetic::simt, 0.1);
  later.date = "2026-12-31", own.tuning.registers = 96;
  save_wisdom(system_ / "site.json", of({later}));
  EXPECT_EQ(choice().tuning, later.tuning);
  save_wisdom(file_, of({own}));
  EXPECT_EQ(choice().tuning, own.tuning);
}

TEST_F(SystemWisdom, IsOfAllFilesThatAreJson) {
  const WisdomEntry one = entry_of(Arithmetic::simt, 0.9), two = entry_of(Arithmetic::split3, 0.9);
  save_wisdom(system_ / "a.json", of({one}));
  save_wisdom(system_ / "b.json", of({two}));
  std::ofstream(system_ / "README") << "no wisdom";
  EXPECT_EQ(read(), of({one, two}));
  EXPECT_EQ(skipped_, "");
  std::ofstream(system_ / "c.json") << "{ nonsense";
  EXPECT_EQ(read(), of({one, two}));
  EXPECT_NE(skipped_.find("c.json"), std::string::npos) << skipped_;
}

TEST_F(SystemWisdom, IsBelievedOnlyWhereNobodyElseCanWrite) {
  const Wisdom wisdom = of({entry_of(Arithmetic::simt, 0.9)});
  const auto file = system_ / "site.json";
  save_wisdom(file, wisdom);
  for (const auto& path : {file, system_}) {
    for (const mode_t mode : {0775U, 0757U}) {
      ::chmod(path.c_str(), mode);
      EXPECT_EQ(read(), Wisdom()) << path << mode;
      EXPECT_NE(skipped_.find(path.string()), std::string::npos) << skipped_;
      EXPECT_NE(skipped_.find("chmod go-w"), std::string::npos) << skipped_;
    }
    ::chmod(path.c_str(), 0755);
    EXPECT_EQ(read(), wisdom);
    if (::geteuid() != 0) continue;  // only root gives files away
    ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
    EXPECT_EQ(read(), Wisdom()) << path;
    EXPECT_NE(skipped_.find("belongs to another user"), std::string::npos) << skipped_;
    ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  }
}

TEST_F(SystemWisdom, NeedNotBeThere) {
  std::filesystem::remove(system_);
  EXPECT_EQ(read(), Wisdom());
  EXPECT_EQ(skipped_, "");
  EXPECT_EQ(load_system_wisdom("", {}), Wisdom());
}

}  // namespace
}  // namespace sonoma::testing
