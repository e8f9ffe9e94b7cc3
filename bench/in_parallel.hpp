// Work for all threads of a machine.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace sonoma::bench {

/// work(0), ..., work(count - 1), each once, by as many threads as the machine runs at once. `work`
/// does not throw.
template <class Work>
void for_each_in_parallel(std::size_t count, Work&& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1,
                                                      std::max<std::size_t>(count, 1));
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(take);
  take();
  for (auto& thread : others) thread.join();
}

}  // namespace sonoma::bench
