// Requests of every kind that the documentation knows, put together by chance.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "sonoma/problem.hpp"
#include "sonoma/target.hpp"
#include "sonoma/workspace_policy.hpp"

namespace sonoma::testing {

struct PromisedRequest {
  FftProblem problem;
  Target target;
  WorkspacePolicy policy = WorkspacePolicy::fast;
};

/// "c2c f32 n=65536 batch=1 ..., sm_90"
std::string to_string(const PromisedRequest& request);

/// A length on either side of each limit, layouts, ends, orders, storages, domains, accuracies and
/// architectures: each by a draw of its own, so that any two of them meet. Equal seeds, equal
/// requests. Some of them are refused by validate(): what the documentation rules out.
PromisedRequest promised_request(std::mt19937& random);

}  // namespace sonoma::testing
