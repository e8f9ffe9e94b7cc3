#include "json_fields.hpp"

#include <algorithm>
#include <cmath>

namespace sonoma {

void JsonFields::fail(const std::string& field, const std::string& what) {
  throw BadWisdom("wisdom: " + field + ": " + what);
}

JsonFields::JsonFields(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
  if (!json.is_object()) fail(path_, "must be an object, is " + json.dump());
}

const Json& JsonFields::take(const std::string& name) {
  const auto at = json_.find(name);
  if (at == json_.end()) fail(path(name), "is missing");
  taken_.push_back(name);
  return *at;
}

std::string JsonFields::text(const std::string& name) {
  const Json& value = take(name);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    fail(path(name), "must be a string that is not empty, is " + value.dump());
  }
  return value.get<std::string>();
}

std::int64_t JsonFields::integer(const Json& value, const std::string& path, std::int64_t least,
                                 std::int64_t most) {
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) &&
                    value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  if (!fits) {
    fail(path, "must be an integer from " + std::to_string(least) + " to " + std::to_string(most) +
                   ", is " + value.dump());
  }
  return value.get<std::int64_t>();
}

double JsonFields::number(const std::string& name) {
  const Json& value = take(name);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
    fail(path(name), "must be a number, not negative, is " + value.dump());
  }
  return value.get<double>();
}

double JsonFields::positive(const std::string& name) {
  const double value = number(name);
  if (value == 0) fail(path(name), "must be larger than 0");
  return value;
}

bool JsonFields::flag(const std::string& name) {
  const Json& value = take(name);
  if (!value.is_boolean()) fail(path(name), "must be true or false, is " + value.dump());
  return value.get<bool>();
}

void JsonFields::finish() const {
  if (taken_.size() == json_.size()) return;
  for (const auto& [name, value] : json_.items()) {
    if (std::ranges::find(taken_, name) == taken_.end()) {
      fail(path(name), "is no field that this version knows");
    }
  }
}

}  // namespace sonoma
