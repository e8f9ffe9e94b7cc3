// How points and factors of butterflies are called, and what is done with them.
#pragma once

#include <string>
#include <vector>

#include "expression.hpp"
#include "sonoma/decomposition.hpp"
#include "sonoma/tuning.hpp"

namespace sonoma {

struct Spelling {
  Sums sums;
  const char *point = "float2", *real = "float", *suffix = "";
  ButterflyForm form = ButterflyForm::plain;
  /// Of a fused one: points that are zero, and are not added; empty: there are none.
  std::vector<bool> zeros = {};

  [[nodiscard]] bool is_zero(unsigned i) const { return !zeros.empty() && zeros[i]; }

  [[nodiscard]] std::string number(long double value) const {
    return sums == Sums::fp64 ? hex(static_cast<double>(value)) : hex(static_cast<float>(value));
  }
  [[nodiscard]] std::string name(const std::string& function) const { return function + suffix; }
};
[[nodiscard]] inline Spelling spelling_of(Sums sums) {
  if (sums == Sums::fp64) return {sums, "double2", "double", "_fp64"};
  return {sums};
}

/// A point of a butterfly.
[[nodiscard]] inline std::string v(unsigned i) { return "v" + std::to_string(i); }

}  // namespace sonoma
