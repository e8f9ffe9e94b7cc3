// The text of a tile's rounds.
#pragma once

#include <string>

#include "sonoma/kernel_ir.hpp"

namespace sonoma {

[[nodiscard]] std::string emit(const KernelIr& ir, const op::Round& op);
[[nodiscard]] std::string emit(const KernelIr& ir, const op::WriteTurn& op);
[[nodiscard]] std::string emit(const KernelIr& ir, const op::ReadTurn& op);
[[nodiscard]] std::string emit(const KernelIr& ir, const op::WriteParts& op);
[[nodiscard]] std::string emit(const KernelIr& ir, const op::ReadParts& op);

/// Where points swap by their components lie.
[[nodiscard]] std::string part_swizzle_text(const Schedule& schedule);

}  // namespace sonoma
