// Of several axes: rows of frequencies in shared memory, as mirrored_rows.cuh takes them.
#pragma once

#include <cstdint>

#include "sonoma/schedule.hpp"

namespace sonoma {

/// Points of the last axis.
[[nodiscard]] std::uint32_t last_axis(const Schedule& schedule);

/// Row -q of the transform.
[[nodiscard]] std::uint32_t opposite_row(const Schedule& schedule, std::uint32_t q);

/// Where row p of the block begins, and its mirror image.
struct RowPlaces {
  std::uint32_t own, mirrored;
};
[[nodiscard]] RowPlaces row_places(const Schedule& schedule, std::uint32_t p);

/// Of op::MirrorRows, there and back.
[[nodiscard]] Wavefronts count_mirrored_rows(const Schedule& schedule);
/// Of op::LoadInOrder, and of op::StoreInOrder.
[[nodiscard]] Wavefronts count_moved_rows(const Schedule& schedule);

}  // namespace sonoma
