// sonoma bench: Sonoma beside cuFFT and a copy, on a GPU.
#include <spdlog/fmt/fmt.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "pow2_suite.hpp"
#include "progress.hpp"
#include "result.hpp"
#include "sonoma/fft_error.hpp"

namespace sonoma::cli {
namespace {

using bench::Machine;
using bench::Result;
using nlohmann::json;

struct BenchOptions {
  std::string suite = "pow2", vs = "cufft,copy", csv;
  std::optional<std::string> points, repeat;
  bool as_json = false;
};

bench::Pow2Options suite_options(const BenchOptions& options) {
  if (options.suite != "pow2") {
    throw BadArgument("--suite", options.suite, "the only suite is pow2: n = 2 to 8192");
  }
  bench::Pow2Options suite;
  if (options.points) {
    suite.log2_points = static_cast<int>(
        parse_integer("--points", *options.points, 13, 30,
                      "must be the log2 of the points of a batch, 13 to 30 (default 26)"));
  }
  if (options.repeat) {
    suite.repetitions = static_cast<int>(parse_integer(
        "--repeat", *options.repeat, 1, 10000, "must be a number of repetitions, 1 to 10000"));
  }
  suite.with_cufft = false;
  for (const auto& name : CLI::detail::split(options.vs, ',')) {
    if (name == "cufft") suite.with_cufft = true;
    if (name != "cufft" && name != "copy") {
      throw BadArgument("--vs", options.vs, "must be cufft, copy (always there) or cufft,copy");
    }
  }
  return suite;
}

json to_json(const Result& r) {
  return {{"lib", r.lib},         {"type", r.type},
          {"dims", r.dims},       {"batch", r.batch},
          {"place", r.place},     {"ms", r.ms},
          {"copy_ms", r.copy_ms}, {"eff", r.efficiency()},
          {"relL2", r.rel_l2},    {"workspace", r.workspace}};
}

json to_json(const Machine& machine, const std::vector<Result>& results) {
  json rows = json::array();
  for (const auto& result : results) rows.push_back(to_json(result));
  return {{"gpu", machine.gpu},
          {"cuda", machine.cuda},
          {"commit", machine.commit},
          {"date", machine.date},
          {"results", rows}};
}

void print(const Result& r) {
  fmt::print("{:>6} {:<12} {:>9.5f} {:>6.3f} {:>8.2f}\n", r.dims, r.lib, r.ms, r.efficiency(),
             r.rel_l2 * 0x1p24);
  std::fflush(stdout);
}

Machine machine_or_reason() {
  try {
    return bench::this_machine();
  } catch (const FftError& error) {
    throw FftError(error.stage(), "bench times a GPU: " + error.message());
  }
}

void run_bench(const BenchOptions& options) {
  const bench::Pow2Options suite = suite_options(options);
  const Machine machine = machine_or_reason();
  if (!options.as_json) {
    fmt::print("{}, CUDA {}, commit {}, {}; 2^{} points, out of place\n", machine.gpu, machine.cuda,
               machine.commit, machine.date, suite.log2_points);
    fmt::print("{:>6} {:<12} {:>9} {:>6} {:>8}\n", "n", "lib", "ms", "eff", "relL2/u");
  }
  std::vector<Result> results;
  std::string csv = bench::csv_header();
  Progress progress(13 * (suite.with_cufft ? 5 : 4));  // lengths times contenders
  run_pow2_suite(suite, [&](const Result& result) {
    if (options.as_json) progress.begin(result.dims + ' ' + result.lib);
    results.push_back(result);
    csv += csv_line(result, machine);
    if (!options.as_json) print(result);
    if (!options.csv.empty()) write_file(options.csv, csv);
  });
  progress.clear();
  if (options.as_json) fmt::print("{}\n", to_json(machine, results).dump(2));
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Time transforms beside cuFFT and a copy (GPU only)");
  command->add_option("--suite", options->suite, "pow2 (the default): n = 2 to 8192");
  command->add_option("--points", options->points, "log2 of the points of a batch (default 26)");
  command->add_option("--vs", options->vs, "beside whom: cufft,copy (default) or copy");
  command->add_option("--repeat", options->repeat, "repetitions for the median (default 15)");
  command->add_option("--csv", options->csv, "write all rows to this file");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options] { run_bench(*options); });
}

}  // namespace sonoma::cli
