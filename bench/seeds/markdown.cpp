#include "markdown.hpp"

#include <cstdio>

namespace sonoma::bench {

std::string markdown_line(const Cells& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += cell.empty() ? " |" : " " + cell + " |";
  return line + "\n";
}

std::string markdown_table(const Cells& head, const std::vector<Cells>& rows) {
  std::string text = markdown_line(head) + "|";
  for (std::size_t i = 0; i < head.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : rows) text += markdown_line(row);
  return text;
}

std::string formatted(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace sonoma::bench
