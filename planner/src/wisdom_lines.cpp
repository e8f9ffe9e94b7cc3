#include "wisdom_lines.hpp"

#include <algorithm>
#include <charconv>

namespace sonoma {
namespace {

constexpr std::string_view before_lengths = "\"lengths\":[";

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
      const std::size_t line = text_.rfind('\n', middle - 1) + 1;
      if (holds(at(line))) {
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

std::string with_entries_of(std::string_view text, const std::vector<std::int64_t>& lengths,
                            const std::vector<Storage>& storages) {
  const auto wanted = [&](std::string_view line) {
    return std::ranges::any_of(storages, [&](Storage storage) {
      return line.find("\"storage\":\"" + to_string(storage) + "\"") != line.npos;
    });
  };
  const std::string_view head = text.substr(0, text.find('[') + 1);
  const std::size_t end = text.rfind("\n]") + 1;
  const Lines lines(text);
  std::string found;
  for (std::size_t place = head.size() + 1, next = 0; place < end; place = next) {
    const std::string_view platform = platform_of(lines.at(place));
    next = lines.first_without(place, end, [&](auto line) { return line.starts_with(platform); });
    const auto first = lines.first_without(
        place, next, [&](std::string_view line) { return lengths_of(line) < lengths; });
    const auto last = lines.first_without(
        first, next, [&](std::string_view line) { return lengths_of(line) == lengths; });
    for (std::size_t line = first; line < last; line += lines.at(line).size() + 1) {
      std::string_view entry = lines.at(line);
      if (!wanted(entry)) continue;
      if (entry.ends_with(',')) entry.remove_suffix(1);
      found.append(found.empty() ? "\n" : ",\n").append(entry);
    }
  }
  return std::string(head) + found + "\n]\n}\n";
}

}  // namespace sonoma
