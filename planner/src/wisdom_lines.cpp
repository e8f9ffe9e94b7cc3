#include "wisdom_lines.hpp"

#include <algorithm>
#include <charconv>

namespace sonoma {
namespace {

constexpr std::string_view before_lengths = "\"lengths\":[";

// What stands before the entries.
std::string_view head_of(std::string_view text) { return text.substr(0, text.find('[') + 1); }

// Where measured: what stands before the lengths.
std::string_view platform_of(std::string_view line) {
  return line.substr(0, line.find(before_lengths));
}

std::vector<std::int64_t> lengths_of(std::string_view line) {
  std::vector<std::int64_t> lengths;
  const char *at = line.data() + line.find(before_lengths) + before_lengths.size(),
             *end = line.data() + line.size();
  for (std::int64_t length = 0; at < end; ++at) {  // behind each number a comma, or a bracket
    const auto read = std::from_chars(at, end, length);
    if (read.ec != std::errc()) break;
    lengths.push_back(length);
    at = read.ptr;
    if (*at == ']') break;
  }
  return lengths;
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

}  // namespace

bool says(std::string_view line, std::string_view field, const std::vector<std::string>& values) {
  const std::string name = "\"" + std::string(field) + "\":\"";
  const std::size_t at = line.find(name);
  if (at == line.npos) return false;
  const std::string_view value = line.substr(at + name.size());
  return std::ranges::any_of(values, [&](const std::string& one) {
    return value.starts_with(one) && value.substr(one.size()).starts_with('"');
  });
}

std::vector<std::string_view> lines_of(std::string_view text,
                                       const std::vector<std::int64_t>& lengths,
                                       const WantedLine& wanted) {
  const std::size_t end = text.rfind("\n]") + 1;
  const Lines lines(text);
  std::vector<std::string_view> found;
  for (std::size_t place = head_of(text).size() + 1, next = 0; place < end; place = next) {
    const std::string_view platform = platform_of(lines.at(place));
    next = lines.first_without(place, end, [&](auto line) { return line.starts_with(platform); });
    const auto first = lines.first_without(
        place, next, [&](std::string_view line) { return lengths_of(line) < lengths; });
    for (std::size_t at = first; at < next; at += lines.at(at).size() + 1) {
      std::string_view line = lines.at(at);
      if (lengths_of(line) != lengths) break;
      if (line.ends_with(',')) line.remove_suffix(1);
      if (wanted(line)) found.push_back(line);
    }
  }
  return found;
}

std::string with_lines(std::string_view text, const std::vector<std::string_view>& lines) {
  std::string some(head_of(text));
  const char* separator = "\n";
  for (const std::string_view line : lines) {
    some.append(separator).append(line);
    separator = ",\n";
  }
  return some + "\n]\n}\n";
}

}  // namespace sonoma
