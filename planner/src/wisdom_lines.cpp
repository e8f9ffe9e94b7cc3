#include "wisdom_lines.hpp"

#include <algorithm>
#include <charconv>
#include <compare>

namespace sonoma {
namespace {

constexpr std::string_view before_lengths = "\"lengths\":[";

// What stands before the entries.
std::string_view head_of(std::string_view text) { return text.substr(0, text.find('[') + 1); }

// Where measured: what stands before the lengths.
std::string_view platform_of(std::string_view line) {
  return line.substr(0, line.find(before_lengths));
}

// Of the lengths that stand here and these ones.
std::strong_ordering compare(std::string_view here, const std::vector<std::int64_t>& lengths) {
  const char *at = here.data(), *const end = here.data() + here.size();
  for (const std::int64_t length : lengths) {
    std::int64_t own = 0;
    const auto read = std::from_chars(at, end, own);
    if (read.ec != std::errc()) return std::strong_ordering::less;  // fewer of them
    if (own != length) return own <=> length;
    at = read.ptr + (*read.ptr == ',' ? 1 : 0);  // behind each a comma, or a bracket
  }
  return *at == ']' ? std::strong_ordering::equal : std::strong_ordering::greater;
}

// Lines that follow each other. Places are those of lines' first characters.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  [[nodiscard]] std::string_view at(std::size_t place) const {
    return text_.substr(place, text_.find('\n', place) - place);
  }

  // Of those from `first` to before `last` the first one of which `holds` is not true. It is of all
  // before it, and of none behind.
  template <class Holds>
  [[nodiscard]] std::size_t first_without(std::size_t first, std::size_t last, Holds holds) const {
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      std::size_t line = text_.find('\n', middle) + 1;
      if (line >= last) line = first;   // few are left, or one that is long
      if (holds(text_.substr(line))) {  // of which it reads the line alone
        first = line + at(line).size() + 1;
      } else {
        last = line;
      }
    }
    return first;
  }

 private:
  std::string_view text_;
};

// Where its value begins. Quotes are everywhere in a line: it looks for the name first.
std::size_t value_of(std::string_view line, std::string_view field) {
  for (std::size_t at = line.find(field); at != line.npos; at = line.find(field, at + 1)) {
    const std::size_t end = at + field.size();
    if (at > 0 && line[at - 1] == '"' && line.substr(end).starts_with("\":")) return end + 2;
  }
  return line.npos;
}

}  // namespace

bool has_field(std::string_view line, std::string_view field) {
  return value_of(line, field) != line.npos;
}

bool says(std::string_view line, std::string_view field, const std::vector<std::string>& values) {
  const std::size_t at = value_of(line, field);
  if (at == line.npos || line[at] != '"') return false;
  const std::string_view value = line.substr(at + 1);
  return std::ranges::any_of(values, [&](const std::string& one) {
    return value.starts_with(one) && value.substr(one.size()).starts_with('"');
  });
}

WisdomText::WisdomText(std::string_view text) : text_(text) {
  const std::size_t end = text.rfind("\n]") + 1;
  const Lines lines(text);
  for (std::size_t place = head_of(text).size() + 1; place < end; place = platforms_.back().end) {
    const std::string_view platform = platform_of(lines.at(place));
    const auto is_here = [&](std::string_view line) { return line.starts_with(platform); };
    platforms_.push_back(
        {place, lines.first_without(place, end, is_here), platform.size() + before_lengths.size()});
  }
}

std::vector<std::string_view> WisdomText::lines_of(const std::vector<std::int64_t>& lengths,
                                                   const WantedLine& wanted) const {
  const Lines lines(text_);
  std::vector<std::string_view> found;
  for (const Entries& entries : platforms_) {
    const auto first = lines.first_without(entries.first, entries.end, [&](std::string_view line) {
      return compare(line.substr(entries.lengths), lengths) < 0;
    });
    for (std::size_t at = first; at < entries.end; at += lines.at(at).size() + 1) {
      std::string_view line = lines.at(at);
      if (compare(line.substr(entries.lengths), lengths) != 0) break;
      if (line.ends_with(',')) line.remove_suffix(1);
      if (wanted(line)) found.push_back(line);
    }
  }
  return found;
}

}  // namespace sonoma
