// The first half of a search: candidates are found and compiled, by many threads and for several
// searches at once.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "compiled_subject.hpp"

namespace sonoma::bench {

/// One search: its candidates, and the kernels of one. What either throws ends it.
struct SearchWork {
  std::function<std::vector<Tuning>()> find;
  std::function<CompiledKernels(const Tuning&)> make;
};

/// Kernels of the first searches come first.
class MadeAhead {
 public:
  MadeAhead(std::vector<SearchWork> work, std::size_t threads);
  ~MadeAhead();  ///< what has not begun is left
  MadeAhead(const MadeAhead&) = delete;
  MadeAhead& operator=(const MadeAhead&) = delete;

  /// The kernels of search i in the order of its candidates, when all are made, or after so many
  /// seconds the first of them, at least one. Throws what finding or making them threw. Once for
  /// each.
  [[nodiscard]] std::vector<CompiledKernels> get(
      std::size_t i, double seconds = std::numeric_limits<double>::infinity());

  /// How many kernels were made so far, of how many; of searches that have not begun as many are
  /// guessed as others have.
  struct Count {
    std::size_t made = 0, all = 0;
  };
  [[nodiscard]] Count count() const;

 private:
  struct Item {
    SearchWork work;
    bool begun = false, found = false;
    std::vector<Tuning> candidates = {};
    std::vector<CompiledKernels> kernels = {};
    std::size_t end = 0, next = 0, made = 0;  ///< of these, so many, are begun, are made
    std::exception_ptr failure = nullptr;

    [[nodiscard]] bool over() const { return found && made == next && next == end; }
  };

  void take();
  void find(Item& item, std::unique_lock<std::mutex>& lock);
  void make(Item& item, std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::vector<Item> items_;
  std::vector<std::thread> threads_;
};

}  // namespace sonoma::bench
