// What the operations of the method rader touch, counted one by one.
#pragma once

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// In shared memory.
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::LoadInOrder& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::StoreInOrder& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::ReadPowers& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::WritePowers& op);
[[nodiscard]] Wavefronts count_wavefronts(const Schedule& schedule, const op::ZeroFrequency& op);

/// In global memory, as sector_overhead() of a layout.
[[nodiscard]] double sector_overhead_in_order(const Schedule& schedule, bool input);

/// The slot of the first transform: behind the tile, and behind its points in the order of memory.
[[nodiscard]] unsigned first_slot(const Schedule& schedule);

/// How far apart points and transforms of a block lie in memory.
struct RowsInMemory {
  std::int64_t stride = 1, apart = 0;
};
[[nodiscard]] RowsInMemory rows_in_memory(const Pass& pass, bool input);

}  // namespace sonoma
