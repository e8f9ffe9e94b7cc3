// What a shell may complete. Its files in completions/ ask for it by `sonoma __complete WORD...`.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sonoma::cli {

struct Completion {
  std::string word, help;
};

/// What may stand in the place of the last of `words`, behind the others: commands, options, values
/// of the option before it. Nothing where anything is allowed; the shell then takes files.
[[nodiscard]] std::vector<Completion> completions(const CLI::App& app,
                                                  std::span<const std::string> words);

/// Prints them, one a line: the word, a tab, what it is.
void print_completions(const CLI::App& app, std::span<const std::string> words);

}  // namespace sonoma::cli
