// JSON objects whose fields are all known, as tables of these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sonoma/errors.hpp"

namespace sonoma {

using Json = nlohmann::ordered_json;

inline bool is_anything(const Json&) { return true; }

struct BadField {
  std::string field, what;
};

// What `set` takes, `get` has to give back, unless it is `nested`, with fields of its own. One that
// is `optional` may be missing: its object stays as it was.
template <class Of>
struct Field {
  std::string name, allowed;
  std::function<Json(const Of&)> get;
  std::function<void(const Json&, Of&)> set;
  std::function<bool(const Json&)> fits = is_anything;
  bool nested = false, optional = false;
};

template <class Of>
using Fields = std::vector<const Field<Of>*>;

template <class Of>
Fields<Of> all_of(const std::vector<Field<Of>>& fields) {
  Fields<Of> all;
  for (const Field<Of>& field : fields) all.push_back(&field);
  return all;
}

template <class Of>
void take(const Field<Of>& field, const Json& value, Of& taken) {
  std::string why;
  try {
    if (field.fits(value)) {  // first: a number out of range cannot be converted
      field.set(value, taken);
      if (field.nested || field.get(taken) == value) return;
    }
  } catch (const BadField& inner) {
    throw BadField{field.name + (inner.field.starts_with('[') ? "" : ".") + inner.field,
                   inner.what};
  } catch (const UnsupportedProblem& error) {
    why = std::string(" (") + error.what() + ")";
  } catch (const Json::exception&) {  // another type
  }
  throw BadField{field.name, "must be " + field.allowed + ", is " + value.dump() + why};
}

template <class Of>
void take_all(const Fields<Of>& fields, const Json& json, Of& taken) {
  if (!json.is_object()) throw BadField{"", "must be an object, is " + json.dump()};
  std::size_t known = 0;
  auto next = json.begin();  // what is written in the order of the fields is found at once
  for (const Field<Of>* field : fields) {
    const auto at = next != json.end() && next.key() == field->name ? next : json.find(field->name);
    if (at == json.end() && field->optional) continue;
    if (at == json.end()) throw BadField{field->name, "is missing"};
    take(*field, *at, taken);
    ++known, next = std::next(at);
  }
  if (known == json.size()) return;
  for (const auto& [name, value] : json.items()) {
    const auto is_it = [&one = name](const Field<Of>* field) { return field->name == one; };
    if (std::ranges::none_of(fields, is_it)) {
      throw BadField{name, "is no field that this version knows"};
    }
  }
}

// A number, or a list of some.
inline auto within(std::int64_t least, std::int64_t most) {
  return [least, most](const Json& value) {
    const auto fits = [&](const Json& one) {
      return !one.is_number() || (one >= least && one <= most);
    };
    return value.is_array() ? !value.empty() && std::ranges::all_of(value, fits) : fits(value);
  };
}

inline bool is_positive(const Json& value) { return value > 0; }

inline bool is_not_empty(const Json& value) { return value != ""; }

// In `pattern` d stands for a digit, x for a hexadecimal one.
inline auto is_like(std::string pattern) {
  return [=](const Json& value) {
    return std::ranges::equal(value.get<std::string>(), pattern, [](char c, char kind) {
      const bool digit = c >= '0' && c <= '9', letter = c >= 'a' && c <= 'f';
      return kind == 'd' ? digit : kind == 'x' ? digit || letter : c == kind;
    });
  };
}

}  // namespace sonoma
