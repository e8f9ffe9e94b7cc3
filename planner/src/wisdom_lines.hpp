// Entries in the text of a wisdom file, found without reading the others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sonoma/wisdom.hpp"

namespace sonoma {

using WantedLine = std::function<bool(std::string_view line)>;

[[nodiscard]] bool has_field(std::string_view line, std::string_view field);

/// True if the field, whose values are strings, is one of these.
[[nodiscard]] bool says(std::string_view line, std::string_view field,
                        const std::vector<std::string>& values);

/// The text of to_json_text(), a line for each entry, in their order; it must stay. Where it was
/// measured stands first in a line: entries of one platform follow each other.
class WisdomText {
 public:
  explicit WisdomText(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }

  /// The lines of those entries whose axes have exactly these lengths, and which `wanted` is true
  /// of: see says(). A search of few steps finds them, however many there are.
  [[nodiscard]] std::vector<std::string_view> lines_of(const std::vector<std::int64_t>& lengths,
                                                       const WantedLine& wanted) const;

 private:
  /// Places of the first characters of its first line and of the line behind its last one; and
  /// where in each line the lengths begin.
  struct Entries {
    std::size_t first, end, lengths;
  };

  std::string_view text_;
  std::vector<Entries> platforms_;
};

/// A line that the library wrote itself, and a test has read: nothing is looked for that no text of
/// to_json_text() has.
[[nodiscard]] WisdomEntry parse_own_entry(std::string_view line);

}  // namespace sonoma
