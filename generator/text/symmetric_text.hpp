// The text of butterflies of odd primes, and of 9.
#pragma once

#include <string>
#include <vector>

#include "butterfly_spelling.hpp"

namespace sonoma {

/// The lines of a symmetric butterfly, see symmetric_butterfly.hpp: of points v0, v1, ...
[[nodiscard]] std::vector<std::string> symmetric_lines(unsigned radix, int sign,
                                                       const Spelling& spelling);

}  // namespace sonoma
