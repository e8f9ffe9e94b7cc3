#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "json_fields.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning_fields.hpp"
#include "sonoma/wisdom.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

constexpr const char* format_name = "sonoma-wisdom";
constexpr int format_version = 2;
constexpr const char* not_recorded = "unknown";

// ---- the fields of a tuning

struct KeptField {
  const TuningField* field;
  Kept kept;
};

// In the order of the file. The arithmetic of the entry says engine and products.
std::vector<KeptField> kept_fields(bool of_passes) {
  std::vector<KeptField> fields;
  for (const TuningField& field : tuning_fields()) {
    const Kept kept = of_passes ? field.kept_of_passes : field.kept;
    if (kept != Kept::never) fields.push_back({&field, kept});
  }
  if (of_passes) {
    std::ranges::sort(fields, {}, [](const KeptField& one) { return one.field->place_of_passes; });
  }
  return fields;
}

template <class Member>
using ValueOf = typename std::remove_reference_t<decltype(std::declval<Tuning&>().*
                                                          std::declval<Member>())>::value_type;

// Numbers, flags and lists of numbers as such, others as text.
Json to_json(const TuningField& field, const Tuning& tuning) {
  const auto value = [&](auto member) -> Json {
    using Value = ValueOf<decltype(member)>;
    if constexpr (std::is_enum_v<Value> || std::is_same_v<Value, Decomposition>) {
      return to_string((tuning.*member).value());
    } else {
      return (tuning.*member).value();
    }
  };
  return std::visit(value, field.member);
}

Json to_json(const Tuning& tuning) {
  Json json;
  for (const auto& [field, kept] : kept_fields(tuning.pass_lengths.has_value())) {
    const auto text = text_of(*field, tuning);
    const bool writes =
        text ? kept != Kept::unless_usual || text != field->usual : kept == Kept::always;
    if (writes) json[field->name] = to_json(*field, tuning);
  }
  return json;
}

// ---- writing

Json to_json(const WisdomEntry& entry) {
  return {{"device", entry.platform.device},
          {"arch", "sm_" + std::to_string(entry.platform.arch)},
          {"driver", entry.platform.driver},
          {"lengths", entry.subject.lengths},
          {"storage", to_string(entry.subject.storage)},
          {"arithmetic", to_string(entry.subject.arithmetic)},
          {"tuning", to_json(entry.tuning)},
          {"kernels", entry.kernels.empty() ? not_recorded : entry.kernels},
          {"eff", entry.eff},
          {"ms", entry.ms},
          {"points", entry.points},
          {"rel_l2", entry.rel_l2},
          {"date", entry.date}};
}

// ---- reading

// In `pattern` d stands for a digit, x for a hexadecimal one.
bool matches(const std::string& text, const std::string& pattern) {
  const auto is = [](char c, char kind) {
    if (kind == 'd') return c >= '0' && c <= '9';
    if (kind == 'x') return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    return c == kind;
  };
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(), is);
}

Platform parse_platform(JsonFields& fields) {
  Platform platform;
  platform.device = fields.text("device");
  platform.arch = parsed(fields, "arch", "an architecture such as sm_90", [](const auto& text) {
    return text.starts_with("sm_") ? std::optional(target_for(text).arch) : std::nullopt;
  });
  platform.driver = fields.text("driver");
  return platform;
}

std::vector<std::int64_t> parse_lengths(JsonFields& fields, const std::string& name,
                                        std::int64_t least, std::int64_t most) {
  const Json& list = fields.take(name);
  if (!list.is_array() || list.empty()) {
    JsonFields::fail(fields.path(name), "must be a list of lengths, is " + list.dump());
  }
  std::vector<std::int64_t> lengths;
  for (const Json& length : list) {
    lengths.push_back(JsonFields::integer(length, fields.path(name), least, most));
  }
  return lengths;
}

Subject parse_subject(JsonFields& fields) {
  Subject subject;
  subject.lengths = parse_lengths(fields, "lengths", 1, std::int64_t{1} << 40);
  subject.storage = parsed(fields, "storage", "f32, f16 or bf16",
                           [](const auto& text) { return storage_called(text); });
  subject.arithmetic = parsed(fields, "arithmetic", "split3, split4, half or simt",
                              [](const auto& text) { return arithmetic_called(text); });
  return subject;
}

