#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "sonoma/target.hpp"
#include "sonoma/wisdom.hpp"
#include "variants.hpp"

namespace sonoma {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "sonoma-wisdom";
constexpr int format_version = 2;
constexpr const char* not_recorded = "unknown";

// ---- writing

// Of several passes: what is open is left out.
Json program_to_json(const Tuning& tuning) {
  Json json;
  json["pass_lengths"] = tuning.pass_lengths.value();
  if (tuning.decomposition) json["decomposition"] = to_string(*tuning.decomposition);
  if (tuning.columns) json["columns"] = *tuning.columns;
  if (tuning.points_per_thread) json["points_per_thread"] = *tuning.points_per_thread;
  if (tuning.registers) json["registers"] = *tuning.registers;
  if (tuning.radix) json["radix"] = *tuning.radix;
  if (tuning.cluster) json["cluster"] = *tuning.cluster;
  if (tuning.rounds) json["rounds"] = *tuning.rounds;
  if (tuning.workspace_points) json["workspace_points"] = *tuning.workspace_points;
  json["fused"] = tuning.fused.value();
  return json;
}

Json to_json(const Tuning& tuning) {
  if (tuning.pass_lengths) return program_to_json(tuning);
  // The arithmetic of the entry says engine and products; resolved, it has no radix; it is of one
  // kernel, and what several passes share is not its own.
  const auto& [method, engine, radix, decomposition, form, steps, products, per_thread, block,
               registers, load, store, cluster, rounds, twiddles, lengths, columns, workspace,
               fused] = tuning;
  Json json;
  if (method != Method::radix) json["method"] = to_string(*method);
  json["decomposition"] = to_string(decomposition.value());
  if (form) json["mma_form"] = to_string(*form);
  if (steps) json["tensor_steps"] = *steps;
  json["points_per_thread"] = per_thread.value();
  json["block_points"] = block.value();
  json["registers"] = registers.value();
  json["stage_load"] = load.value();
  json["stage_store"] = store.value();
  if (cluster.value_or(1) > 1) json["cluster"] = *cluster;
  if (rounds.value_or(1) > 1) json["rounds"] = *rounds;
  if (twiddles == Twiddles::products) json["twiddles"] = to_string(*twiddles);
  return json;
}

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

[[noreturn]] void fail(const std::string& field, const std::string& what) {
  throw BadWisdom("wisdom: " + field + ": " + what);
}

// One JSON object whose fields are all taken, each once.
class Fields {
 public:
  Fields(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) fail(path_, "must be an object, is " + json.dump());
  }

  [[nodiscard]] bool has(const std::string& name) const { return json_.contains(name); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return path_.empty() ? name : path_ + '.' + name;
  }
  const Json& take(const std::string& name) {
    const auto at = json_.find(name);
    if (at == json_.end()) fail(path(name), "is missing");
    taken_.push_back(name);
    return *at;
  }
  std::string text(const std::string& name) {
    const Json& value = take(name);
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      fail(path(name), "must be a string that is not empty, is " + value.dump());
    }
    return value.get<std::string>();
  }
  std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most) {
    return integer(take(name), path(name), least, most);
  }
  static std::int64_t integer(const Json& value, const std::string& path, std::int64_t least,
                              std::int64_t most) {
    const bool fits = value.is_number_integer() &&
                      !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) &&
                      value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
    if (!fits) {
      fail(path, "must be an integer from " + std::to_string(least) + " to " +
                     std::to_string(most) + ", is " + value.dump());
    }
    return value.get<std::int64_t>();
  }
  double number(const std::string& name) {
    const Json& value = take(name);
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
      fail(path(name), "must be a number, not negative, is " + value.dump());
    }
    return value.get<double>();
  }
  double positive(const std::string& name) {
    const double value = number(name);
    if (value == 0) fail(path(name), "must be larger than 0");
    return value;
  }
  bool flag(const std::string& name) {
    const Json& value = take(name);
    if (!value.is_boolean()) fail(path(name), "must be true or false, is " + value.dump());
    return value.get<bool>();
  }
  void finish() const {
    if (taken_.size() == json_.size()) return;
    for (const auto& [name, value] : json_.items()) {
      if (std::ranges::find(taken_, name) == taken_.end()) {
        fail(path(name), "is no field that this version knows");
      }
    }
  }

 private:
  const Json& json_;
  std::string path_;
  std::vector<std::string> taken_;
};

// What `parse` makes of a text field; nothing, or UnsupportedProblem, is an error of that field.
template <class Parse>
auto parsed(Fields& fields, const std::string& name, const char* allowed, Parse&& parse) {
  const std::string text = fields.text(name);
  std::string why;
  try {
    if (auto value = parse(text)) return *value;
  } catch (const UnsupportedProblem& error) {
    why = std::string(" (") + error.what() + ")";
  }
  fail(fields.path(name), "must be " + std::string(allowed) + ", is " + text + why);
}

// In `pattern` d stands for a digit, x for a hexadecimal one.
bool matches(const std::string& text, const std::string& pattern) {
  const auto is = [](char c, char kind) {
    if (kind == 'd') return c >= '0' && c <= '9';
    if (kind == 'x') return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    return c == kind;
  };
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(), is);
}

Platform parse_platform(Fields& fields) {
  Platform platform;
  platform.device = fields.text("device");
  platform.arch = parsed(fields, "arch", "an architecture such as sm_90", [](const auto& text) {
    return text.starts_with("sm_") ? std::optional(target_for(text).arch) : std::nullopt;
  });
  platform.driver = fields.text("driver");
  return platform;
}

