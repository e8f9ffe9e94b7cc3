#include "suggestion.hpp"

#include <algorithm>
#include <cstddef>

namespace sonoma::cli {
namespace {

// Damerau and Levenshtein's, of neighbours that are swapped once (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + other});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& one : words) {
    const std::size_t changes = distance(word, one);
    if (changes >= fewest) continue;
    fewest = changes, best = one;
  }
  if (!best.empty() || word.size() < 3) return best;
  const auto begins =
      std::ranges::find_if(words, [&](const std::string& one) { return one.starts_with(word); });
  return begins == words.end() ? "" : *begins;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& words) {
  const std::string meant = nearest(word, words);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace sonoma::cli
