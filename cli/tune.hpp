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
  std::optional<std::string> n, suite, domain, precision, engine, accuracy, points;
  std::string effort = "measure";
};

/// One search.
struct TuneJob {
  FftProblem problem;  ///< with the batch that is to be measured
  Arithmetic arithmetic = Arithmetic::simt;
  Effort effort = Effort::measure;
  std::vector<Tuning> known;  ///< what wisdom has of it on this architecture
};

/// At least one; those of one storage follow each other. Throws BadArgument, UnsupportedProblem.
[[nodiscard]] std::vector<TuneJob> jobs_of(const TuneRequest& request);

/// The same of all that `known` has of the architecture and the request asks for, each of as many
/// points as it was measured on.
[[nodiscard]] std::vector<TuneJob> jobs_again(const TuneRequest& request, const Wisdom& known,
                                              int arch);

/// Sets what is known of each job.
void add_known(std::vector<TuneJob>& jobs, const Wisdom& known, int arch);

/// "n=4096 f32 split3", "n=4096 r2c f32 simt"
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
