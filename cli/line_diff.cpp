#include "line_diff.hpp"

#include <algorithm>
#include <cstddef>

namespace sonoma::cli {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

using Ends = std::vector<std::ptrdiff_t>;  // of each diagonal the furthest line of a

// The furthest ends of each number of changes, up to that which gets to the end of both.
std::vector<Ends> furthest_ends(const Lines& a, const Lines& b) {
  const auto n = static_cast<std::ptrdiff_t>(a.size()), m = static_cast<std::ptrdiff_t>(b.size());
  const std::ptrdiff_t middle = n + m + 1;
  Ends ends(static_cast<std::size_t>(2 * middle + 1), 0);
  const auto at = [&](std::ptrdiff_t k) -> std::ptrdiff_t& {
    return ends[static_cast<std::size_t>(middle + k)];
  };
  std::vector<Ends> history;
  for (std::ptrdiff_t d = 0; d <= n + m; ++d) {
    history.push_back(ends);
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
      std::ptrdiff_t x = down ? at(k + 1) : at(k - 1) + 1, y = x - k;
      while (x < n && y < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)]) {
        ++x, ++y;
      }
      at(k) = x;
      if (x >= n && y >= m) return history;
    }
  }
  return history;
}

}  // namespace

std::vector<DiffLine> diff_lines(std::string_view first, std::string_view second) {
  const Lines a = lines_of(first), b = lines_of(second);
  const std::vector<Ends> history = furthest_ends(a, b);
  auto x = static_cast<std::ptrdiff_t>(a.size()), y = static_cast<std::ptrdiff_t>(b.size());
  const std::ptrdiff_t middle = x + y + 1;
  std::vector<DiffLine> lines;
  const auto line = [](const Lines& of, std::ptrdiff_t i) {
    return std::string(of[static_cast<std::size_t>(i)]);
  };
  for (auto d = static_cast<std::ptrdiff_t>(history.size()) - 1; d >= 0; --d) {
    const Ends& ends = history[static_cast<std::size_t>(d)];
    const auto at = [&](std::ptrdiff_t k) { return ends[static_cast<std::size_t>(middle + k)]; };
    const std::ptrdiff_t k = x - y;
    const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
    const std::ptrdiff_t from = d == 0 ? 0 : at(down ? k + 1 : k - 1);
    const std::ptrdiff_t other = d == 0 ? 0 : from - (down ? k + 1 : k - 1);
    const std::ptrdiff_t same_x = d == 0 ? 0 : from + (down ? 0 : 1);
    while (x > same_x) --x, --y, lines.push_back({' ', line(a, x)});
    if (d == 0) break;
    lines.push_back(down ? DiffLine{'+', line(b, other)} : DiffLine{'-', line(a, from)});
    x = from, y = other;
  }
  std::ranges::reverse(lines);
  return lines;
}

std::string diff_text(const std::vector<DiffLine>& lines, std::size_t context) {
  std::string text;
  std::size_t shown = 0;  // lines that are dealt with
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == ' ') continue;
    const std::size_t from = std::max(shown, i - std::min(i, context));
    if (from > shown) text += "...\n";
    std::size_t end = i + 1;  // until so many lines agree
    for (std::size_t same = 0; end < lines.size() && same < context; ++end) {
      same = lines[end].kind == ' ' ? same + 1 : 0;
    }
    for (std::size_t j = from; j < end; ++j) text += lines[j].kind + (" " + lines[j].text) + '\n';
    shown = end, i = end - 1;
  }
  if (shown > 0 && shown < lines.size()) text += "...\n";
  return text;
}

}  // namespace sonoma::cli
