// What was meant by a word that is none of those that are allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sonoma::cli {

/// Of `words` the one that takes the fewest single changes (a character more, less, another, or two
/// neighbours swapped), if these are few for its length; of a tie the first. Or one that begins
/// with `word`. Empty: none is near.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& words);

/// "; did you mean --engine?", or nothing.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& words);

}  // namespace sonoma::cli
