#include "made_factors.hpp"

#include <utility>

#include "expression.hpp"

namespace sonoma {

std::string times(const std::string& point, const std::string& factor) {
  return "complex_product(" + point + ", " + factor + ")";
}

std::string factor_of(int entry) {
  return concat("w", std::to_string(entry / 2), entry % 2 == 0 ? ".first" : ".second");
}

MadeFactors::MadeFactors(std::vector<std::string>& statements,
                         std::vector<std::complex<float>> constants, const char* type)
    : statements_(statements), constants_(std::move(constants)), type_(type) {}

std::string MadeFactors::of(int entry, int constant, unsigned power) {
  if (entry < 0) return constant < 0 ? "" : text_of(constant);
  std::string own = std::to_string(entry);
  if (constant >= 0) own += "_" + std::to_string(constant);
  const std::string factor = constant < 0 ? factor_of(entry) : turned(entry, constant, own);
  std::string all = factor;
  for (unsigned p = 2; p <= power; ++p) {
    all = named((p == 2 ? "square" : "cube") + own, times(all, factor));
  }
  return all;
}

// Entries of w, w^2 and w^3 lie beside each other, as do those of w^4, w^8, ...
std::string MadeFactors::by_cosine(int near_entry, unsigned near, int far_entry, unsigned far) {
  const unsigned below = 4 - near;
  const int below_entry = near_entry + static_cast<int>(below) - static_cast<int>(near);
  const std::string before =
      far == 4 ? factor_of(below_entry) : by_cosine(below_entry, below, far_entry - 1, far - 4);
  return named(
      concat("power", std::to_string(far + near), "_", std::to_string(far_entry)),
      concat("next_power(", factor_of(far_entry), ", ", factor_of(near_entry), ", ", before, ")"));
}

std::string MadeFactors::turned(int entry, int constant, const std::string& own) {
  return named("turned" + own, times(factor_of(entry), text_of(constant)));
}

std::string MadeFactors::named(const std::string& name, const std::string& value) {
  if (known_.insert(name).second) {
    statements_.push_back(concat("const ", type_, " ", name, " = ", value, ";"));
  }
  return name;
}

std::string MadeFactors::text_of(int constant) const {
  const std::complex<float> factor = constants_[static_cast<std::size_t>(constant)];
  return concat("make_float2(", hex(factor.real()), ", ", hex(factor.imag()), ")");
}

}  // namespace sonoma
