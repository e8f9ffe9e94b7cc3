// What a plan says of its error, beside what it does.
#pragma once

#include <string>
#include <vector>

#include "every_kind.hpp"
#include "sonoma/plan.hpp"

namespace sonoma::test {

/// Errors relative in the 2-norm, not in u.
struct Accuracy {
  double bound = 0, expected = 0;  ///< of the plan
  double expected_bias = 0;        ///< of the plan's kernels
  double random = 0, bias = 0;     ///< of random input: the root of the mean square; the mean
  double spread = 0;               ///< of the bias
  double found = 0;                ///< the largest that a search found
  std::string input;               ///< where it began
};
[[nodiscard]] Accuracy accuracy_of(const Request& request, Device device, int generations);
[[nodiscard]] std::string to_string(const Accuracy& accuracy);
/// For a batch of about so many points; of kernels that `edit` changes.
[[nodiscard]] Plan plan_of(const Request& request, Device device, std::int64_t points,
                           const EditKernel& edit = {});

/// Every method, engine, radix, kind of transform and storage.
[[nodiscard]] std::vector<Request> accuracy_requests();
/// Methods and kinds at lengths as short as they get.
[[nodiscard]] std::vector<Request> short_requests();

}  // namespace sonoma::test