std::vector<std::int64_t> parse_lengths(Fields& fields, const std::string& name,
                                        std::int64_t least) {
  const Json& list = fields.take(name);
  if (!list.is_array() || list.empty()) {
    fail(fields.path(name), "must be a list of lengths, is " + list.dump());
  }
  std::vector<std::int64_t> lengths;
  for (const Json& length : list) {
    lengths.push_back(Fields::integer(length, fields.path(name), least, std::int64_t{1} << 40));
  }
  return lengths;
}

Subject parse_subject(Fields& fields) {
  Subject subject;
  subject.lengths = parse_lengths(fields, "lengths", 1);
  subject.storage = parsed(fields, "storage", "f32, f16 or bf16",
                           [](const auto& text) { return storage_called(text); });
  subject.arithmetic = parsed(fields, "arithmetic", "split3, split4, half or simt",
                              [](const auto& text) { return arithmetic_called(text); });
  return subject;
}

Decomposition parse_tree(Fields& fields) {
  return parsed(fields, "decomposition", "a tree such as (gs 16 (dft 16))",
                [](const auto& text) { return std::optional(parse_decomposition(text)); });
}

Tuning parse_program(Fields& fields, Tuning tuning) {
  const auto take = [&](auto& field, const char* name, std::int64_t least, std::int64_t most) {
    using Value = typename std::remove_reference_t<decltype(field)>::value_type;
    if (fields.has(name)) field = static_cast<Value>(fields.integer(name, least, most));
  };
  tuning.pass_lengths = parse_lengths(fields, "pass_lengths", 2);
  if (fields.has("decomposition")) tuning.decomposition = parse_tree(fields);
  take(tuning.columns, "columns", 1, 1 << 20);
  take(tuning.points_per_thread, "points_per_thread", 1, 1 << 20);
  take(tuning.registers, "registers", 32, 255);
  take(tuning.radix, "radix", 2, static_cast<int>(largest_radix));
  take(tuning.cluster, "cluster", 1, 16);
  take(tuning.rounds, "rounds", 1, 2);
  take(tuning.workspace_points, "workspace_points", 1, std::int64_t{1} << 40);
  tuning.fused = fields.flag("fused");
  fields.finish();
  return tuning;
}

Tuning parse_tuning(Fields fields, Arithmetic arithmetic) {
  if (fields.has("pass_lengths")) return parse_program(fields, with_arithmetic({}, arithmetic));
  Tuning tuning = with_arithmetic({}, arithmetic);
  tuning.method = Method::radix;
  if (fields.has("method")) {
    tuning.method = parsed(fields, "method", "radix, bluestein or rader", method_called);
  }
  tuning.decomposition = parse_tree(fields);
  const auto count = [&](const char* name, int least, int most) {
    return static_cast<unsigned>(fields.integer(name, least, most));
  };
  if (tuning.engine == Engine::mma) {
    tuning.mma_form =
        parsed(fields, "mma_form", "ptx or wmma", [](const auto& text) -> std::optional<MmaForm> {
          if (text == "ptx") return MmaForm::ptx;
          return text == "wmma" ? std::optional(MmaForm::wmma) : std::nullopt;
        });
    tuning.tensor_steps = count("tensor_steps", 1, 1 << 20);
  }
  tuning.points_per_thread = count("points_per_thread", 1, 1 << 20);
  tuning.block_points = count("block_points", 1, 1 << 20);
  tuning.registers = count("registers", 32, 255);
  tuning.stage_load = fields.flag("stage_load");
  tuning.stage_store = fields.flag("stage_store");
  tuning.cluster = fields.has("cluster") ? count("cluster", 1, 16) : 1;
  tuning.rounds = fields.has("rounds") ? count("rounds", 1, 2) : 1;
  tuning.twiddles = Twiddles::table;
  if (fields.has("twiddles")) {
    tuning.twiddles = parsed(
        fields, "twiddles", "table or products", [](const auto& text) -> std::optional<Twiddles> {
          if (text == "table") return Twiddles::table;
          return text == "products" ? std::optional(Twiddles::products) : std::nullopt;
        });
  }
  fields.finish();
  return tuning;
}

// Version 1 had a hash over what its generator emitted for other problems.
std::string parse_kernels(Fields& fields, std::int64_t version) {
  if (version == 1) return (void)fields.text("generator"), std::string();
  const auto hash = [](const std::string& text) -> std::optional<std::string> {
    if (text == not_recorded) return std::string();
    return matches(text, std::string(16, 'x')) ? std::optional(text) : std::nullopt;
  };
  return parsed(fields, "kernels", "16 hexadecimal digits, or unknown", hash);
}

WisdomEntry parse_entry(const Json& json, const std::string& path, std::int64_t version) {
  Fields fields(json, path);
  WisdomEntry entry;
  entry.platform = parse_platform(fields);
  entry.subject = parse_subject(fields);
  entry.tuning =
      parse_tuning({fields.take("tuning"), fields.path("tuning")}, entry.subject.arithmetic);
  entry.kernels = parse_kernels(fields, version);
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
    if (std::ranges::find(others, name) != others.end()) fail(name, "stands twice in one object");
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
  Fields fields(json, "");
  (void)parsed(fields, "format", format_name, [](const std::string& name) {
    return name == format_name ? std::optional(name) : std::nullopt;
  });
  const std::int64_t version = fields.integer("version", 1, format_version);
  const Json& entries = fields.take("entries");
  if (!entries.is_array()) fail("entries", "must be a list, is " + entries.dump());
  fields.finish();
  Wisdom wisdom;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    wisdom.add(parse_entry(entries[i], "entries[" + std::to_string(i) + "]", version));
  }
  return wisdom;
}

}  // namespace sonoma
