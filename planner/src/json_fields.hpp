// Reading of a wisdom file: JSON objects whose fields are all known.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sonoma/errors.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma {

using Json = nlohmann::ordered_json;

/// One JSON object whose fields are all taken, each once. What is not as it must be, is BadWisdom.
class JsonFields {
 public:
  JsonFields(const Json& json, std::string path);

  [[noreturn]] static void fail(const std::string& field, const std::string& what);

  [[nodiscard]] bool has(const std::string& name) const { return json_.contains(name); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return path_.empty() ? name : path_ + '.' + name;
  }
  const Json& take(const std::string& name);
  /// Not empty.
  std::string text(const std::string& name);
  std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most) {
    return integer(take(name), path(name), least, most);
  }
  static std::int64_t integer(const Json& value, const std::string& path, std::int64_t least,
                              std::int64_t most);
  /// Not negative.
  double number(const std::string& name);
  double positive(const std::string& name);
  bool flag(const std::string& name);
  /// Nothing is left.
  void finish() const;

 private:
  const Json& json_;
  std::string path_;
  std::vector<std::string> taken_;
};

/// What `parse` makes of a text field; nothing, or UnsupportedProblem, is an error of that field.
template <class Parse>
auto parsed(JsonFields& fields, const std::string& name, const char* allowed, Parse&& parse) {
  const std::string text = fields.text(name);
  std::string why;
  try {
    if (auto value = parse(text)) return *value;
  } catch (const UnsupportedProblem& error) {
    why = std::string(" (") + error.what() + ")";
  }
  JsonFields::fail(fields.path(name), "must be " + std::string(allowed) + ", is " + text + why);
}

}  // namespace sonoma
