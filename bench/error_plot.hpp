// Errors over length as a picture: what was measured, what the plan says, and cuFFT's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chart.hpp"
#include "result.hpp"
#include "sonoma/problem.hpp"

namespace sonoma::bench {

/// One plan; errors in u.
struct ErrorOfPlan {
  FftProblem problem;
  std::string asked;  ///< what its lines are called: "mma"; empty: what the planner takes
  double measured = 0, expected = 0, bound = 0;
  std::optional<double> cufft;
};

/// That of cuFFT on a transform of the same kind and lengths, in u.
[[nodiscard]] std::optional<double> cufft_error(const std::vector<Row>& rows,
                                                const FftProblem& problem);

/// A chart for each storage of results, with lines for each tuning. What is 0 is left out.
[[nodiscard]] std::vector<Chart> error_charts(const std::vector<ErrorOfPlan>& errors);

}  // namespace sonoma::bench
