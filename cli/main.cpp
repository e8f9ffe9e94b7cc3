// The `sonoma` command.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "arguments.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "sonoma/errors.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/version.hpp"

namespace sonoma::cli {
namespace {

constexpr const char* footer =
    "Exit codes: 0 success; 1 a transform or a cache entry failed its check; 2 bad argument or\n"
    "request; 3 compiler, device or file error.\n"
    "Environment: SONOMA_CACHE_DIR (folder of compiled kernels), SONOMA_CUDA_PATH (toolkit with\n"
    "NVRTC), SONOMA_CXX (compiler of the emulated device), TMPDIR (where it works), SONOMA_WISDOM\n"
    "(file of measured choices), SONOMA_LOG (off, error, warn, info, debug),\n"
    "SONOMA_CACHE_READ_OFF=1, SONOMA_CACHE_WRITE_OFF=1.\n"
    "Lengths: products of primes up to 31, up to 2^31, any other up to 2^26.\n"
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

// Help texts go to stdout with 0; all other parse errors are bad arguments.
int report(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return finish(app.exit(error));
  const auto extra = app.remaining();
  if (app.get_subcommands().empty() && !extra.empty()) {
    return fail(exit_bad_argument,
                fmt::format("no command is called {} (see sonoma --help)", extra[0]));
  }
  return fail(exit_bad_argument, fmt::format("{} (see sonoma --help)", error.what()));
}

int run(int argc, char** argv) {
  CLI::App app{"Sonoma: generated, verified FFT kernels for CUDA tensor cores.", "sonoma"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("sonoma {} ({})", version(), commit()),
                       "Print version and commit, and exit");
  app.footer(footer);
  int exit_code = exit_ok;
  add_emit_command(app);
  add_explain_command(app);
  add_run_command(app);
  add_convolve_command(app);
  add_verify_command(app, exit_code);
  add_cache_command(app, exit_code);
  add_bench_command(app);
  add_tune_command(app);
  add_next_fast_size_command(app);
  try {
    app.parse(argc, argv);
    return finish(exit_code);
  } catch (const CLI::ParseError& error) {
    return report(app, error);
  } catch (const FftError& error) {
    return fail(error);
  } catch (const std::invalid_argument& error) {  // BadArgument, UnsupportedProblem
    return fail(exit_bad_argument, error.what());
  } catch (const std::exception& error) {
    return fail(exit_runtime_error, error.what());
  }
}

}  // namespace
}  // namespace sonoma::cli

int main(int argc, char** argv) { return sonoma::cli::run(argc, argv); }
