#include "aot_spec.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "asked_problems.hpp"
#include "sonoma/json_depth.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

// "--precision f23: ..." says of a field ".precision f23: ...".
[[noreturn]] void fail(const std::string& where, const std::string& why) {
  throw BadSpec(where + (why.starts_with("--") ? "." + why.substr(2) : ": " + why));
}

// A parser of the fields of a request: its options, but for those that all requests share.
struct Fields {
  CLI::App app{"", "request"};
  AotRequestOptions options;

  Fields() {
    options.add_to(app, "");
    app.set_help_flag();
  }

  [[nodiscard]] std::string list() const {
    std::string names;
    for (const CLI::Option* option : app.get_options()) {
      names += option->get_lnames().front() + ", ";
    }
    return names + "archs";
  }
};

std::string text_of(const std::string& where, const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  fail(where, value.dump() + ": must be a text or a number");
}

// The words of a field that has one value.
void add_words(const std::string& where, const CLI::Option& option, const std::string& name,
               const json& value, std::vector<std::string>& words) {
  const bool flag = option.get_items_expected_max() == 0;
  if (!flag) return words.push_back("--" + name + "=" + text_of(where, value));
  if (!value.is_boolean()) fail(where, value.dump() + ": must be true or false");
  if (value.get<bool>()) words.push_back("--" + name);
}

constexpr std::size_t most_ways = 10'000;

// All ways to take one of several values for each field that has a list.
std::vector<std::vector<std::string>> ways(const std::string& where, const json& request) {
  const Fields known;
  std::vector<std::vector<std::string>> all = {{}};
  for (const auto& [name, value] : request.items()) {
    if (name == "archs") continue;
    std::string field = where;
    field.append(".").append(name);
    const CLI::Option* option = known.app.get_option_no_throw("--" + name);
    if (option == nullptr) fail(field, "is no field of a request, which has " + known.list());
    if (value.is_array() && value.empty()) fail(field, "is an empty list");
    const json values = value.is_array() ? value : json::array({value});
    if (values.size() > most_ways / all.size()) {
      fail(where, "stands for more than " + std::to_string(most_ways) +
                      " requests: all ways to take one value of each list; write several requests");
    }
    std::vector<std::vector<std::string>> longer;
    for (const auto& words : all) {
      for (const json& one : values) {
        longer.push_back(words);
        add_words(field, *option, name, one, longer.back());
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<AheadRequest> requests_of(const std::string& where, std::vector<std::string> words) {
  Fields fields;
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    fields.app.parse(words);
    return requests_asked(fields.options);
  } catch (const CLI::ParseError& error) {
    fail(where, error.what());
  } catch (const std::invalid_argument& error) {  // BadArgument, UnsupportedProblem
    fail(where, error.what());
  }
}

std::vector<Target> archs_of(const std::string& where, const json& list) {
  if (!list.is_array() || list.empty()) {
    fail(where, list.dump() + ": must be a list of architectures, e.g. [\"sm_80\", \"sm_90\"]");
  }
  std::string text;
  for (const json& arch : list) {
    if (!arch.is_string()) fail(where, arch.dump() + ": must be a text, e.g. \"sm_90\"");
    text += (text.empty() ? "" : ",") + arch.get<std::string>();
  }
  try {
    return parse_archs(text);
  } catch (const std::invalid_argument& error) {
    fail(where, error.what());
  }
}

json parsed(const std::string& name, const std::string& text) {
  try {
    check_json_depth(text);
    return json::parse(text);
  } catch (const std::invalid_argument& error) {
    throw BadSpec(name + ": " + error.what());
  } catch (const json::exception& error) {  // out_of_range too: 1e999
    const std::string what = error.what();
    throw BadSpec(name + ": is no JSON: " + what.substr(what.find("] ") + 2));
  }
}

}  // namespace

std::vector<Target> parse_archs(const std::string& list) {
  std::vector<Target> targets;
  for (const auto& arch : values_of(list)) targets.push_back(target_for(*arch));
  std::ranges::sort(targets, {}, &Target::arch);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

void AotRequestOptions::add_to(CLI::App& command, const std::string& n_help) {
  add_request_options(command, request, n_help);
  add_end_options(command, request);
  add_layout_options(command, request);
  add_convolution_options(command, request);
  add_array_options(command, request);
  command.remove_option(command.get_option("--arch"));
  command.add_option("--workspace", workspace,
                     "fast (the default) or minimal: PlanOptions::workspace_policy");
}

std::vector<AheadRequest> requests_asked(const AotRequestOptions& options) {
  const std::string workspace = options.workspace.value_or("fast");
  if (workspace != "fast" && workspace != "minimal") {
    throw BadArgument("--workspace", workspace, "must be fast or minimal");
  }
  const auto policy = workspace == "fast" ? WorkspacePolicy::fast : WorkspacePolicy::minimal;
  std::vector<AheadRequest> requests;
  for (const RequestOptions& one : one_by_one(options.request, any_length)) {
    const bool any_batch = !one.batch && !one.array;
    requests.push_back({problem_asked(one), any_batch, tuning_of(one), policy});
  }
  return requests;
}

std::vector<AotRequest> requests_of_spec(const std::string& name, const std::string& text,
                                         const std::vector<Target>& archs) {
  const json spec = parsed(name, text);
  if (!spec.is_object()) fail(name, "must be an object with the fields archs and requests");
  for (const auto& [field, value] : spec.items()) {
    if (field == "archs" || field == "requests") continue;
    fail(name, field + ": is no field of a spec, which has archs and requests");
  }
  if (!spec.contains("requests") || !spec["requests"].is_array() || spec["requests"].empty()) {
    fail(name, "requests: must be a list of requests, e.g. [{\"n\": 4096}]");
  }
  std::vector<Target> common = archs;
  if (common.empty() && spec.contains("archs")) common = archs_of(name + ": archs", spec["archs"]);
  std::vector<AotRequest> found;
  for (std::size_t i = 0; i < spec["requests"].size(); ++i) {
    const json& request = spec["requests"][i];
    const std::string where = name + ": requests[" + std::to_string(i) + "]";
    if (!request.is_object()) fail(where, "must be an object, e.g. {\"n\": 4096}");
    const bool own = archs.empty() && request.contains("archs");
    const auto targets = own ? archs_of(where + ".archs", request["archs"]) : common;
    if (targets.empty()) {
      fail(where, "no architectures: give --arch, or archs here or beside requests");
    }
    for (const auto& words : ways(where, request)) {
      for (AheadRequest& one : requests_of(where, words)) {
        found.push_back({where, std::move(one), targets});
      }
    }
  }
  return found;
}

}  // namespace sonoma::cli
