// sonoma tune: measures candidates on the GPU and keeps the fastest in a wisdom file.
#include "tune.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "sonoma/sonoma.hpp"
#include "tune_measure.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct TuneOptions {
  TuneRequest request;
  std::optional<std::string> seconds, candidates, wisdom, arch, export_to, compile_into,
      measure_from;
  std::vector<std::string> import_from;
  bool again = false, show = false, as_json = false;
};

std::filesystem::path wisdom_file(const TuneOptions& options) {
  return options.wisdom ? std::filesystem::path(*options.wisdom) : config().wisdom_file;
}

// ---- what is measured

// Shipped, and the wisdom file.
Wisdom known_of(const TuneOptions& options) {
  Wisdom all = shipped_wisdom();
  if (const auto own = load_wisdom(wisdom_file(options))) all.merge(*own);
  return all;
}

// With --again what the named file has, else all that is known.
std::vector<TuneJob> jobs_for(const TuneOptions& options, const Target& target) {
  if (options.again) {
    const auto named = options.wisdom ? load_wisdom(*options.wisdom) : std::nullopt;
    return jobs_again(options.request, named ? *named : known_of(options), target.arch);
  }
  auto jobs = jobs_of(options.request, target);
  add_known(jobs, known_of(options), target.arch);
  if (options.request.missing) {
    std::erase_if(jobs, [](const TuneJob& job) { return !job.known.empty(); });
  }
  return jobs;
}

CandidateChoice choice_of(const TuneOptions& options) {
  CandidateChoice choice{std::nullopt, options.again};
  if (!options.candidates) return choice;
  choice.most = static_cast<std::size_t>(
      parse_integer("--candidates", *options.candidates, 0, 1 << 20,
                    "must be how many candidates of each subject are taken beside those that are "
                    "taken in any case, e.g. 12"));
  return choice;
}

double seconds_of(const TuneOptions& options) {
  if (!options.seconds) return std::numeric_limits<double>::infinity();
  constexpr const char* allowed = "must be seconds, more than 0";
  const double seconds = parse_number("--seconds", *options.seconds, allowed);
  if (seconds <= 0) throw BadArgument("--seconds", *options.seconds, allowed);
  return seconds;
}

MeasureOptions measure_options(const TuneOptions& options) {
  return {wisdom_file(options), seconds_of(options), options.as_json};
}

void search(const TuneOptions& options) {
  if (!options.again) (void)jobs_of(options.request, target_for("sm_90"));  // arguments first
  const CandidateChoice choice = choice_of(options);
  const MeasureOptions how = measure_options(options);
  const GpuInfo gpu = gpu_to_measure();
  if (options.arch) {
    throw BadArgument("--arch", *options.arch,
                      "goes with --effort estimate and --compile-only; what is measured is the GPU "
                      "in use");
  }
  search(gpu, jobs_for(options, gpu.target), choice, how);
}

void compile_only(const TuneOptions& options) {
  const Target target = target_for(options.arch.value_or("sm_90"));
  const CandidateChoice choice = choice_of(options);
  compile_into(bench::TuneFolder(*options.compile_into), jobs_for(options, target), target, choice);
}

void measure_only(const TuneOptions& options) {
  const std::filesystem::path folder = *options.measure_from;
  if (!std::filesystem::is_directory(folder)) {
    throw BadArgument("--measure", folder.string(),
                      "must be a folder that `sonoma tune --compile-only` has filled");
  }
  measure_folder(bench::TuneFolder(folder), measure_options(options));
}

// ---- the cost model alone

void estimate(const TuneOptions& options) {
  const Target target = target_for(options.arch.value_or("sm_90"));
  const auto jobs = jobs_of(options.request, target);
  if (!options.as_json) print_header();
  Progress progress(jobs.size());
  json rows = json::array();
  for (const auto& job : jobs) {
    progress.begin(to_string(job));
    const auto found = candidates(job.problem, target, job.arithmetic, job.effort);
    progress.clear();
    if (options.as_json) rows.push_back(to_json(job, found));
    if (!options.as_json) print(job, found);
  }
  if (options.as_json) fmt::print("{}\n", rows.dump(2));
}

// ---- wisdom files

Wisdom load(const std::filesystem::path& file) {
  if (auto wisdom = load_wisdom(file)) return *wisdom;
  throw FileError(file.string(), "there is no such wisdom file");
}

void import_files(const TuneOptions& options) {
  Wisdom found;
  for (const auto& file : options.import_from) found.merge(load(file));  // all, before one is kept
  const Wisdom all = merge_into_wisdom(wisdom_file(options), found);
  fmt::print("{} entries read, {} now in {}\n", found.entries().size(), all.entries().size(),
             wisdom_file(options).string());
}

void show(const TuneOptions& options) {
  std::optional<int> arch;
  if (options.arch) arch = target_for(*options.arch).arch;
  const Wisdom asked = as_asked(options.request, known_of(options), arch);
  if (options.as_json) return fmt::print("{}", to_json_text(asked));
  print(asked);
}

void tune(const TuneOptions& options) {
  if (options.show) return show(options);
  if (!options.import_from.empty()) return import_files(options);
  if (options.export_to) return save_wisdom(*options.export_to, load(wisdom_file(options)));
  if (options.measure_from) return measure_only(options);
  if (options.compile_into) return compile_only(options);
  if (options.request.effort == to_string(Effort::estimate)) return estimate(options);
  search(options);
}

