#include "own_object.hpp"

#include <charconv>
#include <cstdint>

namespace sonoma {
namespace {

// Behind a value that begins here: at a comma, or the object's last brace.
std::size_t end_of_value(std::string_view text) {
  switch (text.front()) {
    case '"':
      return text.find('"', 1) + 1;
    case '[':
      return text.find(']') + 1;
    case '{':
      return text.find('}') + 1;  // none has objects of its own
    default:
      return text.find_first_of(",}");
  }
}

Json number_of(std::string_view text) {
  const char *const begin = text.data(), *const end = begin + text.size();
  std::uint64_t integer = 0;
  if (std::from_chars(begin, end, integer).ptr == end) return integer;
  double number = 0;
  std::from_chars(begin, end, number);
  return number;
}

Json value_of(std::string_view text) {
  switch (text.front()) {
    case '"':
      return std::string(text.substr(1, text.size() - 2));
    case '{':
      return std::string(text);
    case 't':
    case 'f':
      return text == "true";
    case '[':
      return Json::parse(text);
    default:
      return number_of(text);
  }
}

// If its quotes stand around it here.
bool is_quoted(std::string_view text, std::size_t at, std::size_t size) {
  return at > 0 && text[at - 1] == '"' && text.substr(at + size).starts_with("\":");
}

}  // namespace

bool OwnObject::contains(std::string_view name) const {
  std::size_t at = text_.find(name);
  while (at != text_.npos && !is_quoted(text_, at, name.size())) at = text_.find(name, at + 1);
  return at != text_.npos;
}

std::optional<Json> OwnObject::take(std::string_view name) {
  if (rest_.empty() || !rest_.substr(1).starts_with(name)) return std::nullopt;
  if (!is_quoted(rest_, 1, name.size())) return std::nullopt;
  const std::string_view from = rest_.substr(name.size() + 3);
  const std::size_t end = end_of_value(from);
  rest_ = from.substr(end + 1);
  return value_of(from.substr(0, end));
}

}  // namespace sonoma
