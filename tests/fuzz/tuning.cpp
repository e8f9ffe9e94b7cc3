// The texts of the fields of a tuning: lines of "name=value".
#include <algorithm>

#include "fuzz.hpp"
#include "sonoma/tuning_fields.hpp"

namespace {

using namespace sonoma;

void set(const std::string& name, const std::string& text, Tuning& tuning) {
  const auto field = std::ranges::find(tuning_fields(), name, &TuningField::name);
  if (field == tuning_fields().end()) return;
  Tuning before = tuning;
  if (const auto wrong = set_from_text(*field, tuning, text)) {
    fuzz::require(before == tuning, "a field that was refused has changed", text);
    return;
  }
  const auto printed = text_of(*field, tuning);
  fuzz::require(printed.has_value(), "a field that was set is open", text);
  Tuning again;
  fuzz::require(!set_from_text(*field, again, *printed), "a printed text is refused", *printed);
  fuzz::require_equal(text_of(*field, again).value_or(""), *printed, "another text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  Tuning tuning;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t equals = std::min(line.find('='), line.size());
    try {
      set(std::string(line.substr(0, equals)),
          std::string(line.substr(std::min(equals + 1, line.size()))), tuning);
    } catch (const UnsupportedProblem& refusal) {
      fuzz::require_named(refusal);
    }
  }
  (void)to_string(tuning);
  return 0;
}
