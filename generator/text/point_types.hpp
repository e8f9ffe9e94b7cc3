// Names of types and files of templates/.
#pragma once

#include "sonoma/problem.hpp"

namespace sonoma {

/// The type of a point in memory of that storage.
[[nodiscard]] inline const char* point_in_memory(Storage storage) {
  static constexpr const char* names[] = {"float2", "HalfPoint", "BfloatPoint", "IntegerPoint",
                                          "SharedExponentPoint"};
  return names[static_cast<int>(storage)];
}

}  // namespace sonoma