// What is tuned. Result: the options.
std::vector<CLI::Option*> add_request(CLI::App& command, TuneRequest& request) {
  auto* lengths = command.add_option("n,--n", request.what.n,
                                     "lengths, e.g. 256,1000, or 2..8192, or all of these");
  auto* shapes = command
                     .add_option("--shape", request.what.shape,
                                 "lengths of several axes, e.g. 256x256,1080x1920: each part of "
                                 "their plans")
                     ->excludes(lengths);
  add_array_options(command, request.what);
  auto *array = command.get_option("--array"), *axes = command.get_option("--axes");
  auto* suite = command
                    .add_option("--suite", request.suite,
                                "smooth: the lengths of that suite of the benchmark; shapes: many "
                                "of two and three axes")
                    ->excludes(lengths)
                    ->excludes(shapes)
                    ->excludes(array);
  auto* domain =
      command.add_option("--domain", request.what.domain,
                         "of c2c (the default; with --again all), r2c, c2r, dct1 to dst4");
  auto* convolution = command.add_option("--convolution", request.what.convolution,
                                         "of complex or real signals, in place of the transform");
  auto* precision = command.add_option("--precision", request.what.precision,
                                       "of f32 (the default; with --again all), f16, bf16");
  auto* engine = command.add_option("--engine", request.engine,
                                    "mma or simt; default: all that the planner may choose");
  auto* accuracy = command
                       .add_option("--accuracy", request.accuracy,
                                   "of split3, split4, half, simt, simt64, packed, e.g. "
                                   "split3,simt, or all: those but packed")
                       ->excludes(engine);
  auto* points =
      command.add_option("--points", request.points, "log2 of the points of a run (default 26)");
  return {lengths,     shapes,    array,  axes,     suite, domain,
          convolution, precision, engine, accuracy, points};
}

// How it is searched. Result: the options.
std::vector<CLI::Option*> add_search(CLI::App& command, TuneOptions& options) {
  auto* effort =
      command.add_option("--effort", options.request.effort,
                         "estimate (no GPU: the cost model), measure (the default) or patient");
  auto* missing = command.add_flag("--missing", options.request.missing,
                                   "only what is not known of this architecture: shipped, or in "
                                   "the wisdom file; so an interrupted search goes on");
  auto* candidates = command.add_option(
      "--candidates", options.candidates,
      "of those of the effort so many, which the cost model likes best, beside the generator's "
      "defaults and what is known (default: all)");
  auto* again = command
                    .add_flag("--again", options.again,
                              "measure again what --wisdom, else what is known has, and search no "
                              "more")
                    ->excludes(effort)
                    ->excludes(command.get_option("--array"))
                    ->excludes(missing)
                    ->excludes(candidates);
  auto* arch = command.add_option(
      "--arch", options.arch,
      "of --effort estimate and --compile-only (default sm_90), and of --show (default all)");
  return {effort, missing, candidates, again, arch};
}

// In two halves.
void add_halves(CLI::App& command, TuneOptions& options,
                const std::vector<CLI::Option*>& of_search) {
  auto* seconds = command.add_option(
      "--seconds,--time-limit", options.seconds,
      "for all: what is found until then is kept (default: as long as it takes)");
  auto* compile = command.add_option(
      "--compile-only", options.compile_into,
      "find and compile the candidates, and leave them in this folder; needs no GPU. What is there "
      "is kept: an interrupted run goes on, and more lengths are added");
  auto* measure = command.add_option(
      "--measure", options.measure_from,
      "measure what --compile-only left in this folder, on the GPU. Each measurement is a row of "
      "measurements.csv there at once, and is not repeated: an interrupted run goes on");
  compile->excludes(seconds)->excludes(measure);
  for (CLI::Option* option : of_search) measure->excludes(option);
}

void add_files(CLI::App& command, TuneOptions& options) {
  command.add_option("--wisdom", options.wisdom,
                     "the file (default: SONOMA_WISDOM, else ~/.config/sonoma/wisdom.json)");
  command.add_option("--import", options.import_from, "merge these files into the wisdom file");
  command.add_option("--export", options.export_to, "write the wisdom file's entries to this one");
  command
      .add_flag("--show", options.show,
                "list what is known of what is asked for, or all: shipped, and the wisdom file")
      ->excludes(command.get_option("--array"));
  command.add_flag("--json", options.as_json, "print a JSON document")
      ->excludes(command.get_option("--compile-only"));
}

}  // namespace

void add_tune_command(CLI::App& app) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command =
      app.add_subcommand("tune", "Measure which kernels are the fastest here, and remember it");
  auto of_search = add_request(*command, options->request);
  for (CLI::Option* option : add_search(*command, *options)) of_search.push_back(option);
  add_halves(*command, *options, of_search);
  add_files(*command, *options);
  command->footer(
      "A search has two halves, candidates and their kernels, and measurements. --compile-only and "
      "--measure\ndo them apart, where GPU time is scarce; without them each subject is compiled "
      "while those before it\nare measured.");
  command->callback([options] { tune(*options); });
}

}  // namespace sonoma::cli
