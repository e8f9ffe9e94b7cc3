// Numbers that the environment sets for a test: how long, how many, which.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sonoma::test {

inline std::int64_t setting(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

}  // namespace sonoma::test
