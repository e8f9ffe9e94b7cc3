// The search for the fastest kernel: which candidates are timed, how long, and which one is kept.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sonoma/problem.hpp"
#include "sonoma/tuning.hpp"
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

  /// Makes these kernels ready for the two functions below; many at once in parallel.
  /// Result: for each of them nothing, or why it cannot be had.
  virtual std::vector<std::optional<std::string>> prepare(const std::vector<Tuning>& kernels) = 0;

  /// Medians over `repetitions` that interleave a copy and the kernels. Throws FftError where a
  /// kernel cannot be launched, or fails.
  virtual Times time(const std::vector<Tuning>& kernels, int repetitions) = 0;

  struct Error {
    double rel_l2 = 0;  ///< the worst of a sample of transforms
    double limit = 0;   ///< error_limit() of the plan
  };
  virtual Error error(const Tuning& kernel) = 0;

  /// Of a clock that only goes forward.
  virtual double seconds() = 0;

  /// False where a kernel that failed took the device's context with it.
  virtual bool works() { return true; }
};

/// A kernel left a stand that does not work any more: what comes next needs another process.
class StandLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Trial {
  Tuning tuning;
  double eff = 0;  ///< time of the copy over that of the kernel
  double ms = 0;
  double rel_l2 = 0;  ///< 0: not measured
};

/// first: of all candidates; final: of the fastest of those; best: of the one that is taken.
enum class Round { first, final, best };

/// What is known of the candidates before a search, and gets what the search finds at once. This
/// one knows nothing and keeps nothing.
class Journal {
 public:
  Journal() = default;
  virtual ~Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What an earlier search found of a candidate: it is not timed again before the final round.
  virtual std::optional<Trial> trial_of(const Tuning&) { return std::nullopt; }
  /// Why it failed; it is left out.
  virtual std::optional<std::string> failure_of(const Tuning&) { return std::nullopt; }
  /// It may be the one that ended an earlier process, and is timed alone.
  virtual bool is_suspect(const Tuning&) { return false; }

  virtual void begin(const std::vector<Tuning>&) {}  ///< these are about to run
  virtual void end() {}                              ///< they have run
  virtual void add(Round, const Trial&, int /*repetitions*/) {}
  virtual void fail(const Tuning&, const std::string& /*why*/) {}
};

struct Search {
  std::optional<Trial> best;              ///< nothing where no candidate could be measured
  std::size_t candidates = 0, timed = 0;  ///< timed: also by earlier searches
  bool complete = true;                   ///< false: the time was over first
  std::vector<std::string> notes;         ///< candidates that failed, and why
};

/// Times all candidates, in their order, a few times each; then the fastest once more, many times
/// and against each other. Of those that are within 1 % of the fastest, a fixed rule takes one: the
/// fewest registers, then the smallest blocks, then the smaller value. One whose error is above its
/// error_limit() is not taken. A kernel that fails among others is found by timing each alone.
///
/// Stops after about `seconds` with the best so far; at least the first candidates are timed.
/// `timed` is told how many of them were, as the search goes on. Throws StandLost.
[[nodiscard]] Search search(
    const std::vector<Tuning>& candidates, TestStand& stand, double seconds, Journal& journal,
    const std::function<void(std::size_t)>& timed = [](std::size_t) {});

/// What is kept of a search that found something. `date` as in WisdomEntry. Numbers are rounded to
/// what they are worth.
[[nodiscard]] WisdomEntry entry_of(const FftProblem& problem, const Platform& platform,
                                   const Trial& best, const std::string& date);

}  // namespace sonoma::bench
