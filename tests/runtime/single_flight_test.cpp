// Meaningful under ThreadSanitizer too.
#include "single_flight.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sonoma {
namespace {

constexpr int threads = 16;

// `body` on every thread, all starting together.
template <class Body>
void on_all_threads(Body&& body) {
  std::barrier start(threads);
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

// Long enough for the other threads to come and wait.
void be_slow() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

TEST(SingleFlight, ManyThreadsMakeOneValue) {
  SingleFlight<int, std::string> cache(threads);
  std::atomic<int> made = 0;
  std::vector<std::shared_ptr<const std::string>> values(threads);
  on_all_threads([&](int i) {
    values[static_cast<std::size_t>(i)] = cache.get(7, [&] {
      ++made;
      be_slow();
      return std::make_shared<const std::string>("seven");
    });
  });
  EXPECT_EQ(made, 1);
  for (const auto& value : values) EXPECT_EQ(value, values[0]);
  EXPECT_EQ(*values[0], "seven");
}

TEST(SingleFlight, DifferentKeysDoNotWaitForEachOther) {
  SingleFlight<int, int> cache(threads);
  std::barrier all_are_making(threads);  // would never be passed if one waited for another
  on_all_threads([&](int i) {
    const auto value = cache.get(i, [&] {
      all_are_making.arrive_and_wait();
      return std::make_shared<const int>(i);
    });
    EXPECT_EQ(*value, i);
  });
  EXPECT_EQ(cache.size(), static_cast<std::size_t>(threads));
}

TEST(SingleFlight, FailureReachesAllWhoWaitAndIsNotKept) {
  SingleFlight<int, int> cache(threads);
  std::atomic<int> made = 0, failures = 0;
  on_all_threads([&](int) {
    try {
      (void)cache.get(7, [&]() -> std::shared_ptr<const int> {
        ++made;
        be_slow();
        throw std::runtime_error("no");
      });
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "no");
      ++failures;
    }
  });
  EXPECT_EQ(failures, threads);
  EXPECT_GE(made, 1);
  EXPECT_LT(made, threads);  // at least one waited; late comers try again
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(*cache.get(7, [] { return std::make_shared<const int>(1); }), 1);
}

TEST(SingleFlight, KeepsWhatWasAskedForLast) {
  SingleFlight<int, int> cache(2);
  int made = 0;
  const auto get = [&](int key) {
    return cache.get(key, [&] {
      ++made;
      return std::make_shared<const int>(key);
    });
  };
  const auto held = get(1);
  (void)get(2);
  (void)get(1);
  (void)get(3);  // 2 goes
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(get(1), held);
  EXPECT_EQ(made, 3);
  (void)get(2);
  EXPECT_EQ(made, 4);
  (void)get(3);  // 1 went
  EXPECT_EQ(made, 5);
  EXPECT_EQ(*held, 1);
}

TEST(SingleFlight, WhatIsBeingMadeIsNotDropped) {
  SingleFlight<int, int> cache(1);
  std::atomic<int> made = 0;
  on_all_threads([&](int) {
    (void)cache.get(7, [&] {
      ++made;
      (void)cache.get(8, [] { return std::make_shared<const int>(8); });
      be_slow();
      return std::make_shared<const int>(7);
    });
  });
  EXPECT_EQ(made, 1);
  (void)cache.get(9, [] { return std::make_shared<const int>(9); });
  EXPECT_EQ(cache.size(), 1U);
}

}  // namespace
}  // namespace sonoma
