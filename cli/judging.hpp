// The verification protocol on plans.
#pragma once

#include <cstdint>
#include <optional>

#include "request_options.hpp"
#include "sonoma/plan.hpp"
#include "sonoma/verify/check.hpp"

namespace sonoma::cli {

/// One plan to judge.
struct Case {
  FftProblem problem;
  PlanOptions plan;
  std::optional<std::int64_t> most;  ///< transforms in an execution
  bool whole = false;                ///< each execution is of an array
  verification::Oracle oracle = verification::Oracle::fftw;
};

/// The problem that is asked for; with --batch or of an array so many transforms in an execution.
[[nodiscard]] Case case_asked(const RequestOptions& request, const PlanOptions& plan);

/// Throws BadArgument where there is no room for the transforms that check() takes, or the oracle
/// has no way to them.
void require_room(const Case& the_case);

/// `plan`: of the case. Others of more transforms are made.
[[nodiscard]] verification::Report check(const Case& the_case, const Plan& plan);

}  // namespace sonoma::cli
