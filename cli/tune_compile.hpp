// The first half of `tune`: what is measured of each job, found and compiled. Needs no GPU.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "made_ahead.hpp"
#include "tune.hpp"
#include "tune_folder.hpp"

namespace sonoma::cli {

/// Which candidates of a job.
struct CandidateChoice {
  /// Beside the generator's defaults and what is known so many, which the cost model likes best.
  std::optional<std::size_t> most;
  bool again = false;  ///< no search: those of bench::tunings_again()
};

class CompileHalf {
 public:
  /// `jobs` and `target` outlive this. What `folder` has is kept: candidates that are not asked for
  /// too, and kernels whose text is the same are not compiled again.
  CompileHalf(const std::vector<TuneJob>& jobs, const Target& target, const CandidateChoice& choice,
              std::size_t threads, const bench::TuneFolder* folder = nullptr);

  /// Those of job i, in so many seconds; see bench::MadeAhead::get(). Of tunings whose kernels have
  /// the same text the first.
  [[nodiscard]] bench::CompiledSubject get(std::size_t i, double seconds);
  [[nodiscard]] bool is_in_folder(std::size_t i, const bench::CompiledSubject& subject) const;
  /// "812 of 1500 kernels, 3 min left"
  [[nodiscard]] std::string progress() const;

 private:
  [[nodiscard]] bench::SearchWork work_of(std::size_t i, const CandidateChoice& choice);

  const std::vector<TuneJob>& jobs_;
  const Target& target_;
  const bench::TuneFolder* folder_;
  std::vector<std::optional<bench::CompiledSubject>> known_;  ///< of the folder
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unique_ptr<bench::MadeAhead> ahead_;
};

/// `tune --compile-only`: all of it into the folder, and how much that is.
void compile_into(const bench::TuneFolder& folder, const std::vector<TuneJob>& jobs,
                  const Target& target, const CandidateChoice& choice);

}  // namespace sonoma::cli
