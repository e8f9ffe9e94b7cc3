// A subject as texts: columns of the measurements, and fields of compiled kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sonoma/wisdom.hpp"

namespace sonoma::bench {

using Fields = std::vector<std::pair<std::string, std::string>>;  ///< name and value

/// domain, convolution (empty: none), precision, arithmetic, shape ("4096", "64x64"), columns
/// (transforms side by side, empty: none).
[[nodiscard]] Fields fields_of(const Subject& subject);

/// Inverse, of the same names in the same order. Throws std::invalid_argument where a value is none
/// of its field.
[[nodiscard]] Subject subject_of_fields(const Fields& fields);

}  // namespace sonoma::bench
