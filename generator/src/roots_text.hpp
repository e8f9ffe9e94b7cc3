// Constants of the butterflies of mixed_butterflies.cuh.
#pragma once

#include <string>

#include "sonoma/decomposition.hpp"

namespace sonoma {

/// A specialisation of Roots for every order whose roots the radices need: their odd prime factors,
/// and the powers of one prime among them that they divide by.
[[nodiscard]] std::string roots_text(const Decomposition& decomposition);

}  // namespace sonoma
