// What sonoma bench was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "request_options.hpp"
#include "run_suite.hpp"
#include "suite.hpp"

namespace sonoma::cli {

struct BenchOptions {
  std::string suite = "pow2", csv, plot;
  std::optional<std::string> precision, vs, points, repeat;
  RequestOptions request;  ///< which transforms, and where points lie
  std::vector<std::string> from;
  bool as_json = false;
};

/// Both throw BadArgument.
[[nodiscard]] bench::Suite suite_of(const BenchOptions& options);
[[nodiscard]] bench::RunOptions run_options_of(const BenchOptions& options);

}  // namespace sonoma::cli