void take_field(JsonFields& fields, const TuningField& field, Tuning& tuning) {
  const auto take = [&](auto member) {
    using Value = ValueOf<decltype(member)>;
    auto& value = tuning.*member;
    if constexpr (std::is_same_v<Value, bool>) {
      value = fields.flag(field.name);
    } else if constexpr (std::is_integral_v<Value>) {
      value = static_cast<Value>(fields.integer(field.name, field.least, field.most));
    } else if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>) {
      value = parse_lengths(fields, field.name, field.least, field.most);
    } else {
      value = parsed(fields, field.name, field.allowed, [&](const std::string& text) {
        Tuning read;
        (void)set_from_text(field, read, text);
        return read.*member;
      });
    }
  };
  std::visit(take, field.member);
}

Tuning parse_tuning(JsonFields fields, Arithmetic arithmetic) {
  Tuning tuning = with_arithmetic({}, arithmetic);
  for (const auto& [field, kept] : kept_fields(fields.has("pass_lengths"))) {
    const bool needed =
        kept == Kept::always || (kept == Kept::if_tensor && tuning.engine == Engine::mma);
    if (needed || (kept != Kept::if_tensor && fields.has(field->name))) {
      take_field(fields, *field, tuning);
    } else if (kept == Kept::unless_usual) {
      (void)set_from_text(*field, tuning, field->usual);
    }
  }
  if (fields.has("mma_form")) {  // until 2026-11-22 products had two forms
    (void)parsed(fields, "mma_form", "ptx or wmma", [](const std::string& text) {
      return text == "ptx" || text == "wmma" ? std::optional(text) : std::nullopt;
    });
  }
  fields.finish();
  return tuning;
}

std::string parse_kernels(JsonFields& fields) {
  const auto hash = [](const std::string& text) -> std::optional<std::string> {
    if (text == not_recorded) return std::string();
    return matches(text, std::string(16, 'x')) ? std::optional(text) : std::nullopt;
  };
  return parsed(fields, "kernels", "16 hexadecimal digits, or unknown", hash);
}

WisdomEntry parse_entry(const Json& json, const std::string& path) {
  JsonFields fields(json, path);
  WisdomEntry entry;
  entry.platform = parse_platform(fields);
  entry.subject = parse_subject(fields);
  entry.tuning =
      parse_tuning({fields.take("tuning"), fields.path("tuning")}, entry.subject.arithmetic);
  entry.kernels = parse_kernels(fields);
  entry.eff = fields.positive("eff");
  entry.ms = fields.positive("ms");
  entry.points = fields.integer("points", 1, std::int64_t{1} << 50);
  entry.rel_l2 = fields.number("rel_l2");
  entry.date = parsed(fields, "date", "a date such as 2026-11-20", [](const std::string& text) {
    return matches(text, "dddd-dd-dd") ? std::optional(text) : std::nullopt;
  });
  fields.finish();
  return entry;
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
      JsonFields::fail(name, "stands twice in one object");
    }
    others.push_back(name);
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::exception& error) {  // its text says line and column
    throw BadWisdom(std::string("wisdom: ") + error.what());
  }
}

}  // namespace

std::string to_json_text(const Wisdom& wisdom) {
  std::string text = "{\n\"format\": \"" + std::string(format_name) +
                     "\",\n\"version\": " + std::to_string(format_version) + ",\n\"entries\": [";
  const char* separator = "\n";
  for (const auto& entry : wisdom.entries()) {
    text += separator + to_json(entry).dump();
    separator = ",\n";
  }
  return text + (wisdom.entries().empty() ? "]\n}\n" : "\n]\n}\n");
}

Wisdom parse_wisdom(std::string_view text) {
  const Json json = parse_json(text);
  JsonFields fields(json, "");
  (void)parsed(fields, "format", format_name, [](const std::string& name) {
    return name == format_name ? std::optional(name) : std::nullopt;
  });
  (void)fields.integer("version", format_version, format_version);
  const Json& entries = fields.take("entries");
  if (!entries.is_array()) JsonFields::fail("entries", "must be a list, is " + entries.dump());
  fields.finish();
  Wisdom wisdom;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    wisdom.add(parse_entry(entries[i], "entries[" + std::to_string(i) + "]"));
  }
  return wisdom;
}

}  // namespace sonoma
