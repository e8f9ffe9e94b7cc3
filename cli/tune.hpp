// What `tune` is asked for, and what it prints.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/candidates.hpp"
#include "sonoma/wisdom.hpp"
#include "tuner.hpp"

namespace sonoma::cli {

/// As typed.
struct TuneRequest {
  std::optional<std::string> n, suite, engine, accuracy, points;
  std::string precision = "f32", effort = "measure";
};

/// One search.
struct TuneJob {
  FftProblem problem;  ///< with the batch that is to be measured
  Arithmetic arithmetic = Arithmetic::simt;
  Effort effort = Effort::measure;
};

/// At least one; those of one storage follow each other. Throws BadArgument, UnsupportedProblem.
[[nodiscard]] std::vector<TuneJob> jobs_of(const TuneRequest& request);

/// "n=4096 f32 split3"
[[nodiscard]] std::string to_string(const TuneJob& job);

void print_header();
void print(const TuneJob& job, const bench::Search& search,
           const std::optional<WisdomEntry>& entry);
/// The cheapest of the estimates.
void print(const TuneJob& job, const std::vector<Candidate>& found);
void print(const Wisdom& wisdom);

[[nodiscard]] nlohmann::json to_json(const TuneJob& job, const bench::Search& search,
                                     const std::optional<WisdomEntry>& entry);
[[nodiscard]] nlohmann::json to_json(const TuneJob& job, const std::vector<Candidate>& found);

}  // namespace sonoma::cli
