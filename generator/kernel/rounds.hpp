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
  std::vector<std::uint32_t> thread_bits;  ///< of points of shared memory, before the swizzle
  std::vector<std::uint32_t> offsets;      ///< of the registers that are moved, ascending
  unsigned bit = 0;                        ///< the register bit of the digit that turns
  SharedAccess access;                     ///< the same, but for the quarter

  auto operator<=>(const TurnAccess&) const = default;
};

/// `round` and `half` as in op::WriteTurn and op::ReadTurn, `writes`: of the former.
[[nodiscard]] TurnAccess turn_access(const Schedule& schedule, const Layout& layout, bool writes,
                                     unsigned round, op::Half half);

/// Of op::WriteParts and op::ReadParts: the thread's part of the place, and a quarter's first one.
[[nodiscard]] SharedAccess parts_access(const Schedule& schedule, const Layout& layout,
                                        const std::vector<DigitId>& blocks);
[[nodiscard]] std::uint32_t parts_of_quarter(const Schedule& schedule);

/// Of an access by the threads of all rounds that of one.
[[nodiscard]] SharedAccess of_one_round(SharedAccess access, const Schedule& schedule);

/// Empty if both digits of the turn are in registers where they must be, else why not.
[[nodiscard]] std::string check_turn(const Schedule& schedule);

/// The operations of a schedule in rounds, from those of blocks of a cluster instead.
[[nodiscard]] KernelIr in_rounds(KernelIr ir);

}  // namespace sonoma
