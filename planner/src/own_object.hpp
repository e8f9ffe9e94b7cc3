// A JSON object that the library wrote itself, and a test has read: without spaces, escapes or
// unknown fields, which stand in the order of their table. Reading a line of wisdom so takes 22,000
// instructions, as any JSON 75,000: a plan waits for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json_fields.hpp"

namespace sonoma {

class OwnObject {
 public:
  /// With its braces. The text must stay.
  explicit OwnObject(std::string_view text) : text_(text), rest_(text.substr(1)) {}

  [[nodiscard]] bool contains(std::string_view name) const;

  /// The value of the next field, if it has this name. Of an object it is the text, as a string.
  [[nodiscard]] std::optional<Json> take(std::string_view name);

 private:
  std::string_view text_, rest_;
};

template <class Of>
void take_all(const Fields<Of>& fields, OwnObject object, Of& taken) {
  for (const Field<Of>* field : fields) {
    if (const auto value = object.take(field->name)) {
      field->set(*value, taken);
    } else if (!field->optional) {
      throw BadField{field->name, "is missing"};
    }
  }
}

}  // namespace sonoma
