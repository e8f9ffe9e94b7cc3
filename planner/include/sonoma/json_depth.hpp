// JSON from files: how deeply it may nest. What reads and prints it calls itself for each level,
// and a stack is not endless.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace sonoma {

constexpr unsigned deepest_json = 64;

/// Throws std::invalid_argument, with line and column, for a text of more levels.
inline void check_json_depth(std::string_view text) {
  unsigned depth = 0, line = 1, column = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    ++column;
    if (c == '\n') ++line, column = 0;
    if (quoted && c == '\\') {
      ++i, ++column;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{') && ++depth > deepest_json) {
      throw std::invalid_argument("line " + std::to_string(line) + ", column " +
                                  std::to_string(column) + ": nests deeper than " +
                                  std::to_string(deepest_json) +
                                  " levels, which no file of "
                                  "Sonoma's does");
    } else if (!quoted && (c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

}  // namespace sonoma
