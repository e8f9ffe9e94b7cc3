// The arithmetics that a request admits.
#pragma once

#include <vector>

#include "sonoma/choose.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/schedule.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

/// `tuning` with the engine and the products that stand for `arithmetic`.
[[nodiscard]] Tuning with_arithmetic(Tuning tuning, Arithmetic arithmetic);

/// True if what `tuning` says is another arithmetic's.
[[nodiscard]] bool rules_out(const Tuning& tuning, Arithmetic arithmetic);

/// True if every field that is set in `wanted` has that value in `tuning`, which is resolved.
[[nodiscard]] bool agrees(const Tuning& tuning, const Tuning& wanted);

}  // namespace sonoma
