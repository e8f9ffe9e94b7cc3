// The kernels of several searches, found and compiled while the first ones are measured.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sonoma/candidates.hpp"

namespace sonoma::bench {

/// One search: its candidates, and what puts the kernel of one into the cache, where the GPU's
/// stand will find it. `make` does not throw. Of many candidates the first are made.
struct SearchWork {
  std::function<std::vector<Candidate>()> find;
  std::function<void(const Tuning&)> make;
};

/// All cores but one work, on the kernels of the first searches first.
class MadeAhead {
 public:
  explicit MadeAhead(std::vector<SearchWork> work);
  ~MadeAhead();  ///< what has not begun is left
  MadeAhead(const MadeAhead&) = delete;
  MadeAhead& operator=(const MadeAhead&) = delete;

  /// The candidates of search i, when these are made; throws what finding them threw. Once for
  /// each.
  [[nodiscard]] std::vector<Candidate> get(std::size_t i);

 private:
  struct Item {
    SearchWork work;
    bool begun = false, found = false;
    std::vector<Candidate> candidates = {};
    std::size_t first = 0, next = 0, made = 0;  ///< of these, so many, are begun, are made
    std::exception_ptr failure = nullptr;
  };

  void take();
  void find(Item& item, std::unique_lock<std::mutex>& lock);
  void make(Item& item, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::vector<Item> items_;
  std::vector<std::thread> threads_;
};

}  // namespace sonoma::bench
