// Requests all over the search space, the same in every run.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "sonoma/generate.hpp"

namespace sonoma::test {

struct RandomRequest {
  FftProblem problem;
  Tuning tuning;
  std::string arch;

  [[nodiscard]] Generated generated() const;
};

/// "n=64 forward f16 scale=1 sm_90 engine=mma decomposition=(gs 4 (dft 16)) ...", for messages.
[[nodiscard]] std::string name(const RandomRequest& request);

/// Any values of each field that its type's documentation names, whether or not they go together.
class RandomRequests {
 public:
  explicit RandomRequests(unsigned seed) : random_(seed) {}
  [[nodiscard]] RandomRequest next();
  /// The next that generate() does not refuse as unsupported.
  [[nodiscard]] RandomRequest next_supported();

 private:
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool one_in(unsigned count) { return below(count) == 0; }
  Decomposition decomposition(unsigned bits);
  Tuning tuning(const FftProblem& problem);

  std::mt19937 random_;
};

}  // namespace sonoma::test
