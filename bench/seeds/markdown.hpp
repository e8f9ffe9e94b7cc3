// Tables of a document.
#pragma once

#include <string>
#include <vector>

namespace sonoma::bench {

using Cells = std::vector<std::string>;

/// "| a | b |", with its newline.
[[nodiscard]] std::string markdown_line(const Cells& cells);
/// The head, a rule, the rows.
[[nodiscard]] std::string markdown_table(const Cells& head, const std::vector<Cells>& rows);
/// By a format of printf.
[[nodiscard]] std::string formatted(const char* format, double value);

}  // namespace sonoma::bench
