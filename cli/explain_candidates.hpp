// The tunings that could serve a request, and why one of them was taken.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "request_options.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma::cli {

/// What rows of a tuner's measurements say about a tuning: the best of them, in shares of the speed
/// of a copy.
struct Recorded {
  double eff = 0;
  int rows = 0;
};

struct RankedCandidate {
  Tuning tuning;
  double predicted = 0;                 ///< share of the speed of a copy
  std::optional<WisdomEntry> measured;  ///< of wisdom
  std::optional<Recorded> recorded;     ///< of the rows
  bool taken = false;
};

/// Of one transform that a plan is made of, by one arithmetic.
struct RankedCandidates {
  FftProblem problem;
  Arithmetic arithmetic = Arithmetic::simt;
  std::vector<RankedCandidate> all;  ///< the cheapest by the cost model first
  std::string reason;                ///< of what is taken of this transform, by any arithmetic
};

/// Those of every part of the plan that agree with the tuning in `options`. `rows`: the text of a
/// measurements.csv, see bench/measurements.hpp; may be empty. Throws UnsupportedProblem,
/// BadArgument.
[[nodiscard]] std::vector<RankedCandidates> ranked_candidates(const RequestOptions& options,
                                                              const FftProblem& problem,
                                                              const std::string& rows);

/// The first `most` of each, and all that were measured or taken.
[[nodiscard]] std::string table_of(const std::vector<RankedCandidates>& ranked, std::size_t most);
[[nodiscard]] nlohmann::json json_of(const std::vector<RankedCandidates>& ranked, std::size_t most);

}  // namespace sonoma::cli
