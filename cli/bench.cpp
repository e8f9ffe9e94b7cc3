// sonoma bench: Sonoma beside cuFFT and a copy, on a GPU; or recorded rows again, without one.
#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "bench_report.hpp"
#include "bench_request.hpp"
#include "commands.hpp"
#include "plan_suite.hpp"
#include "plot.hpp"
#include "progress.hpp"
#include "request_options.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/tuning_fields.hpp"

namespace sonoma::cli {
namespace {

using bench::PlanRow;
using bench::Result;
using bench::Row;

/// Where rows go as they come.
template <class AnyRow>
class Output {
 public:
  Output(const BenchOptions& options, std::size_t total, std::string csv_header)
      : options_(options), csv_(std::move(csv_header)), progress_(total) {}

  void add(const AnyRow& row) {
    if (options_.as_json) progress_.begin(name_of(row.result));
    if (!options_.as_json) table_.print(row);
    rows_.push_back(row);
    csv_ += to_csv(row);
    if (!options_.csv.empty()) write_file(options_.csv, csv_);
  }

  /// On stderr, each once.
  void note(const std::string& text) {
    if (!noted_.insert(text).second) return;
    progress_.clear();
    fmt::print(stderr, "sonoma: left out: {}\n", text);
  }

  const std::vector<AnyRow>& finish() {
    progress_.clear();
    if (options_.as_json) fmt::print("{}\n", to_json(rows_));
    return rows_;
  }

 private:
  const BenchOptions& options_;
  std::string csv_;
  Progress progress_;
  BenchTable table_;
  std::vector<AnyRow> rows_;
  std::set<std::string> noted_;
};

// Where there is no GPU, why this command wants one.
bench::Machine machine_with_gpu() {
  try {
    return bench::this_machine();
  } catch (const FftError& error) {
    throw FftError(error.stage(), "bench times a GPU: " + error.message());
  }
}

void draw(const BenchOptions& options, const std::vector<Row>& rows) {
  if (!options.plot.empty()) bench::plot(rows, options.plot);
}

// A tuning that was asked for, or an edited kernel, is what the user wants to see: that none of the
// problems can have it is an error.
class Asked {
 public:
  explicit Asked(const bench::RunOptions& run) : missing_(is_asked(run.variants.back().name)) {}

  void see(const Result& result) { missing_ = missing_ && !is_asked(result.lib); }
  void note(const std::string& text) {
    if (is_asked(text.substr(0, text.find(':')))) why_ = text;
  }
  void require_seen() const {
    if (missing_) throw std::invalid_argument(why_);
  }

