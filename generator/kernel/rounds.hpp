// A tile in two rounds: what the turn between the two kinds of rounds moves, and the operations of
// both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

/// Which of a thread's points an operation of the turn moves, and where they lie in shared memory.
struct TurnAccess {
  SharedStrides strides;  ///< in a quarter; `block`: of the block of the cluster that it goes to
  std::vector<unsigned> registers;      ///< those that are moved, ascending
  std::vector<std::uint32_t> quarters;  ///< of each of them the first point of its quarter
  SharedAccess access;                  ///< the same, but for the quarter
};

/// `round` and `half` as in op::WriteTurn and op::ReadTurn, `writes`: of the former.
[[nodiscard]] TurnAccess turn_access(const Schedule& schedule, const Layout& layout, bool writes,
                                     unsigned round, op::Half half);

/// Of op::WriteParts and op::ReadParts: the places of parts, and a quarter's first one.
[[nodiscard]] SharedAccess parts_access(const Schedule& schedule, const Layout& layout,
                                        const std::vector<DigitId>& blocks);
[[nodiscard]] std::uint32_t parts_of_quarter(const Schedule& schedule);

/// Of an access by the threads of all blocks and rounds of a tile that of one.
[[nodiscard]] SharedAccess of_one_block(SharedAccess access, const Schedule& schedule,
                                        const Layout& layout);

/// Empty if both digits of the turn are in registers where they must be, else why not.
[[nodiscard]] std::string check_turn(const Schedule& schedule);

/// The operations of a schedule in rounds, from those of blocks of a cluster instead.
[[nodiscard]] KernelIr in_rounds(KernelIr ir);

}  // namespace sonoma
