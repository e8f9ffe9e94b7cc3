// Where the points of a mixed tile lie in shared memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sonoma/schedule.hpp"
#include "trips.hpp"

namespace sonoma {

/// Of every digit the points of padding before it, see shared_strides(). They are searched, one
/// after the other, for the fewest wavefronts over the accesses of `trips`. `banks`: of shared
/// memory, each as wide as what is moved, 16 of points or 32 of parts; as many lanes are served
/// together. `most` points or parts, with their padding, have room.
[[nodiscard]] std::vector<std::uint32_t> search_padding(const std::vector<Digit>& digits,
                                                        const std::vector<Trip>& trips,
                                                        std::uint32_t most,
                                                        std::uint32_t banks = 16);

}  // namespace sonoma
