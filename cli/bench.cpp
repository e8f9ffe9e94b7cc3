// sonoma bench: Sonoma beside cuFFT and a copy, on a GPU; or recorded rows again, without one.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "bench_report.hpp"
#include "commands.hpp"
#include "plan_suite.hpp"
#include "plot.hpp"
#include "progress.hpp"
#include "request_options.hpp"
#include "run_suite.hpp"
#include "sonoma/fft_error.hpp"
#include "sonoma/trigonometric.hpp"
#include "suite.hpp"

namespace sonoma::cli {
namespace {

using bench::PlanRow;
using bench::Result;
using bench::Row;

struct BenchOptions {
  std::string suite = "pow2", csv, plot;
  std::optional<std::string> precision, vs, n, shape, points, repeat;
  RequestOptions memory;  ///< domain, and where points lie
  std::vector<std::string> from;
  bool as_json = false;
};

constexpr const char* allowed_lengths =
    "must be lengths, or ranges LO..HI that hold a power of two of 2..2^26";

bool of_axes(const BenchOptions& options) { return options.suite == "2d" || options.suite == "3d"; }

// --in-stride and the others.
void select_memory(const BenchOptions& options, bench::Selection& selection) {
  const bool large = options.suite == "pow2" || options.suite == "smooth" || of_axes(options);
  set_memory(options.memory, selection.like);
  selection.batch = batch_of(options.memory);
  if (selection.batch && !large) {
    throw BadArgument(
        "--batch", *options.memory.batch,
        "only the suites pow2, smooth, 2d and 3d have a number of transforms to choose");
  }
  if (selection.like == FftProblem{} || large || options.suite == "single") return;
  throw BadArgument("--suite", options.suite,
                    "must be pow2, smooth, single, 2d or 3d where an option says where points lie");
}

// --n, or --shape.
void select_lengths(const BenchOptions& options, bench::Selection& selection) {
  if (options.n && of_axes(options)) {
    throw BadArgument("--n", *options.n,
                      "the suites 2d and 3d have axes; name them by --shape, e.g. --shape 256x256");
  }
  if (options.n) {
    selection.lengths = parse_lengths("--n", *options.n, selection.longest, allowed_lengths);
  }
  if (!options.shape) return;
  if (options.suite == "columns" || options.suite == "plan") {
    throw BadArgument("--suite", options.suite,
                      "must be pow2, smooth, single, 2d or 3d where --shape is given");
  }
  selection.shapes = parse_shapes("--shape", *options.shape);
}

bench::Selection selection_of(const BenchOptions& options) {
  bench::Selection selection;
  selection.storages.clear();
  const std::string all = options.suite == "plan" ? "f32,f16,bf16" : "f32";
  for (const auto& name : CLI::detail::split(options.precision.value_or(all), ',')) {
    selection.storages.push_back(parse_any_storage("--precision", name));
  }
  select_lengths(options, selection);
  select_memory(options, selection);
  set_domain(options.memory, selection.like);
  set_convolution(options.memory, selection.like);
  if (options.memory.spectrum_dist) {
    throw BadArgument("--spectrum-dist", *options.memory.spectrum_dist,
                      "is not for bench, whose signals share a spectrum");
  }
  if (options.points) {
    if (options.suite == "single" || options.suite == "plan") {
      throw BadArgument("--points", *options.points,
                        "only the suites pow2, smooth, columns, 2d and 3d have a batch to choose");
    }
    selection.log2_points = static_cast<int>(
        parse_integer("--points", *options.points, 13, 30,
                      "must be the log2 of the points of a batch, 13 to 30 (default 26)"));
  }
  return selection;
}

const std::map<std::string, bench::Suite (*)(const bench::Selection&)> suites = {
    {"pow2", bench::pow2_suite},       {"smooth", bench::smooth_suite},
    {"columns", bench::columns_suite}, {"single", bench::single_suite},
    {"plan", bench::plan_suite},       {"2d", bench::planes_suite},
    {"3d", bench::cubes_suite}};

bench::Suite suite_of(const BenchOptions& options) {
  const bench::Selection selection = selection_of(options);
  const auto make = suites.find(options.suite);
  if (make == suites.end()) {
    throw BadArgument("--suite", options.suite,
                      "must be pow2, smooth, 2d or 3d (large batches), columns (the middle axis of "
                      "n x n x n), single (batch 1) or plan (making plans)");
  }
  bench::Suite suite = make->second(selection);
  if (suite.problems.empty() && options.shape) {
    throw BadArgument("--shape", *options.shape,
                      "must be of no more points than a batch has; see --points and --batch");
  }
  if (suite.problems.empty()) {
    throw BadArgument("--n", options.n.value_or(""), allowed_lengths);
  }
  for (const FftProblem& problem : suite.problems) validate(problem);
  return suite;
}

bench::RunOptions run_options_of(const BenchOptions& options) {
  bench::RunOptions run;
  if (options.repeat) {
    run.repetitions = static_cast<int>(parse_integer(
        "--repeat", *options.repeat, 1, 10000, "must be a number of repetitions, 1 to 10000"));
  }
  // cuFFT has no cosine or sine transforms.
  const bool alone =
      options.memory.domain && is_trigonometric(parse_domain(*options.memory.domain));
  if (alone) run.with_cufft = false;
  if (!options.vs) return run;
  run.with_cufft = false;
  for (const auto& name : CLI::detail::split(*options.vs, ',')) {
    if (name == "cufft" && alone) {
      throw BadArgument("--vs", *options.vs,
                        "must be copy with --domain " + *options.memory.domain +
                            ": cuFFT has no cosine or sine transforms");
    }
    if (name == "cufft") run.with_cufft = true;
    if (name != "cufft" && name != "copy") {
      throw BadArgument("--vs", *options.vs, "must be cufft, copy (always there) or cufft,copy");
    }
  }
  return run;
}

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

void time_executions(const BenchOptions& options) {
  const bench::Suite suite = suite_of(options);
  const bench::RunOptions run = run_options_of(options);
  if (!options.plot.empty()) bench::require_plotting();
  const bench::Machine machine = machine_with_gpu();
  if (!options.as_json) fmt::print("Suite {}: {}\n", suite.name, suite.about);
  const std::size_t contenders = run.with_cufft ? 5 : 4;
  Output<Row> output(options, suite.problems.size() * contenders, bench::csv_header());
  run_suite(suite, run,
            {[&](const Result& result) {
               output.add({result, machine});
             },
             [&](const std::string& note) { output.note(note); }});
  draw(options, output.finish());
}

void check_plan_options(const BenchOptions& options) {
  if (!options.plot.empty()) {
    throw BadArgument("--plot", options.plot, "the suite plan has no plot; --csv keeps its rows");
  }
  if (options.vs) {
    throw BadArgument("--vs", *options.vs, "the suite plan times Sonoma alone; leave it out");
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
  measuring("--n", options->n,
            "lengths; a range LO..HI stands for its powers of two (default 2..67108864)");
  measuring("--shape", options->shape,
            "in place of --n the lengths of several axes, the slowest first: 256x256,64x64x64");
  command->get_option("--shape")->excludes(command->get_option("--n"));
  measuring("--points", options->points, "pow2: log2 of the points of a batch (default 26)");
  add_domain_option(*command, options->memory);
  add_convolution_options(*command, options->memory);
  add_length_options(*command, options->memory);
  add_layout_options(*command, options->memory);
  add_out_precision_option(*command, options->memory);
  for (const char* name : {"--domain", "--in-length", "--out-length", "--in-stride", "--in-dist",
                           "--out-stride", "--out-dist", "--batch", "--out-precision",
                           "--convolution", "--correlation", "--spectrum-dist"}) {
    command->get_option(name)->excludes(from);
  }
  command->get_option("--batch")
      ->description("pow2, smooth, 2d, 3d: transforms of a batch, in place of --points")
      ->excludes(command->get_option("--points"));
  measuring("--vs", options->vs, "beside whom: cufft,copy (default) or copy");
  measuring("--repeat", options->repeat, "repetitions for the median (default 15)");
  command->add_option("--csv", options->csv, "write all rows to this file");
  command->add_option("--plot", options->plot, "draw the rows' eff over n to this PNG");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options] { run_bench(*options); });
}

}  // namespace sonoma::cli
