#include "complete.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>

namespace sonoma::cli {
namespace {

// Of options whose help says their values in a sentence. completion_test.sh gives each to a
// command.
constexpr std::array<std::array<std::string_view, 2>, 9> known_values = {{
    {"--accuracy", "split3,split4,half,simt,simt64"},
    {"--arch", "sm_75,sm_80,sm_86,sm_87,sm_89,sm_90,sm_100,sm_103,sm_110,sm_120,sm_121"},
    {"--convolution", "complex,real"},
    {"--correlation", "complex,real"},
    {"--device", "auto,gpu,cpu"},
    {"--domain", "c2c,r2c,c2r,dct1,dct2,dct3,dct4,dst1,dst2,dst3,dst4"},
    {"--engine", "mma,simt"},
    {"--method", "radix,bluestein,rader"},
    {"--precision", "f32,f16,bf16,i16"},
}};

// "{kernel,launcher}" in the name of its type, or what is known; else nothing.
std::string_view values_of(const std::string& type, std::string_view name) {
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open < close && close != std::string::npos) {
    return std::string_view(type).substr(open + 1, close - open - 1);
  }
  for (const auto& [option, values] : known_values) {
    if (option == name) return values;
  }
  return {};
}

// Its first words, of one line that fits beside the word.
std::string brief(const std::string& help) {
  constexpr std::size_t most = 60;
  std::string first = help.substr(0, help.find_first_of(".;(\n"));
  if (first.size() > most) first = first.substr(0, first.rfind(' ', most)) + " ...";
  while (first.ends_with(' ') || first.ends_with(',')) first.pop_back();
  return first;
}

const CLI::Option* option_named(const CLI::App& command, const std::string& name) {
  return name.starts_with("--") ? command.get_option_no_throw(name) : nullptr;
}

std::vector<Completion> all_values(std::string_view values) {
  std::vector<Completion> found;
  while (!values.empty()) {
    const std::size_t comma = values.find(',');
    const std::string_view value = values.substr(0, comma);
    found.push_back({std::string(value.substr(0, value.find("->"))), ""});
    values = comma == values.npos ? std::string_view() : values.substr(comma + 1);
  }
  return found;
}

// After a comma the others: "sm_80,sm_" goes on to "sm_80,sm_90". A command refuses two of an
// option that takes one.
std::vector<Completion> values_after(std::string_view word, std::string_view values) {
  const std::string begun(word.substr(0, word.rfind(',') + 1));
  std::vector<Completion> found = all_values(values);
  std::erase_if(found, [&](const Completion& one) {
    return ("," + begun).find("," + one.word + ",") != std::string::npos;
  });
  for (Completion& one : found) one.word = begun + one.word;
  return found;
}

std::vector<Completion> all_options(const CLI::App& command) {
  std::vector<Completion> found;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      found.push_back({"--" + name, brief(option->get_description())});
    }
  }
  return found;
}

std::vector<Completion> all_commands(const CLI::App& command) {
  std::vector<Completion> found;
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
    found.push_back({one->get_name(), brief(one->get_description())});
  }
  return found;
}

// The innermost command that the words name.
const CLI::App& command_of(const CLI::App& app, std::span<const std::string> words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    for (const CLI::App* one : command->get_subcommands([](const CLI::App*) { return true; })) {
      if (one->get_name() != word) continue;
      command = one;
      break;
    }
  }
  return *command;
}

}  // namespace

std::vector<Completion> completions(const CLI::App& app, std::span<const std::string> words) {
  if (words.empty()) return all_commands(app);
  const std::string& word = words.back();
  const auto before = words.first(words.size() - 1);
  const CLI::App& command = command_of(app, before);
  const CLI::Option* option = before.empty() ? nullptr : option_named(command, before.back());
  std::vector<Completion> found;
  if (option != nullptr && option->get_items_expected_max() > 0) {
    found = values_after(word, values_of(option->get_type_name(), before.back()));
  } else {
    found = word.starts_with('-') ? all_options(command) : all_commands(command);
  }
  std::erase_if(found, [&](const Completion& one) { return !one.word.starts_with(word); });
  return found;
}

void print_completions(const CLI::App& app, std::span<const std::string> words) {
  for (const auto& [word, help] : completions(app, words)) fmt::print("{}\t{}\n", word, help);
}

}  // namespace sonoma::cli
