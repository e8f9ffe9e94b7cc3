#include "tuning_json.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sonoma/tuning_fields.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

// Numbers, flags and lists of numbers as such, others as text.
Field<Tuning> json_field(const TuningField& field) {
  const auto make = [&]<class Value>(std::optional<Value> Tuning::*member) -> Field<Tuning> {
    if constexpr (std::is_enum_v<Value> || std::is_same_v<Value, Decomposition>) {
      return {field.name, field.allowed,
              [&](const Tuning& tuning) { return text_of(field, tuning).value_or(""); },
              [&](const Json& value, Tuning& tuning) {
                (void)set_from_text(field, tuning, value.get<std::string>());
              }};
    } else {
      const std::string range = std::to_string(field.least) + " to " + std::to_string(field.most);
      const bool flag = std::is_same_v<Value, bool>, number = std::is_integral_v<Value>;
      return {
          field.name,
          flag ? "true or false" : (number ? "an integer from " : "a list of some from ") + range,
          [member](const Tuning& tuning) { return (tuning.*member).value(); },
          [member](const Json& value, Tuning& tuning) { tuning.*member = value.get<Value>(); },
          within(field.least, field.most)};
    }
  };
  return std::visit(make, field.member);
}

struct KeptField {
  const TuningField* field;
  Kept kept;
  Field<Tuning> in_json;
};

// In the order of the file. The arithmetic of the entry says engine and products.
std::vector<KeptField> list_kept_fields(bool of_passes) {
  std::vector<KeptField> fields;
  for (const TuningField& field : tuning_fields()) {
    const Kept kept = of_passes ? field.kept_of_passes : field.kept;
    if (kept != Kept::never) fields.push_back({&field, kept, json_field(field)});
  }
  if (of_passes) {
    std::ranges::sort(fields, {}, [](const KeptField& one) { return one.field->place_of_passes; });
  }
  return fields;
}

const std::vector<KeptField>& kept_fields(bool of_passes) {
  static const std::vector<KeptField> of_one = list_kept_fields(false),
                                      of_several = list_kept_fields(true);
  return of_passes ? of_several : of_one;
}

// Until 2026-11-22 products had two forms.
const Field<Tuning>& form_field() {
  static const Field<Tuning> field = {
      "mma_form",
      "ptx or wmma",
      {},
      [](const Json&, Tuning&) {},
      [](const Json& form) { return form == "ptx" || form == "wmma"; },
      true,
      true};
  return field;
}

// Entries of before there was a choice: one kernel was measured in FP32. Passes leave it open, as
// what they leave open is decided anew.
Tuning with_sums(Tuning tuning) {
  const bool said = tuning.sums || tuning.engine == Engine::mma || tuning.pass_lengths;
  if (!said && tuning.method == Method::bluestein) tuning.sums = Sums::fp32;
  return tuning;
}

}  // namespace

Json to_json(const Tuning& tuning) {
  Json json;
  for (const auto& [field, kept, in_json] : kept_fields(tuning.pass_lengths.has_value())) {
    const auto text = text_of(*field, tuning);
    const bool writes =
        text ? kept != Kept::unless_usual || text != field->usual : kept == Kept::always;
    if (writes) json[field->name] = in_json.get(tuning);
  }
  return json;
}

Tuning parse_tuning(const Json& json, Arithmetic arithmetic) {
  Tuning tuning = with_arithmetic({}, arithmetic);
  const bool tensor = tuning.engine == Engine::mma;
  Fields<Tuning> fields = {&form_field()};
  for (const auto& [field, kept, in_json] : kept_fields(json.contains("pass_lengths"))) {
    const bool needed = kept == Kept::always || (kept == Kept::if_tensor && tensor);
    if (needed || (kept != Kept::if_tensor && json.contains(field->name))) {
      fields.push_back(&in_json);
    } else if (kept == Kept::unless_usual) {
      (void)set_from_text(*field, tuning, field->usual);
    }
  }
  take_all(fields, json, tuning);
  return with_sums(std::move(tuning));
}

Tuning parse_own_tuning(OwnObject object, Arithmetic arithmetic) {
  Tuning tuning = with_arithmetic({}, arithmetic);
  for (const auto& [field, kept, in_json] : kept_fields(object.contains("pass_lengths"))) {
    if (const auto value = object.take(field->name)) {
      in_json.set(*value, tuning);
    } else if (kept == Kept::unless_usual) {
      (void)set_from_text(*field, tuning, field->usual);
    }
  }
  return with_sums(std::move(tuning));
}

}  // namespace sonoma
