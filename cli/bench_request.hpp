// What sonoma bench was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernel_file.hpp"
#include "request_options.hpp"
#include "run_suite.hpp"
#include "suite.hpp"

namespace sonoma::cli {

struct BenchOptions {
  std::string suite = "pow2", csv, plot;
  std::optional<std::string> precision, vs, points, repeat;
  RequestOptions request;  ///< which transforms, where points lie, and a tuning
  KernelOptions kernel;
  std::vector<std::string> from;
  bool as_json = false;
};

/// Both throw BadArgument.
[[nodiscard]] bench::Suite suite_of(const BenchOptions& options);
[[nodiscard]] bench::RunOptions run_options_of(const BenchOptions& options);

/// The row of a tuning that was asked for, or of edited kernels.
[[nodiscard]] bool is_asked(const std::string& lib);

}  // namespace sonoma::cli
