// Rows of threads, each on half warps of its own: see Tuning::rows.
#pragma once

#include "sonoma/schedule.hpp"

namespace sonoma {

/// Of the phases in shape.rows those whose rows leave gaps: none where blocks share a tile, stay
/// for the next one, or take pairs of butterflies. The layouts of all phases, and which of them
/// goes by remainders, are known.
[[nodiscard]] unsigned phases_in_rows(const Schedule& schedule);

}  // namespace sonoma