 private:
  bool missing_;
  std::string why_ = "no problem has the tuning that was asked for";
};

void time_executions(BenchOptions options) {
  const KernelInUse kernel(options.kernel, options.request);
  refuse_code(options.request);
  const bench::Suite suite = suite_of(options);
  bench::RunOptions run = run_options_of(options);
  if (kernel.given()) run.variants.back().edit_kernel = kernel.edit();
  if (!options.plot.empty()) bench::require_plotting(options.plot);
  const bench::Machine machine = machine_with_gpu();
  if (!options.as_json) fmt::print("Suite {}: {}\n", suite.name, suite.about);
  const std::size_t contenders = run.variants.size() + (run.with_cufft ? 2 : 1);
  Asked asked(run);
  Output<Row> output(options, suite.problems.size() * contenders, bench::csv_header());
  run_suite(suite, run,
            {[&](const Result& result) {
               output.add({result, machine});
               asked.see(result);
             },
             [&](const std::string& note) {
               output.note(note);
               asked.note(note);
             }});
  kernel.require_used();
  asked.require_seen();
  draw(options, output.finish());
}

void check_plan_options(const BenchOptions& options) {
  if (!options.plot.empty()) {
    throw BadArgument("--plot", options.plot, "the suite plan has no plot; --csv keeps its rows");
  }
  if (options.vs) {
    throw BadArgument("--vs", *options.vs, "the suite plan times Sonoma alone; leave it out");
  }
  if (has_tuning(options.request) || !options.kernel.kernel.empty() || options.kernel.overrides) {
    throw BadArgument("--suite", options.suite,
                      "makes plans as the planner chooses them; leave the tuning and --kernel out");
  }
  if (options.repeat) {
    throw BadArgument("--repeat", *options.repeat,
                      "the suite plan takes the median of three where that is below 50 ms, else "
                      "one; leave it out");
  }
}

// This process leaves CUDA alone: its children time.
void time_plans(const BenchOptions& options) {
  check_plan_options(options);
  const bench::Suite suite = suite_of(options);
  Output<PlanRow> output(options, suite.problems.size(), bench::plan_csv_header());
  run_plan_suite(suite, {[&](const PlanRow& row) { output.add(row); },
                         [&](const std::string& note) { output.note(note); }});
  (void)output.finish();
}

void show_recorded(const BenchOptions& options) {
  Output<Row> output(options, 0, bench::csv_header());
  std::vector<Row> rows;
  for (const auto& path : options.from) {
    try {
      const auto of_file = bench::parse_csv(read_file(path));
      rows.insert(rows.end(), of_file.begin(), of_file.end());
    } catch (const std::invalid_argument& error) {
      throw BadArgument("--from", path, error.what());
    }
  }
  for (const auto& row : rows) output.add(row);
  draw(options, output.finish());
}

void run_bench(const BenchOptions& options) {
  if (!options.from.empty()) return show_recorded(options);
  if (options.suite == "plan") return time_plans(options);
  time_executions(options);
}

// What of a problem is not its lengths.
void add_memory_options(CLI::App& command, RequestOptions& request, CLI::Option& from) {
  add_array_options(command, request);
  add_domain_option(command, request);
  add_accuracy_option(command, request);
  add_convolution_options(command, request);
  add_length_options(command, request);
  add_layout_options(command, request);
  add_out_precision_option(command, request);
  add_tuning_options(command, request);
  for (const char* name :
       {"--array", "--axes", "--domain", "--accuracy", "--in-length", "--out-length", "--in-stride",
        "--in-dist", "--out-stride", "--out-dist", "--loops", "--batch", "--out-precision",
        "--convolution", "--correlation", "--channels", "--spectrum-dist", "--spectrum-stride"}) {
    command.get_option(name)->excludes(&from);
  }
  for (const TuningField& field : tuning_fields()) {
    command.get_option(option_of(field))->excludes(&from);
  }
  for (const char* name : {"--kernel", "--overrides"}) command.get_option(name)->excludes(&from);
  command.get_option("--batch")
      ->description("pow2, smooth, 2d, 3d: transforms of a batch, in place of --points")
      ->excludes(command.get_option("--points"));
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Time transforms beside cuFFT and a copy, and making plans");
  auto* from = command->add_option("--from", options->from,
                                   "show rows that --csv wrote, instead of measuring");
  const auto measuring = [&](const char* name, auto& value, const char* help) {
    command->add_option(name, value, help)->excludes(from);
  };
  measuring(
      "--suite", options->suite,
      "pow2 (the default): large batches; smooth: the same of lengths with the factors 2 to 13; "
      "2d, 3d: pictures and cubes; columns: transforms side by side; single: one transform a "
      "launch; plan: host time of making "
      "plans, cold and warm; without a GPU, of generating and compiling them for sm_90");
  measuring("--precision", options->precision,
            "of f32 (the default), f16, bf16, i16: f32,f16; plan: f32,f16,bf16");
  measuring("n,--n", options->request.n,
            "lengths; a range LO..HI stands for its powers of two (default 2..67108864)");
  measuring("--shape", options->request.shape,
            "in place of --n the lengths of several axes, the slowest first: 256x256,64x64x64");
  command->get_option("--shape")->excludes(command->get_option("--n"));
  measuring("--points", options->points, "pow2: log2 of the points of a batch (default 26)");
  add_kernel_options(*command, options->kernel);
  add_memory_options(*command, options->request, *from);
  measuring("--vs", options->vs,
            "beside whom: cufft (of convolutions with a product between its transforms), copy, or "
            "cufft,copy (default)");
  measuring("--repeat", options->repeat, "repetitions for the median (default 15)");
  command->add_option("--csv", options->csv, "write all rows to this file");
  command->add_option("--plot", options->plot,
                      "draw the rows' eff over n to this file, .png or .svg");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->footer(
      "Examples:\n  sonoma bench 4096\n  sonoma bench 1000 --registers 64 --vs copy\n"
      "  sonoma bench --kernel edited.cu --vs copy");
  command->callback([options] { run_bench(*options); });
}

}  // namespace sonoma::cli
