// One function per subcommand: declares its options and what happens when it is chosen. The
// callback throws on failure (main.cpp maps exceptions to exit codes) or sets `exit_code`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sonoma::cli {

void add_aot_command(CLI::App& app, int& exit_code);
/// `second`: the words behind --, see main.cpp.
void add_compare_command(CLI::App& app, const std::vector<std::string>& second);
void add_emit_command(CLI::App& app);
void add_explain_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_convolve_command(CLI::App& app);
void add_verify_command(CLI::App& app, int& exit_code);
void add_cache_command(CLI::App& app, int& exit_code);
void add_compile_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app);
void add_tune_command(CLI::App& app);
void add_override_command(CLI::App& app, int& exit_code);
void add_next_fast_size_command(CLI::App& app);

}  // namespace sonoma::cli
