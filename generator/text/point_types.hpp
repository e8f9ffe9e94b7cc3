// Names of types and files of templates/.
#pragma once

#include "sonoma/pass.hpp"

namespace sonoma {

/// The type of a point in the memory of a side.
[[nodiscard]] inline const char* point_in_memory(const Pass& pass, bool input) {
  static constexpr const char* complex[] = {"float2", "HalfPoint", "BfloatPoint", "IntegerPoint",
                                            "SharedExponentPoint"};
  static constexpr const char* real[] = {"float", "Real<HalfPoint>", "Real<BfloatPoint>",
                                         "Real<IntegerPoint>"};
  if (pass.packed) {
    return !pass.side(input).end ? "PointPair" : input ? "HalfPointPair" : "HalfPoint";
  }
  const auto storage = static_cast<int>(pass.side(input).storage);
  return is_real(pass.values(input)) ? real[storage] : complex[storage];
}

/// That of a point, or of packed ones, in registers.
[[nodiscard]] inline const char* point_in_registers(const Pass& pass) {
  return pass.packed ? "PointPair" : "float2";
}

}  // namespace sonoma
