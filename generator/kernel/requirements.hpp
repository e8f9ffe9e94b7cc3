// What a schedule needs that a request may not have; each throws UnsupportedProblem.
#pragma once

#include "sonoma/schedule.hpp"

namespace sonoma {

/// True if points of the pass must find their places by their index: see Schedule::by_index.
[[nodiscard]] bool takes_index(const Pass& pass, const Shape& shape);

/// Of a pass of a convolution, before it is scheduled: all blocks of a row take as many columns.
void require_columns(const Pass& pass, const Shape& shape);

/// Of several axes: each takes steps of its own, and what lies in memory follows on.
void require_axes(const Pass& pass, const Shape& shape);

/// What butterflies need whose frequencies meet in registers: before points find their places, as
/// those of a single phase have none.
void require_opposite(const Schedule& schedule);

/// Of what was scheduled: room, and what clusters, ends and strides demand.
void require_servable(const Schedule& schedule, const Target& target);

}  // namespace sonoma
