// Which axes of an array are transformed, and the request that follows from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "request_options.hpp"

namespace sonoma::cli {

/// An array in C order, and which of its axes were asked for.
struct ArrayRequest {
  const RequestOptions& options;
  const std::string& path;                 ///< where it was read
  const std::vector<std::int64_t>& shape;  ///< no axis is empty
  std::optional<std::string> axes;         ///< the value of --axes
};

/// How the points of an array lie in memory: `points` of them, then free ones up to `room`, and so
/// on.
struct Rows {
  std::int64_t points = 1, room = 1;
};

struct ArrayProblem {
  FftProblem problem;
  std::vector<std::int64_t> out_shape;  ///< of the result
  Rows in = {}, out = {};
};

/// "(2, 3)", as numpy writes it.
[[nodiscard]] std::string shape_text(const std::vector<std::int64_t>& shape);

/// --domain, c2c without it.
[[nodiscard]] Domain domain_of(const RequestOptions& options);

/// Transforms of all points along the axes of --axes, or those of --shape, or the last one. Throws
/// BadArgument where options do not agree with the array, or with each other.
[[nodiscard]] ArrayProblem problem_of_array(const ArrayRequest& request);

}  // namespace sonoma::cli
