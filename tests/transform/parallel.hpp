// Many independent cases on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../sample.hpp"

namespace sonoma::test {

/// Calls faults_of(case) for every case, or a sample of them; gives "NAME: FAULTS" lines of those
/// that returned or threw something. NAME is name_of(case).
template <class Case, class NameOf, class FaultsOf>
std::string in_parallel(const std::vector<Case>& cases, NameOf name_of, FaultsOf faults_of) {
  const std::size_t step = sample_step(cases.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::string faults;
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(step); i < cases.size(); i = next.fetch_add(step)) {
      std::string found;
      try {
        found = faults_of(cases[i]);
      } catch (const std::exception& error) {
        found = error.what();
      }
      if (found.empty()) continue;
      const std::lock_guard lock(mutex);
      faults += name_of(cases[i]) + ": " + found + "\n";
    }
  };
  std::vector<std::thread> threads(std::max(1u, std::thread::hardware_concurrency()));
  for (auto& thread : threads) thread = std::thread(work);
  for (auto& thread : threads) thread.join();
  return faults;
}

}  // namespace sonoma::test
