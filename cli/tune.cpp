// sonoma tune: measures candidates on the GPU and keeps the fastest in a wisdom file.
#include "tune.hpp"

#include <spdlog/fmt/fmt.h>

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
#include "tune_session.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

struct TuneOptions {
  TuneRequest request;
  std::optional<std::string> time_limit, wisdom, arch, export_to;
  std::vector<std::string> import_from;
  bool again = false, show = false, as_json = false;
};

std::filesystem::path wisdom_file(const TuneOptions& options) {
  return options.wisdom ? std::filesystem::path(*options.wisdom) : config().wisdom_file;
}

// ---- with a GPU

// Shipped, and the wisdom file.
Wisdom known_of(const TuneOptions& options) {
  Wisdom all = shipped_wisdom();
  if (const auto own = load_wisdom(wisdom_file(options))) all.merge(*own);
  return all;
}

double limit_of(const TuneOptions& options) {
  if (!options.time_limit) return std::numeric_limits<double>::infinity();
  constexpr const char* allowed = "must be seconds, more than 0";
  const double limit = parse_number("--time-limit", *options.time_limit, allowed);
  if (limit <= 0) throw BadArgument("--time-limit", *options.time_limit, allowed);
  return limit;
}

GpuInfo gpu_to_measure(const TuneOptions& options) {
  try {
    GpuInfo gpu = gpu_info();
    if (!options.arch) return gpu;
  } catch (const FftError& error) {
    throw FftError(error.stage(),
                   "tune times a GPU (--effort estimate needs none): " + error.message());
  }
  throw BadArgument("--arch", *options.arch,
                    "goes with --effort estimate; what is measured is the GPU in use");
}

void measure(const TuneOptions& options) {
  (void)jobs_of(options.request, target_for("sm_90"));  // arguments first
  const GpuInfo gpu = gpu_to_measure(options);
  auto jobs = jobs_of(options.request, gpu.target);
  add_known(jobs, known_of(options), gpu.target.arch);
  if (options.request.missing) {
    std::erase_if(jobs, [](const TuneJob& job) { return !job.known.empty(); });
  }
  TuneSession(gpu, jobs, wisdom_file(options), options.as_json).search(limit_of(options));
}

// What the named file has, else all that is known.
void measure_again(const TuneOptions& options) {
  const GpuInfo gpu = gpu_to_measure(options);
  const auto named = options.wisdom ? load_wisdom(*options.wisdom) : std::nullopt;
  const auto jobs =
      jobs_again(options.request, named ? *named : known_of(options), gpu.target.arch);
  TuneSession(gpu, jobs, wisdom_file(options), options.as_json).measure_again();
}

// ---- without

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
  const Wisdom all = known_of(options);
  if (options.as_json) return fmt::print("{}", to_json_text(all));
  print(all);
}

void tune(const TuneOptions& options) {
  if (options.show) return show(options);
  if (!options.import_from.empty()) return import_files(options);
  if (options.export_to) return save_wisdom(*options.export_to, load(wisdom_file(options)));
  if (options.again) return measure_again(options);
  if (options.request.effort == to_string(Effort::estimate)) return estimate(options);
  measure(options);
}

}  // namespace

void add_tune_command(CLI::App& app) {
  auto options = std::make_shared<TuneOptions>();
  TuneRequest& request = options->request;
  CLI::App* command =
      app.add_subcommand("tune", "Measure which kernels are the fastest here, and remember it");
  auto* lengths = command->add_option("--n", request.what.n,
                                      "lengths, e.g. 256,1000, or 2..8192, or all of these");
  auto* shapes = command
                     ->add_option("--shape", request.what.shape,
                                  "lengths of several axes, e.g. 256x256,1080x1920: each part of "
                                  "their plans")
                     ->excludes(lengths);
  add_array_options(*command, request.what);
  command
      ->add_option("--suite", request.suite,
                   "smooth: the lengths of that suite of the benchmark; shapes: many of two and "
                   "three axes")
      ->excludes(lengths)
      ->excludes(shapes)
      ->excludes(command->get_option("--array"));
  command->add_option("--domain", request.what.domain,
                      "of c2c (the default; with --again all), r2c, c2r, dct1 to dst4");
  command->add_option("--convolution", request.what.convolution,
                      "of complex or real signals, in place of the transform");
  command->add_option("--precision", request.what.precision,
                      "of f32 (the default; with --again all), f16, bf16");
  auto* engine = command->add_option("--engine", request.engine,
                                     "mma or simt; default: all that the planner may choose");
  command
      ->add_option("--accuracy", request.accuracy,
                   "of split3, split4, half, simt, e.g. split3,simt, or all")
      ->excludes(engine);
  auto* effort =
      command->add_option("--effort", request.effort,
                          "estimate (no GPU: the cost model), measure (the default) or patient");
  command->add_option("--points", request.points, "log2 of the points of a run (default 26)");
  auto* limit =
      command->add_option("--time-limit", options->time_limit, "seconds for all (default: none)");
  command->add_option("--arch", options->arch, "of --effort estimate (default sm_90)");
  command->add_option("--wisdom", options->wisdom,
                      "the file (default: SONOMA_WISDOM, else ~/.config/sonoma/wisdom.json)");
  auto* missing = command->add_flag("--missing", request.missing,
                                    "only what is not known of this architecture: shipped, or in "
                                    "the wisdom file; so an interrupted search goes on");
  command
      ->add_flag("--again", options->again,
                 "measure again what --wisdom, else what is known has, and search no more")
      ->excludes(effort)
      ->excludes(limit)
      ->excludes(command->get_option("--array"))
      ->excludes(missing);
  command->add_option("--import", options->import_from, "merge these files into the wisdom file");
  command->add_option("--export", options->export_to,
                      "write the wisdom file's entries to this one");
  command->add_flag("--show", options->show, "list what is known: shipped, and the wisdom file");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options] { tune(*options); });
}

}  // namespace sonoma::cli
