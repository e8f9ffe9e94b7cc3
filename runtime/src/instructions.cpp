// Reads what nvdisasm prints.
#include <algorithm>
#include <charconv>
#include <optional>

#include "sonoma/machine_code.hpp"

namespace sonoma {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t;") + 1 - first);
}

// `//## File "/a/kernel.cu", line 41 inlined at "/a/kernel.cu", line 326`
struct Place {
  std::string_view file;
  unsigned line = 0;
  bool inlined = false;
};
std::optional<Place> place_in(std::string_view row) {
  constexpr std::string_view start = "//## File \"", middle = "\", line ";
  if (!row.starts_with(start)) return std::nullopt;
  row.remove_prefix(start.size());
  const std::size_t end = row.find(middle);
  if (end == std::string_view::npos) return std::nullopt;
  Place place{row.substr(0, end), 0, row.find(" inlined at ") != std::string_view::npos};
  const char* number = row.data() + end + middle.size();
  if (std::from_chars(number, row.data() + row.size(), place.line).ec != std::errc{}) {
    return std::nullopt;
  }
  return place;
}

// `/*0010*/   S2R R34, SR_TID.X ;`
std::optional<Instruction> instruction_in(std::string_view row) {
  const std::size_t end = row.find("*/");
  if (!row.starts_with("/*") || end == std::string_view::npos) return std::nullopt;
  Instruction instruction;
  const char *first = row.data() + 2, *last = row.data() + end;
  if (std::from_chars(first, last, instruction.address, 16).ptr != last) return std::nullopt;
  instruction.text = trimmed(row.substr(end + 2));
  return instruction;
}

bool is_of(std::string_view path, std::string_view file) {
  return path == file || (path.ends_with(file) && path[path.size() - file.size() - 1] == '/');
}

}  // namespace

std::vector<Instruction> instructions_of(std::string_view listing, std::string_view file) {
  std::vector<Instruction> all;
  std::vector<unsigned> lines;
  bool ended = true;  // the chain of `lines`
  while (!listing.empty()) {
    const std::size_t size = std::min(listing.find('\n'), listing.size() - 1) + 1;
    const std::string_view row = trimmed(listing.substr(0, size - 1));
    listing.remove_prefix(size);
    if (const auto place = place_in(row)) {
      if (ended) lines.clear();
      if (is_of(place->file, file)) lines.push_back(place->line);
      ended = !place->inlined;
    } else if (auto instruction = instruction_in(row)) {
      instruction->lines = lines;
      all.push_back(std::move(*instruction));
    }
  }
  while (!all.empty() && all.back().text == "NOP") all.pop_back();
  return all;
}

}  // namespace sonoma
