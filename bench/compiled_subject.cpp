#include "compiled_subject.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gzip.hpp"
#include "kernel_facts.hpp"
#include "sonoma/json_depth.hpp"
#include "subject_fields.hpp"
#include "tuning_options.hpp"

namespace sonoma::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "sonoma-kernels 1";

Json to_json(const CompiledCandidate& candidate) {
  Json json = {{"tuning", options_of(candidate.tuning)}, {"kernels", candidate.kernels}};
  if (candidate.failure.empty()) {
    json["modules"] = candidate.modules, json["facts"] = candidate.facts;
  } else {
    json["failure"] = candidate.failure;
  }
  return json;
}

CompiledCandidate candidate_of(const Json& json) {
  CompiledCandidate candidate;
  candidate.tuning = tuning_of_options(json.at("tuning").get<std::string>());
  json.at("kernels").get_to(candidate.kernels);
  if (json.contains("failure")) {
    json.at("failure").get_to(candidate.failure);
    return candidate;
  }
  json.at("modules").get_to(candidate.modules);
  json.at("facts").get_to(candidate.facts);
  return candidate;
}

// Everything but the cubins.
Json head_of(const CompiledSubject& subject) {
  Json json = {{"format", format}, {"arch", subject.arch}};
  for (const auto& [name, value] : fields_of(subject.subject)) json[name] = value;
  json["points"] = subject.points;
  json["facts"] = fact_names();
  json["candidates"] = json["modules"] = Json::array();
  for (const auto& candidate : subject.candidates) {
    json["candidates"].push_back(to_json(candidate));
  }
  for (const auto& [name, cubin] : subject.modules) json["modules"].push_back({name, cubin.size()});
  return json;
}

// Neighbours are alike, so that the one tells the compression much about the other: the modules in
// the order of the candidates' tunings.
std::vector<std::string> order_of_modules(const CompiledSubject& subject) {
  std::vector<CompiledCandidate> sorted = subject.candidates;
  std::ranges::sort(sorted, {}, &CompiledCandidate::tuning);
  std::vector<std::string> order;
  for (const auto& candidate : sorted) {
    for (const auto& module : candidate.modules) {
      if (std::ranges::find(order, module) == order.end()) order.push_back(module);
    }
  }
  return order;
}

CompiledSubject subject_in(const Json& json) {
  if (json.at("format") != format) throw std::invalid_argument("it has another format");
  if (json.at("facts") != fact_names()) throw std::invalid_argument("it has other facts");
  CompiledSubject subject;
  json.at("arch").get_to(subject.arch);
  Fields fields;
  for (auto& [name, value] : fields_of(Subject{{1}})) {
    fields.emplace_back(name, json.at(name).get<std::string>());
  }
  subject.subject = subject_of_fields(fields);
  json.at("points").get_to(subject.points);
  for (const Json& one : json.at("candidates")) subject.candidates.push_back(candidate_of(one));
  return subject;
}

void take_modules(const Json& sizes, std::string_view bytes, CompiledSubject& subject) {
  std::map<std::string, std::size_t> size_of;
  for (const Json& module : sizes) size_of[module.at(0)] = module.at(1);
  for (const auto& name : order_of_modules(subject)) {
    const std::size_t size = size_of.at(name);
    if (size > bytes.size()) throw std::invalid_argument("modules are missing");
    subject.modules[name] = bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
  if (!bytes.empty()) throw std::invalid_argument("there is more than its modules");
}

}  // namespace

std::string encode(const CompiledSubject& subject) {
  std::string bytes = head_of(subject).dump() + '\n';
  for (const auto& name : order_of_modules(subject)) bytes += subject.modules.at(name);
  return gzip(bytes);
}

CompiledSubject decode_subject(std::string_view compressed) {
  const auto bytes = gunzip(compressed);
  if (!bytes) throw std::invalid_argument("it is not whole");
  try {
    const std::size_t size = std::min(bytes->find('\n'), bytes->size() - 1);
    const std::string text = bytes->substr(0, size);
    check_json_depth(text);
    const Json head = Json::parse(text);
    CompiledSubject subject = subject_in(head);
    take_modules(head.at("modules"), std::string_view(*bytes).substr(size + 1), subject);
    return subject;
  } catch (const Json::exception& error) {
    throw std::invalid_argument(error.what());
  } catch (const std::out_of_range&) {
    throw std::invalid_argument("a candidate's module is missing");
  }
}

std::string name_of(const CompiledSubject& subject) {
  std::string name = "sm_" + std::to_string(subject.arch);
  for (const auto& [field, value] : fields_of(subject.subject)) {
    if (!value.empty()) name += '-' + value;
  }
  return name + '-' + std::to_string(subject.points);
}

}  // namespace sonoma::bench
