// The second half of a search: what was compiled is measured, kept, and the best becomes wisdom.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "measurements.hpp"

namespace sonoma::bench {

/// The stand on which the candidates of a subject are measured; asked for where something is to be
/// measured.
using StandMaker = std::function<std::unique_ptr<TestStand>(const CompiledSubject&)>;

struct Outcome {
  Search search;
  std::optional<WisdomEntry> entry;  ///< what was taken
  bool measured = true;              ///< false: all of it was known
};

/// Measures what `rows` does not have of the candidates, in so many seconds. Throws as search()
/// does.
[[nodiscard]] Outcome measure(
    const CompiledSubject& subject, Measurements& rows, const StandMaker& stand, double seconds,
    const std::function<void(std::size_t)>& timed = [](std::size_t) {});

/// Puts outcomes into a wisdom file, whose reading and writing takes longer the more is in it.
class WisdomKeeper {
 public:
  /// Writes when so many seconds have gone since it did last, and when it is asked to.
  WisdomKeeper(std::filesystem::path file, double seconds)
      : file_(std::move(file)), seconds_(seconds) {}

  /// What was measured now replaces what the file has; what was measured earlier is merged into it.
  void add(const Outcome& outcome);
  void write();

 private:
  const std::filesystem::path file_;
  const double seconds_;
  std::vector<WisdomEntry> fresh_;
  Wisdom earlier_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace sonoma::bench
