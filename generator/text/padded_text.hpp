// Fused butterflies of which some points are known to be zero: the padding of a convolution. A
// compiler leaves x - 0 out, but not x + 0, which is another number where x is -0.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "butterfly_spelling.hpp"

namespace sonoma {

/// Of points a and b, either of which may be zero: their sum, and their difference.
[[nodiscard]] std::string point_sum(const Spelling& spelling, unsigned a, unsigned b);
[[nodiscard]] std::string point_difference(const Spelling& spelling, unsigned a, unsigned b);

/// What a function's name says of them: "_of_first_10", "_without_v3_v4".
[[nodiscard]] std::string without_zeros(const Spelling& spelling);

/// The same of some of its points, numbered anew; with no zeros where none of these is one.
[[nodiscard]] Spelling part_of(const Spelling& spelling, const std::vector<unsigned>& points);
[[nodiscard]] bool all_zero(const Spelling& spelling);

/// Lines of a butterfly of 2, 4, 8 or 16 points. `of_four`: the line that makes one of 4 of these.
using PartLine = std::function<std::string(const std::vector<unsigned>& points)>;
[[nodiscard]] std::vector<std::string> lines_of_bits(unsigned radix, int sign,
                                                     const Spelling& spelling,
                                                     const PartLine& of_four);

}  // namespace sonoma
