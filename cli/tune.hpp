// What `tune` is asked for, and what it prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "request_options.hpp"
#include "sonoma/candidates.hpp"
#include "sonoma/wisdom.hpp"
#include "tuner.hpp"

namespace sonoma::cli {

/// As typed.
struct TuneRequest {
  RequestOptions what;  ///< --n, --shape, or --array and --axes; lists of domains and storages
  std::optional<std::string> suite, engine, accuracy, points;
  std::string effort = "measure";
  bool missing = false;
};

/// One search.
struct TuneJob {
  FftProblem problem;  ///< with the batch that is to be measured
  Arithmetic arithmetic = Arithmetic::simt;
  Effort effort = Effort::measure;
  std::vector<Tuning> known;  ///< what wisdom has of it on this architecture
};

/// At least one, each once; those of one storage follow each other. Of several axes the parts of
/// their plans on `target`. Throws BadArgument, UnsupportedProblem.
[[nodiscard]] std::vector<TuneJob> jobs_of(const TuneRequest& request, const Target& target);

/// Of `known` what the request asks for, all where it names nothing; of one architecture or of all.
[[nodiscard]] Wisdom as_asked(const TuneRequest& request, const Wisdom& known,
                              std::optional<int> arch);

/// As jobs_of(), of all that `known` has of the architecture and the request asks for, each of as
/// many points as it was measured on.
[[nodiscard]] std::vector<TuneJob> jobs_again(const TuneRequest& request, const Wisdom& known,
                                              int arch);

/// Sets what is known of each job.
void add_known(std::vector<TuneJob>& jobs, const Wisdom& known, int arch);

[[nodiscard]] Subject subject_of(const TuneJob& job);
/// "4096", "64x64", "512|257" of 257 columns
[[nodiscard]] std::string size_of(const Subject& subject);
/// "f32", "r2c f32", "real-convolution f32"
[[nodiscard]] std::string type_of(const Subject& subject);
/// "n=4096 f32 split3", "n=4096 r2c f32 simt"
[[nodiscard]] std::string to_string(const Subject& subject);
[[nodiscard]] std::string to_string(const TuneJob& job);

void print_header();
void print(const Subject& subject, const bench::Search& search,
           const std::optional<WisdomEntry>& entry);
/// The cheapest of the estimates.
void print(const TuneJob& job, const std::vector<Candidate>& found);
void print(const Wisdom& wisdom);

[[nodiscard]] nlohmann::json to_json(const Subject& subject, const bench::Search& search,
                                     const std::optional<WisdomEntry>& entry);
[[nodiscard]] nlohmann::json to_json(const TuneJob& job, const std::vector<Candidate>& found);

}  // namespace sonoma::cli
