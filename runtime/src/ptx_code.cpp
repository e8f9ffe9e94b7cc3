// Reads PTX with line information.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "runtime.hpp"
#include "sonoma/machine_code.hpp"

namespace sonoma {
namespace {

using Place = std::pair<unsigned, unsigned>;  // a line, and a column of it

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t;") + 1 - first);
}

// "1 333 3", of which the first number is the file's: 1 is the text, others are the compiler's own.
std::optional<Place> place_in(std::string_view text) {
  unsigned numbers[3] = {};
  for (unsigned& number : numbers) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (numbers[0] != 1) return std::nullopt;
  return Place{numbers[1], numbers[2]};
}

// Where each place was called from when it was named last.
class Calls {
 public:
  // `.loc 1 41 83, function_name $L__info_string0, inlined_at 1 326 3`, behind its first word.
  void take(std::string_view row) {
    constexpr std::string_view word = "inlined_at ";
    const auto place = place_in(row);
    const std::size_t at = row.find(word);
    const bool inlined = at != std::string_view::npos;
    const auto caller = inlined ? place_in(row.substr(at + word.size())) : std::nullopt;
    if (!place) return lines_.clear();
    callers_[*place] = caller;
    lines_ = {place->first};
    std::size_t deepest = callers_.size();  // should a place call itself
    for (auto up = caller; up && deepest-- > 0;) {
      lines_.push_back(up->first);
      const auto next = callers_.find(*up);
      up = next == callers_.end() ? std::nullopt : next->second;
    }
  }
  [[nodiscard]] const std::vector<unsigned>& lines() const { return lines_; }

 private:
  std::map<Place, std::optional<Place>> callers_;
  std::vector<unsigned> lines_;
};

}  // namespace

std::vector<Instruction> ptx_instructions_of(std::string_view text) {
  std::vector<Instruction> all;
  Calls calls;
  bool body = false;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view raw = text.substr(0, size), row = trimmed(raw.substr(0, size - 1));
    text.remove_prefix(size);
    if (raw.starts_with('{') || raw.starts_with('}')) body = raw.starts_with('{');
    constexpr std::string_view loc = ".loc";
    if (row.starts_with(loc)) calls.take(row.substr(loc.size()));
    const bool other = row.empty() || row.starts_with('.') || row.starts_with("//") ||
                       row.ends_with(':') || row == "{" || row == "}";
    if (!body || other) continue;
    all.push_back({static_cast<unsigned>(all.size()), std::string(row), calls.lines()});
  }
  return all;
}

std::vector<Instruction> ptx_code(const CudaSource& source, const Target& target) {
  return ptx_instructions_of(Runtime::process().compile_ptx(source, target, LineInfo::yes));
}

}  // namespace sonoma
