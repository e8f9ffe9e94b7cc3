#include "tuning_options.hpp"

#include <algorithm>
#include <stdexcept>

#include "sonoma/tuning_fields.hpp"

namespace sonoma::bench {
namespace {

// Takes a word, or what is in quotes, and the blank behind it off the front of `rest`.
std::string take_word(std::string_view& rest) {
  const bool quoted = rest.starts_with('"');
  if (quoted) rest.remove_prefix(1);
  const std::size_t size = std::min(rest.find(quoted ? '"' : ' '), rest.size());
  std::string word(rest.substr(0, size));
  rest.remove_prefix(std::min(rest.size(), size + 1));
  if (quoted && rest.starts_with(' ')) rest.remove_prefix(1);
  return word;
}

void set(const std::string& option, const std::string& value, Tuning& tuning) {
  const auto fields = tuning_fields();
  const auto field = std::ranges::find_if(
      fields, [&](const TuningField& one) { return option_of(one) == option; });
  if (field == fields.end()) throw std::invalid_argument("there is no option " + option);
  const auto wrong = set_from_text(*field, tuning, value);
  if (wrong) throw std::invalid_argument(option + " must be " + field->allowed + ", is " + *wrong);
}

}  // namespace

std::string options_of(const Tuning& tuning) {
  std::string options;
  for (const TuningField& field : tuning_fields()) {
    const auto text = text_of(field, tuning);
    if (!text) continue;
    const bool one_word = text->find(' ') == std::string::npos;
    options += (options.empty() ? "" : " ") + option_of(field) + ' ' +
               (one_word ? *text : '"' + *text + '"');
  }
  return options;
}

Tuning tuning_of_options(std::string_view options) {
  Tuning tuning;
  while (!options.empty()) {
    const std::string option = take_word(options);
    set(option, take_word(options), tuning);
  }
  return tuning;
}

}  // namespace sonoma::bench
