// Where an operation finds its table.
#pragma once

#include <compare>
#include <cstdint>

#include "sonoma/api.hpp"

namespace SONOMA_API sonoma {

/// A range of the plan's tables, in 16-byte units.
struct TableRange {
  std::uint32_t offset = 0, size = 0;
  auto operator<=>(const TableRange&) const = default;
};

}  // namespace sonoma
