// Code of the caller's within a line of text.
#pragma once

#include <algorithm>
#include <string>

namespace sonoma {

/// In quotes, of which code has none of its own, and on one line.
[[nodiscard]] inline std::string quoted(std::string code) {
  std::replace(code.begin(), code.end(), '\n', ' ');
  return "\"" + code + "\"";
}

}  // namespace sonoma
