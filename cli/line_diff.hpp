// What differs between two texts, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sonoma::cli {

struct DiffLine {
  char kind = ' ';  ///< ' ' in both, '-' in the first alone, '+' in the second alone
  std::string text;

  bool operator==(const DiffLine&) const = default;
};

/// The fewest lines that differ (E. W. Myers, "An O(ND) difference algorithm and its variations",
/// 1986).
[[nodiscard]] std::vector<DiffLine> diff_lines(std::string_view a, std::string_view b);

/// Those that differ, with `context` lines around them, and "..." where others are left out; empty
/// where nothing differs.
[[nodiscard]] std::string diff_text(const std::vector<DiffLine>& lines, std::size_t context);

}  // namespace sonoma::cli
