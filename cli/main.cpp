// The `sonoma` command.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "complete.hpp"
#include "exit_codes.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/version.hpp"
#include "suggestion.hpp"

namespace sonoma::cli {
namespace {

constexpr const char* footer =
    "Exit codes: 0 success; 1 a transform or a cache entry failed its check; 2 bad argument or\n"
    "request; 3 compiler, device or file error.\n"
    "Environment: SONOMA_CACHE_DIR (folder of compiled kernels), SONOMA_CUDA_PATH (toolkit with\n"
    "NVRTC), SONOMA_CXX (compiler of the emulated device), TMPDIR (where it works), SONOMA_WISDOM\n"
    "(file of measured choices), SONOMA_OVERRIDES_DIR (folder of edited kernels), "
    "SONOMA_OVERRIDES=1\n"
    "(plans take these), SONOMA_KERNELS (kernels made ahead of time; files with colons between\n"
    "them), SONOMA_AOT_ONLY=1 (no other kernels), SONOMA_LOG (off, error, warn, info, debug),\n"
    "SONOMA_CACHE_READ_OFF=1, SONOMA_CACHE_WRITE_OFF=1, SONOMA_CACHE_LIMIT_MIB,\n"
    "SONOMA_CACHE_ENTRY_LIMIT_MIB, SONOMA_SYSTEM_CACHE (folders, with colons), "
    "SONOMA_SYSTEM_WISDOM\n"
    "(folder of *.json).\n"
    "Lengths: products of primes up to 61, up to 2^31, any other up to 2^26.\n"
    "`sonoma COMMAND --help` lists options.";

int fail(ExitCode code, const std::string& message) {
  fmt::print(stderr, "sonoma: {}\n", message);
  return code;
}

int fail(const FftError& error) {
  const std::string log = error.log().empty() ? "" : "\ncompiler log:\n" + error.log();
  return fail(exit_runtime_error, error.what() + log);
}

// A full disk or a closed pipe shows only when what was printed is written out.
int finish(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  return fail(exit_runtime_error, "standard output: writing failed");
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// The commands that have the option, between commas.
std::string having(const CLI::App& app, const std::string& option) {
  std::string names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_option_no_throw(option) == nullptr) continue;
    names += (names.empty() ? "" : ", ") + one->get_name();
  }
  return names;
}

// The first word that `command` does not know, and what may have been meant; else the error.
std::string wrong_word(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error) {
  const std::vector<std::string> extra = command.remaining();
  if (extra.empty()) return error.what();
  const std::string word = extra[0].substr(0, extra[0].find('='));
  if (word.starts_with('-')) {
    const std::string others = word.starts_with("--") ? having(app, word) : "";
    if (!others.empty())
      return fmt::format("{} has no option {}; these have: {}", command.get_name(), word, others);
    return fmt::format("there is no option {}{}", word, suggestion(word, options_of(command)));
  }
  const std::vector<std::string> commands = commands_of(command);
  if (commands.empty()) return fmt::format("{} is one word too many", word);
  return fmt::format("no command is called {}{}", word, suggestion(word, commands));
}

// Help texts go to stdout with 0; all other parse errors are bad arguments.
int report(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return finish(app.exit(error));
  std::string name = app.get_name();
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += ' ' + command->get_name();
  }
  return fail(exit_bad_argument,
              fmt::format("{} (see {} --help)", wrong_word(app, *command, error), name));
}

// Takes what stands behind -- out of the words of a command that compares two, but for what is said
// of both.
std::vector<std::string> take_second(std::vector<std::string>& words) {
  if (words.empty() || words[0] != "compare") return {};
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return {};
  std::vector<std::string> second(dashes + 1, words.end());
  words.erase(dashes, words.end());
  const auto of_both = std::stable_partition(
      second.begin(), second.end(),
      [](const std::string& word) { return word != "--json" && word != "--diff"; });
  words.insert(words.end(), of_both, second.end());
  second.erase(of_both, second.end());
  return second;
}

void add_commands(CLI::App& app, const std::vector<std::string>& second, int& exit_code) {
  add_emit_command(app);
  add_explain_command(app);
  add_compare_command(app, second);
  add_run_command(app);
  add_convolve_command(app);
  add_verify_command(app, exit_code);
  add_cache_command(app, exit_code);
  add_aot_command(app, exit_code);
  add_compile_command(app, exit_code);
  add_bench_command(app);
  add_tune_command(app);
  add_override_command(app, exit_code);
  add_next_fast_size_command(app);
}

int run(std::vector<std::string> words) {
  CLI::App app{"Sonoma: generated, verified FFT kernels for CUDA tensor cores.", "sonoma"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("sonoma {} ({})", version(), commit()),
                       "Print version and commit, and exit");
  app.footer(footer);
  int exit_code = exit_ok;
  const std::vector<std::string> second = take_second(words);
  add_commands(app, second, exit_code);
  try {
    if (!words.empty() && words[0] == "__complete") {  // a shell's question, as in completions/
      print_completions(app, std::span(words).subspan(1));
      return finish(exit_code);
    }
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
    return finish(exit_code);
  } catch (const CLI::ParseError& error) {
    return report(app, error);
  } catch (const FftError& error) {
    return fail(error);
  } catch (const std::invalid_argument& error) {  // BadArgument, UnsupportedProblem
    return fail(exit_bad_argument, error.what());
  } catch (const std::exception& error) {
    const bool printing = std::ferror(stdout) != 0;  // a disk that is full, of long texts
    return fail(exit_runtime_error,
                (printing ? "standard output: " : "") + std::string(error.what()));
  }
}

}  // namespace
}  // namespace sonoma::cli

int main(int argc, char** argv) {
  try {
    return sonoma::cli::run({argv + 1, argv + argc});
  } catch (...) {  // no memory for the words, or no standard error to write a message to
    return sonoma::cli::exit_runtime_error;
  }
}
