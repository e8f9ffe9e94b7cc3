// Who makes an entry that many processes miss at once.
#include "cache_claim.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "disk_cache.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

class Claim : public ::testing::Test {
 protected:
  using Kernel = std::function<Binary(const CompileInputs&)>;

  [[nodiscard]] DiskCache open() { return {config_, log_}; }
  [[nodiscard]] CacheClaim take(const ClaimTimes& times = {}) {
    return CacheClaim::take(cache_.folder(), key_, times);
  }
  [[nodiscard]] bool is_claimed() const { return cache_.folder().has(claim_file_name(key_)); }
  void put_claim(const std::string& text) const {
    std::filesystem::create_symlink(text, cache_.folder().path() / claim_file_name(key_));
  }
  // A file of this name gets a byte.
  void count(const std::string& name) const {
    const File file(
        ::open((folder_.path() / name).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    (void)write_all(file, "x");
  }
  [[nodiscard]] std::uintmax_t counted(const std::string& name) const {
    const auto path = folder_.path() / name;
    return std::filesystem::exists(path) ? std::filesystem::file_size(path) : 0;
  }
  // Children that all begin when the last one is there; true if each returns 0.
  bool all_at_once(int processes, const std::function<int()>& body) {
    int gate[2];
    if (::pipe2(gate, O_CLOEXEC) != 0) return false;
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
      children.push_back(start_child([&] {
        (void)::close(gate[1]);
        char byte = 0;
        (void)!::read(gate[0], &byte, 1);  // until the parent opens the gate
        return body();
      }));
    }
    (void)::close(gate[0]), (void)::close(gate[1]);
    bool all = true;
    for (const pid_t child : children) all = wait_for(child) == 0 && all;
    return all;
  }

  TemporaryFolder folder_;
  Config config_ = config_with_cache(folder_.path() / "cache");
  Log log_{LogLevel::warn};
  DiskCache cache_{config_, log_};
  std::string key_ = cache_key(some_inputs());
};

TEST_F(Claim, IsGivenBack) {
  {
    const CacheClaim claim = take();
    EXPECT_TRUE(claim);
    EXPECT_TRUE(is_claimed());
  }
  EXPECT_FALSE(is_claimed());
}

// The promise of docs/caching.md.
TEST_F(Claim, AThousandProcessesOnAColdFolderCompileEachKernelOnce) {
  constexpr int processes = 1000;
  const std::vector<std::string> kernels = {"first", "second", "third"};
  const auto body = [&] {
    const DiskCache cache = open();
    for (const std::string& name : kernels) {
      const auto compile = [&](const CompileInputs&) {
        count(name);
        std::this_thread::sleep_for(milliseconds(200));
        return some_binary(30'000);
      };
      if (find_or_compile(cache, some_inputs(name), compile).binary != some_binary(30'000))
        return 1;
    }
    return 0;
  };
  EXPECT_TRUE(all_at_once(processes, body));
  for (const std::string& name : kernels) EXPECT_EQ(counted(name), 1U) << name;
  const auto files = cache_.folder().files();
  EXPECT_EQ(files.size(), kernels.size());  // and nothing else
  for (const CacheFile& file : files) EXPECT_TRUE(is_entry_file(file.name)) << file.name;
}

// What one has tried in vain all try, and none waits for all others in turn.
TEST_F(Claim, AKernelThatDoesNotCompileKeepsNobodyWaiting) {
  const auto start = Clock::now();
  EXPECT_TRUE(all_at_once(20, [&] {
    try {
      (void)find_or_compile(open(), some_inputs(), [](const CompileInputs&) -> Binary {
        std::this_thread::sleep_for(milliseconds(200));
        throw FftError(Stage::compile, "no");
      });
    } catch (const FftError&) {
      return 0;
    }
    return 1;
  }));
  EXPECT_LT(Clock::now() - start, milliseconds(20 * 200));
  EXPECT_FALSE(is_claimed());
}

TEST_F(Claim, OfAProcessThatDiedIsTakenOver) {
  const pid_t child = start_child([&]() -> int {
    const CacheClaim claim = take();
    for (;;) ::pause();
  });
  while (!is_claimed()) std::this_thread::sleep_for(milliseconds(1));
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(wait_for(child), 128 + SIGKILL);
  const auto start = Clock::now();
  EXPECT_TRUE(take());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));  // not after ClaimTimes::stale
}

// As of another host, or of a process that hangs.
TEST_F(Claim, ThatStaysTooLongIsTakenOver) {
  put_claim("another host\n1\n");
  const auto start = Clock::now();
  EXPECT_TRUE(take({.stale = milliseconds(300)}));
  EXPECT_GE(Clock::now() - start, milliseconds(300));
  EXPECT_FALSE(is_claimed());
}

// Claims that come and go, and no entry: at some time each compiles for itself.
TEST_F(Claim, IsNotWaitedForForEver) {
  const CacheClaim held = take();
  const auto start = Clock::now();
  EXPECT_FALSE(take({.longest = milliseconds(100)}));
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST_F(Claim, IsNotNeededWhereTheEntryAppears) {
  const CacheClaim held = take();
  std::thread writer([&] {
    std::this_thread::sleep_for(milliseconds(50));
    cache_.store(some_inputs(), some_binary());
  });
  EXPECT_FALSE(take());
  writer.join();
  EXPECT_EQ(cache_.load(some_inputs()), some_binary());
}

TEST_F(Claim, WhatItSaysMayBeAnything) {
  for (const std::string text : {"\n", "no line", "\n\n\n", "host\n99999999999999999999\n"}) {
    put_claim(text);
    EXPECT_TRUE(take({.stale = milliseconds(20)})) << text;
  }
}

// Until 2026-11-25 claims were files.
TEST_F(Claim, OfAnOlderVersionIsRespected) {
  write_file(cache_.folder().path() / claim_file_name(key_), "another host\n1\n");
  const auto start = Clock::now();
  EXPECT_TRUE(take({.stale = milliseconds(100)}));
  EXPECT_GE(Clock::now() - start, milliseconds(100));
}

TEST_F(Claim, WhereNoneCanBeTakenNobodyWaits) {
  config_.cache_write = false;
  EXPECT_FALSE(open().claim(some_inputs()));
  config_.cache_write = true, config_.cache_read = false;
  EXPECT_FALSE(open().claim(some_inputs()));
  config_.cache_dir.clear();
  EXPECT_FALSE(open().claim(some_inputs()));
}

}  // namespace
}  // namespace sonoma::testing
