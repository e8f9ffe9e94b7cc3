// Wisdom as text, in both directions, by tables of fields.
#include <span>
#include <type_traits>
#include <utility>

#include "json_fields.hpp"
#include "own_object.hpp"
#include "sonoma/json_depth.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning_fields.hpp"
#include "sonoma/wisdom.hpp"
#include "variants.hpp"
#include "wisdom_lines.hpp"

namespace sonoma {
namespace {

// ---- a tuning

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

// Entries of before there was a choice: one kernel was measured in FP32. Passes leave it open, as
// what they leave open is decided anew.
Tuning with_sums(Tuning tuning) {
  const bool said = tuning.sums || tuning.engine == Engine::mma || tuning.pass_lengths;
  if (!said && tuning.method == Method::bluestein) tuning.sums = Sums::fp32;
  return tuning;
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

// ---- an entry

using Entry = WisdomEntry;
using EntryField = Field<Entry>;

template <class... Members>
EntryField plain(const char* name, const char* allowed, std::function<bool(const Json&)> fits,
                 Members... to) {
  return {name, allowed, [=](const WisdomEntry& entry) -> Json { return (entry.*....*to); },
          [=](const Json& value, WisdomEntry& entry) { value.get_to((entry.*....*to)); }, fits};
}

// One of some values, by its name.
template <class Value>
EntryField named(const char* name, const char* allowed, std::span<const Value> values,
                 Value Subject::*to) {
  const auto find = [=](const Json& value) {
    return std::ranges::find_if(values, [&](Value one) { return value == to_string(one); });
  };
  return {name, allowed, [=](const WisdomEntry& e) { return to_string(e.subject.*to); },
          [=](const Json& value, WisdomEntry& e) {
            const auto at = find(value);
            if (at != values.end()) e.subject.*to = *at;
          },
          [=](const Json& value) { return find(value) != values.end(); }};
}

EntryField optional(EntryField field) {
  field.optional = true;
  return field;
}

// What goes without saying: that transforms are complex, apart from each other and no convolution.
EntryField domain_field() {
  using enum Domain;
  static constexpr Domain domains[] = {r2c, c2r, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4};
  return optional(named<Domain>("domain", "r2c, c2r, or dct1 to dst4", domains, &Subject::domain));
}

EntryField columns_field() {
  return optional(plain("side_by_side", "an integer from 1 to 2^40",
                        within(1, std::int64_t{1} << 40), &Entry::subject, &Subject::side_by_side));
}

EntryField convolution_field() {
  static constexpr Convolved kinds[] = {Convolved::complex, Convolved::real};
  return optional(named<Convolved>("convolution", "complex or real", kinds, &Subject::convolution));
}

EntryField arch_field() {
  return {"arch", "an architecture such as sm_90",
          [](const WisdomEntry& e) { return "sm_" + std::to_string(e.platform.arch); },
          [](const Json& value, WisdomEntry& e) {
            e.platform.arch = target_for(value.get<std::string>()).arch;
          }};
}

// An OwnObject has it as text.
EntryField tuning_field() {
  const auto set = [](const Json& value, WisdomEntry& entry) {
    const Arithmetic arithmetic = entry.subject.arithmetic;
    entry.tuning =
        value.is_string()
            ? parse_own_tuning(OwnObject(value.get_ref<const std::string&>()), arithmetic)
            : parse_tuning(value, arithmetic);
  };
  return {"tuning",
          "an object with the fields of a tuning",
          [](const WisdomEntry& e) { return to_json(e.tuning); },
          set,
          [](const Json& value) { return value.is_object(); },
          true};
}

EntryField kernels_field() {
  constexpr const char* unknown = "unknown";
  return {
      "kernels", "16 hexadecimal digits, or unknown",
      [](const WisdomEntry& e) { return e.kernels.empty() ? unknown : e.kernels; },
      [](const Json& value, WisdomEntry& e) {
        e.kernels = value == unknown ? "" : value.get<std::string>();
      },
      [](const Json& value) { return value == unknown || is_like(std::string(16, 'x'))(value); }};
}

// In the order of the file.
std::vector<EntryField> list_entry_fields() {
  static constexpr Storage storages[] = {Storage::f32, Storage::f16, Storage::bf16};
  static constexpr const char *text = "a string that is not empty", *positive = "a number above 0";
  return {plain("device", text, is_not_empty, &Entry::platform, &Platform::device),
          arch_field(),
          plain("driver", text, is_not_empty, &Entry::platform, &Platform::driver),
          plain("lengths", "a list of lengths", within(1, std::int64_t{1} << 40), &Entry::subject,
                &Subject::lengths),
          named<Storage>("storage", "f32, f16 or bf16", storages, &Subject::storage),
          named<Arithmetic>("arithmetic", "split3, split4, half, simt, simt64 or packed",
                            all_arithmetics, &Subject::arithmetic),
          domain_field(),
          columns_field(),
          convolution_field(),
          tuning_field(),
          kernels_field(),
          plain("eff", positive, is_positive, &Entry::eff),
          plain("ms", positive, is_positive, &Entry::ms),
          plain("points", "an integer from 1 to 2^50", within(1, std::int64_t{1} << 50),
                &Entry::points),
          plain("rel_l2", "a number, not negative", within(0, INT64_MAX), &Entry::rel_l2),
          plain("date", "a date such as 2026-11-20", is_like("dddd-dd-dd"), &Entry::date)};
}

const Fields<Entry>& entry_fields() {
  static const std::vector<EntryField> fields = list_entry_fields();
  static const Fields<Entry> all = all_of(fields);
  return all;
}

std::string line_of(const Entry& entry) {
  Json json;
  for (const EntryField* field : entry_fields()) {
    Json value = field->get(entry);
    if (!field->optional || value != field->get({})) json[field->name] = std::move(value);
  }
  return json.dump();
}

// ---- a file

void take_entries(const Json& entries, Wisdom& wisdom) {
  (void)entries.get_ref<const Json::array_t&>();
  const Fields<Entry>& fields = entry_fields();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    try {
      WisdomEntry entry;
      take_all(fields, entries[i], entry);
      wisdom.add(entry);
    } catch (const BadField& bad) {
      throw BadField{"[" + std::to_string(i) + "]." + bad.field, bad.what};
    }
  }
}

constexpr const char* format_name = "sonoma-wisdom";
constexpr int format_version = 2;

const std::vector<Field<Wisdom>>& file_fields() {
  const auto nothing = [](const Json&, Wisdom&) {};
  static const std::vector<Field<Wisdom>> fields = {
      {"format", format_name, [](const Wisdom&) { return format_name; }, nothing},
      {"version",
       std::to_string(format_version) +
           ", the version of the format that this library reads (others: measure again, "
           "`sonoma tune`)",
       [](const Wisdom&) { return format_version; }, nothing},
      {"entries", "a list", {}, take_entries, is_anything, true}};
  return fields;
}

// The library's parser would let the last of equal names win.
Json parse_json(std::string_view text) {
  std::vector<std::vector<std::string>> names;
  const auto watch = [&](int, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event != Json::parse_event_t::key) return true;
    const auto& name = value.get_ref<const std::string&>();
    auto& others = names.back();
    if (std::ranges::find(others, name) != others.end()) {
      throw BadField{name, "stands twice in one object"};
    }
    others.push_back(name);
    return true;
  };
  try {
    check_json_depth(text);
    return Json::parse(text, watch);
  } catch (const Json::exception& error) {  // its text says line and column
    throw BadWisdom(std::string("wisdom: ") + error.what());
  } catch (const std::invalid_argument& error) {
    throw BadWisdom(std::string("wisdom: ") + error.what());
  }
}

Wisdom wisdom_of(const Json& json) {
  Wisdom wisdom;
  take_all(all_of(file_fields()), json, wisdom);
  return wisdom;
}

}  // namespace

std::string to_json_text(const Wisdom& wisdom) {
  std::string text = "{\n\"format\": \"" + std::string(format_name) +
                     "\",\n\"version\": " + std::to_string(format_version) + ",\n\"entries\": [";
  const char* separator = "\n";
  for (const auto& entry : wisdom.entries()) {
    text += separator + line_of(entry);
    separator = ",\n";
  }
  return text + (wisdom.entries().empty() ? "]\n}\n" : "\n]\n}\n");
}

Wisdom parse_wisdom(std::string_view text) {
  try {
    return wisdom_of(parse_json(text));
  } catch (const BadField& bad) {
    throw BadWisdom("wisdom: " + bad.field + ": " + bad.what);
  }
}

WisdomEntry parse_own_entry(std::string_view line) {
  WisdomEntry entry;
  take_all(entry_fields(), OwnObject(line), entry);
  return entry;
}

}  // namespace sonoma
