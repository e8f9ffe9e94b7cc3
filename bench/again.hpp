// What wisdom has, measured again: which kernels are made for an entry, and how they are made
// ahead.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "sonoma/tuning.hpp"

namespace sonoma::bench {

/// What the compiler made of a tuning: the worst of its launches.
struct Made {
  unsigned registers = 0;    ///< that a thread was allowed
  unsigned local_bytes = 0;  ///< more than 0: it spills
};

/// Nothing where the generator or the compiler refuses a tuning.
using Maker = std::function<std::optional<Made>(const Tuning&)>;

/// The tunings that are measured in place of `known` ones: these, and beside those that spill or
/// are refused the generator's `defaults`; beside those that spill the same with 8, 16 and 32
/// registers more. All are made, so that they are found in the cache of kernels.
[[nodiscard]] std::vector<Tuning> tunings_again(const std::vector<Tuning>& known, const Maker& make,
                                                const std::function<Tuning()>& defaults);

/// Lists of tunings that all cores but one work out in their order, while the first are measured.
class Ahead {
 public:
  using Work = std::function<std::vector<Tuning>()>;

  explicit Ahead(std::vector<Work> work);
  ~Ahead();  ///< what has not begun is left
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  /// Waits for it; throws what it threw. Once for each.
  [[nodiscard]] std::vector<Tuning> get(std::size_t i);

 private:
  std::vector<std::packaged_task<std::vector<Tuning>()>> tasks_;
  std::vector<std::future<std::vector<Tuning>>> results_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace sonoma::bench
