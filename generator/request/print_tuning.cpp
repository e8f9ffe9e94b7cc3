#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sonoma/tuning_fields.hpp"

namespace sonoma {

std::string to_list(const std::vector<std::int64_t>& lengths) {
  std::string text;
  for (const std::int64_t length : lengths) {
    text += (text.empty() ? "" : ",") + std::to_string(length);
  }
  return text;
}

std::string to_step_list(unsigned mask) {
  std::string text;
  for (unsigned s = 0; s < 32; ++s) {
    if (mask >> s & 1u) text += (text.empty() ? "" : ",") + std::to_string(s + 1);
  }
  return text.empty() ? "none" : text;
}

std::string to_string(Method method) {
  static constexpr const char* names[] = {"radix", "bluestein", "rader"};
  return names[static_cast<int>(method)];
}
std::string to_string(Engine engine) { return engine == Engine::mma ? "mma" : "simt"; }
std::string to_string(Twiddles twiddles) {
  static constexpr const char* names[] = {"table", "products", "powers", "constants", "cosines"};
  return names[static_cast<int>(twiddles)];
}
std::string to_string(Prefetch prefetch) {
  static constexpr const char* names[] = {"none", "early", "late", "persistent"};
  return names[static_cast<int>(prefetch)];
}
std::string to_string(Sums sums) {
  static constexpr const char* names[] = {"fp32", "fp64-last", "fp64"};
  return names[static_cast<int>(sums)];
}

// The engine comes first, also where it is open.
std::string to_string(const Tuning& tuning) {
  const TuningField& engine = tuning_field("engine");
  std::string text = "engine=" + text_of(engine, tuning).value_or("default");
  for (const TuningField& field : tuning_fields()) {
    auto value = text_of(field, tuning);
    if (!value || &field == &engine) continue;
    if (value == field.usual && !field.prints_usual) continue;
    if (std::holds_alternative<std::optional<bool> Tuning::*>(field.member)) {
      value = *value == "1" ? "true" : "false";
    }
    text += std::string(" ") + field.name + "=" + *value;
  }
  return text;
}

}  // namespace sonoma
