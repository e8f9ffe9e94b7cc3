// Where the points of a mixed tile lie in shared memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/schedule.hpp"
#include "trips.hpp"

namespace sonoma {

/// Of every digit its stride in shared memory, in points: in the order of time strides each is that
/// of the digit before, times its values, and a few points of padding. The pads are searched, one
/// after the other, for the fewest wavefronts over the accesses of `trips`.
[[nodiscard]] std::vector<std::uint32_t> search_padding(const std::vector<Digit>& digits,
                                                        const std::vector<Trip>& trips);

/// Points that the padded tile takes in shared memory.
[[nodiscard]] std::uint32_t padded_points(const std::vector<Digit>& digits,
                                          const std::vector<std::uint32_t>& strides);

}  // namespace sonoma
