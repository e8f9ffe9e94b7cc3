// Wisdom as text, in both directions, by tables of fields.
#include <span>
#include <utility>

#include "json_fields.hpp"
#include "own_object.hpp"
#include "sonoma/json_depth.hpp"
#include "sonoma/target.hpp"
#include "sonoma/wisdom.hpp"
#include "tuning_json.hpp"
#include "wisdom_lines.hpp"

namespace sonoma {
namespace {

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
