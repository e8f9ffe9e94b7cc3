// Which steps of the engine mma are products on tensor cores.
#pragma once

#include "sonoma/tuning.hpp"

namespace sonoma {

/// Refuses choices of steps that are no products. Of a tuning whose engine and decomposition are
/// known.
void check_tensor_steps(const Tuning& tuning);

/// Where it is open. Of a tuning whose decomposition is known.
void choose_tensor_steps(Tuning& tuning);

}  // namespace sonoma
