// Which axes of an array are transformed, and the request that follows from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "request_options.hpp"

namespace sonoma::cli {

/// An array in C order, and what is asked of it: which of its axes --axes says.
struct ArrayRequest {
  const RequestOptions& options;
  std::string name;                        ///< of the file where it was read
  const std::vector<std::int64_t>& shape;  ///< no axis is empty
};

/// Arrays lie in memory as the first points, along each axis, of arrays that may be larger.
struct ArrayProblem {
  FftProblem problem;
  std::vector<std::int64_t> out_shape;                    ///< of the result
  std::vector<std::int64_t> in_room = {}, out_room = {};  ///< empty: as the arrays
};

/// "(2, 3)", as numpy writes it.
[[nodiscard]] std::string shape_text(const std::vector<std::int64_t>& shape);

/// --domain, c2c without it.
[[nodiscard]] Domain domain_of(const RequestOptions& options);

/// The axes of --axes, each once, or as many of the last ones as --shape has lengths, or the last
/// one. Throws BadArgument.
[[nodiscard]] std::vector<std::size_t> axes_of(const ArrayRequest& request);

/// Transforms of all points along the axes of --axes, or as many of the last ones as --shape has
/// lengths, or the last one, cropped or padded to the lengths of --shape and --n as numpy's
/// fftn(s=..., axes=...) does. Throws BadArgument
/// where options do not agree with the array, or with each other.
[[nodiscard]] ArrayProblem problem_of_array(const ArrayRequest& request);

}  // namespace sonoma::cli
