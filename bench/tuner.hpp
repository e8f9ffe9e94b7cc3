// The search for the fastest kernel: which candidates are timed, how long, and which one is kept.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/candidates.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma::bench {

/// Where candidates of one problem are measured. The GPU's is in gpu_stand.hpp.
class TestStand {
 public:
  TestStand() = default;
  virtual ~TestStand() = default;
  TestStand(const TestStand&) = delete;
  TestStand& operator=(const TestStand&) = delete;

  struct Times {
    double copy_ms = 0;
    std::vector<double> ms;  ///< of each kernel, in the order of the question
  };

  /// Makes these kernels ready for the two functions below; many at once are made in parallel.
  /// Result: for each of them nothing, or why it cannot be had.
  virtual std::vector<std::optional<std::string>> prepare(const std::vector<Tuning>& kernels) = 0;

  /// Medians over `repetitions` that interleave a copy and the kernels.
  virtual Times time(const std::vector<Tuning>& kernels, int repetitions) = 0;

  struct Error {
    double rel_l2 = 0;  ///< the worst of a sample of transforms
    double limit = 0;   ///< error_limit() of the plan
  };
  virtual Error error(const Tuning& kernel) = 0;

  /// Of a clock that only goes forward.
  virtual double seconds() = 0;
};

struct Trial {
  Tuning tuning;
  double eff = 0;  ///< time of the copy over that of the kernel
  double ms = 0;
  double rel_l2 = 0;  ///< 0: not measured
};

struct Search {
  std::optional<Trial> best;  ///< nothing where no candidate could be measured
  std::size_t candidates = 0, timed = 0;
  bool complete = true;            ///< false: the time was over first
  std::vector<std::string> notes;  ///< candidates that failed, and why
};

/// Times all candidates, in their order, a few times each; then the fastest once more, many times
/// and against each other. Of those that are within 1 % of the fastest, a fixed rule takes one: the
/// fewest registers, then the smallest blocks, then the smaller value. One whose error is above its
/// error_limit() is not taken.
///
/// Stops after about `seconds` with the best so far; at least the first candidates are timed.
/// `timed` is told how many of them were, as the search goes on.
[[nodiscard]] Search search(
    const std::vector<Candidate>& candidates, TestStand& stand, double seconds,
    const std::function<void(std::size_t)>& timed = [](std::size_t) {});

/// What is kept of a search that found something. `date` as in WisdomEntry. Numbers are rounded to
/// what they are worth.
[[nodiscard]] WisdomEntry entry_of(const FftProblem& problem, const Platform& platform,
                                   const Trial& best, const std::string& date);

}  // namespace sonoma::bench
