// What a plan will need, before it is made.
#pragma once

#include <cstddef>

#include "sonoma/api.hpp"
#include "sonoma/plan.hpp"

namespace SONOMA_API sonoma {

/// Plan::workspace_bytes() of the plan that make_plan() would make of these arguments: bytes of
/// device memory that an execution needs beside in and out. Decides what a plan runs, in less than
/// a millisecond; compiles and allocates nothing. With WorkspaceOwner::plan the plan allocates
/// them, with WorkspaceOwner::caller each execution is given as many. Throws UnsupportedProblem, as
/// make_plan() does.
[[nodiscard]] std::size_t workspace_bytes(const FftProblem& problem,
                                          const PlanOptions& options = {});

}  // namespace sonoma
