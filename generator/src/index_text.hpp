// Linear maps as C expressions of the thread index.
#pragma once

#include <string>
#include <vector>

#include "sonoma/layout.hpp"

namespace sonoma {

/// E.g. "thread % 4 * 2 + thread / 4 % 8 * 16": the sum of the strides of the set bits. Every entry
/// is a distinct power of two or 0 (the bit does not count). "0" if none counts. With `counts`, the
/// values of each digit: the sum of digits times strides.
[[nodiscard]] std::string index_text(const std::vector<std::uint32_t>& strides,
                                     const std::vector<unsigned>& counts = {});

}  // namespace sonoma
