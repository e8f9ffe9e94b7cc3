#include "fill_in.hpp"

#include <algorithm>
#include <set>

#include "embedded/forms.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {

std::string fill_in(std::string_view file, const std::map<std::string, std::string>& values) {
  const auto* const found = std::ranges::find(embedded::forms, file, &embedded::TextFile::name);
  if (found == embedded::forms.end()) throw InternalError("forms: no " + std::string(file));
  std::string text;
  std::set<std::string> used;
  std::string_view rest = found->text;
  for (std::size_t at; (at = rest.find('@')) != std::string_view::npos;) {
    const std::size_t end = rest.find('@', at + 1);
    const std::string word(rest.substr(at + 1, end - at - 1));
    const auto value = values.find(word);
    if (value == values.end()) throw InternalError("forms: no value for @" + word + "@");
    used.insert(word);
    text += rest.substr(0, at);
    text += value->second;
    rest.remove_prefix(end + 1);
  }
  if (used.size() != values.size()) throw InternalError("forms: a value that has no word");
  return text += rest;
}

}  // namespace sonoma
