// What a schedule needs that a request may not have; each throws UnsupportedProblem.
#pragma once

#include "sonoma/schedule.hpp"

namespace sonoma {

/// Of the pass, before it is scheduled: a block takes whole columns, and only those of one row.
void require_columns(const Pass& pass, const Tuning& tuning);

/// Of what was scheduled: room, and what clusters, persistent blocks and ends demand.
void require_servable(const Schedule& schedule, const Target& target);

}  // namespace sonoma
