// Which measurements serve which subjects.
#pragma once

#include <cstdint>

#include "sonoma/wisdom.hpp"

namespace sonoma {

/// Of transforms that lie so: rows that follow each other, frames of a signal, or columns.
[[nodiscard]] bool is_measured(const FftProblem& problem);

/// Columns also where there are more or fewer of them, if blocks have all of their columns.
[[nodiscard]] bool serves(const WisdomEntry& entry, const Subject& wanted);

/// Of numbers of columns: 1 of equal ones, else less.
[[nodiscard]] double likeness(std::int64_t columns, std::int64_t others);

}  // namespace sonoma
