// One side of a comparison: what is known of it before it runs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "explain.hpp"
#include "sonoma/cost_model.hpp"

namespace sonoma::cli {

struct Compared {
  RequestOptions options;
  FftProblem problem;
  Target target;
  Choice choice;
  Program program;                    ///< with --batch or of an array for so many transforms
  std::vector<LaunchKernel> kernels;  ///< of its launches
  std::vector<Binary> binaries;       ///< of these
  CostEstimate cost;
};

/// Generates and, where there is NVRTC, compiles. Throws BadArgument, UnsupportedProblem.
[[nodiscard]] Compared compared(const RequestOptions& options);

/// A line for each fact, with that of A and of B.
[[nodiscard]] std::string beside(const Compared& a, const Compared& b);
[[nodiscard]] nlohmann::json json_of(const Compared& side);

/// The schedules of all passes.
[[nodiscard]] std::string schedules_of(const Compared& side);
/// The text of all launches, without what is above the plan: the primitives that it calls.
[[nodiscard]] std::string text_of(const Compared& side);

}  // namespace sonoma::cli
