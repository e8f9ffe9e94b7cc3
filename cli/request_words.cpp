#include "request_words.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "arguments.hpp"
#include "sonoma/tuning_fields.hpp"

namespace sonoma::cli {
namespace {

using Text = std::optional<std::string> RequestOptions::*;
using Options = RequestOptions;

struct Named {
  const char* option;
  Text text;
};

// One option of a group rules out that others are taken over.
const std::vector<std::vector<Named>>& groups() {
  static const std::vector<std::vector<Named>> all = {
      {{"--n", &Options::n},
       {"--shape", &Options::shape},
       {"--array", &Options::array},
       {"--axes", &Options::axes}},
      {{"--domain", &Options::domain}},
      {{"--convolution", &Options::convolution}, {"--correlation", &Options::correlation}},
      {{"--precision", &Options::precision}},
      {{"--out-precision", &Options::out_precision}},
      {{"--accuracy", &Options::accuracy}},
      {{"--order", &Options::order}},
      {{"--scale", &Options::scale}, {"--norm", &Options::norm}},
      {{"--in-length", &Options::in_length}},
      {{"--out-length", &Options::out_length}},
      {{"--load-code", &Options::load_code}},
      {{"--store-code", &Options::store_code}},
      {{"--in-stride", &Options::in_stride}},
      {{"--in-dist", &Options::in_dist}},
      {{"--out-stride", &Options::out_stride}},
      {{"--out-dist", &Options::out_dist}},
      {{"--loops", &Options::loops}},
      {{"--alignment", &Options::alignment}},
      {{"--channels", &Options::channels}},
      {{"--spectrum-dist", &Options::spectrum_dist}},
      {{"--spectrum-stride", &Options::spectrum_stride}},
      {{"--batch", &Options::batch}},
      {{"--arch", &Options::arch}},
      {{"--device", &Options::device}}};
  return all;
}

struct NamedFlag {
  const char* option;
  bool RequestOptions::*flag;
};
constexpr std::array<NamedFlag, 3> flags = {{{"--inverse", &Options::inverse},
                                             {"--in-place", &Options::in_place},
                                             {"--orthogonal", &Options::orthogonal}}};

// The text up to that character, which goes too.
std::string take_until(char end, std::string_view& rest) {
  std::string word(rest.substr(0, rest.find(end)));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

}  // namespace

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \n"), line.size()));
    if (line.empty()) return words;
    if (line.front() == '"') {
      line.remove_prefix(1);
      words.push_back(take_until('"', line));
      continue;
    }
    words.emplace_back(line.substr(0, line.find_first_of(" \n")));
    line.remove_prefix(words.back().size());
  }
}

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool plain = !word.empty() && word.find_first_of(" ()") == std::string::npos;
    line += plain ? word : '"' + word + '"';
  }
  return line;
}

WordedRequest parse_request(const std::vector<std::string>& words, const std::string& who) {
  WordedRequest request;
  CLI::App command;
  add_request_options(command, request.options, "");
  add_end_options(command, request.options);
  add_layout_options(command, request.options);
  add_convolution_options(command, request.options);
  add_array_options(command, request.options);
  add_device_option(command, request.options);
  command.add_option("--pass", request.pass, "");
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 takes them
  try {
    command.parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw BadArgument(who, line_of(words), error.what());
  }
  return request;
}

std::vector<std::string> words_of(const RequestOptions& request) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& option, const std::optional<std::string>& text) {
    if (text) words.insert(words.end(), {option, *text});
  };
  for (const auto& group : groups()) {
    for (const Named& one : group) add(one.option, request.*one.text);
  }
  for (const auto& [option, flag] : flags) {
    if (request.*flag) words.emplace_back(option);
  }
  for (const TuningField& field : tuning_fields()) {
    add(option_of(field), request.tuning.at(field.name));
  }
  return words;
}

RequestOptions with_problem_of(RequestOptions own, const RequestOptions& other) {
  for (const auto& group : groups()) {
    const auto said = [&](const Named& one) { return (own.*one.text).has_value(); };
    if (std::ranges::any_of(group, said)) continue;
    for (const Named& one : group) own.*one.text = other.*one.text;
  }
  for (const auto& [option, flag] : flags) own.*flag = own.*flag || other.*flag;
  return own;
}

namespace {

// Of a group both say something, and not the same.
bool contradict(const RequestOptions& own, const RequestOptions& other) {
  return std::ranges::any_of(groups(), [&](const auto& group) {
    const auto said = [&](const Named& one) { return (own.*one.text).has_value(); };
    const auto said_too = [&](const Named& one) { return (other.*one.text).has_value(); };
    const auto differs = [&](const Named& one) { return own.*one.text != other.*one.text; };
    return std::ranges::any_of(group, said) && std::ranges::any_of(group, said_too) &&
           std::ranges::any_of(group, differs);
  });
}

}  // namespace

RequestOptions with_all_of(RequestOptions own, const RequestOptions& other) {
  if (contradict(own, other)) return own;
  own = with_problem_of(std::move(own), other);
  for (auto& [name, text] : own.tuning) {
    if (!text) text = other.tuning.at(name);
  }
  return own;
}

}  // namespace sonoma::cli
