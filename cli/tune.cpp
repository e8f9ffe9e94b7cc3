// sonoma tune: measures candidates on the GPU and keeps the fastest in a wisdom file.
#include "tune.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "gpu_stand.hpp"
#include "machine.hpp"
#include "progress.hpp"
#include "sonoma/sonoma.hpp"
#include "suite.hpp"

namespace sonoma::cli {
namespace {

using bench::GpuStand;
using nlohmann::json;

struct TuneOptions {
  TuneRequest request;
  std::optional<std::string> time_limit, wisdom, arch, export_to;
  std::vector<std::string> import_from;
  bool show = false, as_json = false;
};

std::filesystem::path wisdom_file(const TuneOptions& options) {
  return options.wisdom ? std::filesystem::path(*options.wisdom) : config().wisdom_file;
}

// ---- with a GPU

/// Measures one job after the other.
class Session {
 public:
  Session(const TuneOptions& options, const std::vector<TuneJob>& jobs)
      : options_(options), jobs_(jobs), progress_(jobs.size()) {
    if (options.time_limit) {
      limit_ = parse_number("--time-limit", *options.time_limit, "must be seconds, more than 0");
      if (limit_ <= 0) {
        throw BadArgument("--time-limit", *options.time_limit, "must be seconds, more than 0");
      }
    }
  }

  void run() {
    if (!options_.as_json) print_header();
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      progress_.begin(to_string(jobs_[i]));
      measure(jobs_[i], jobs_.size() - i);
    }
    progress_.clear();
    if (options_.as_json) fmt::print("{}\n", rows_.dump(2));
    if (!options_.as_json && kept_) fmt::print("kept in {}\n", wisdom_file(options_).string());
  }

 private:
  std::size_t most_points(Storage storage) const {
    std::int64_t points = 0;
    for (const TuneJob& job : jobs_) {
      if (job.problem.storage == storage) points = std::max(points, bench::points_of(job.problem));
    }
    return static_cast<std::size_t>(points);
  }

  // What is left of the time is shared among the jobs that are left.
  void measure(const TuneJob& job, std::size_t jobs_left) {
    const FftProblem& problem = job.problem;
    if (!workload_ || workload_->storage() != problem.storage) {
      workload_.reset();  // frees its memory before the next takes as much
      workload_.emplace(Device::gpu, problem.storage, most_points(problem.storage));
    }
    GpuStand stand(problem, *workload_, stream_);
    if (start_ == 0) start_ = stand.seconds();
    const auto found = candidates(problem, gpu_.target, job.arithmetic, job.effort);
    const double left = start_ + limit_ - stand.seconds();
    const double share = left / static_cast<double>(jobs_left);
    const auto search = bench::search(problem, found, stand, share, [&](std::size_t timed) {
      progress_.show(fmt::format("{}: {} of {} kernels", to_string(job), timed, found.size()));
    });
    keep(job, search);
  }

  void keep(const TuneJob& job, const bench::Search& search) {
    progress_.clear();
    std::optional<WisdomEntry> entry;
    if (search.best) {
      entry = bench::entry_of(job.problem, gpu_.platform, *search.best, machine_.date);
      Wisdom found;
      found.add(*entry);
      (void)merge_into_wisdom(wisdom_file(options_), found);
      kept_ = true;
    }
    if (!search.notes.empty()) {
      fmt::print(stderr, "sonoma: {}: {} of {} kernels failed, the first: {}\n", to_string(job),
                 search.notes.size(), search.candidates, search.notes.front());
    }
    if (options_.as_json) rows_.push_back(to_json(job, search, entry));
    if (!options_.as_json) print(job, search, entry);
  }

  const TuneOptions& options_;
  const std::vector<TuneJob>& jobs_;
  Progress progress_;
  double limit_ = std::numeric_limits<double>::infinity(), start_ = 0;
  GpuInfo gpu_ = gpu_info();
  bench::Machine machine_ = bench::this_machine();
  GpuStream stream_;
  std::optional<bench::Workload> workload_;
  json rows_ = json::array();
  bool kept_ = false;
};

void measure(const TuneOptions& options, const std::vector<TuneJob>& jobs) {
  try {
    (void)gpu_info();
  } catch (const FftError& error) {
    throw FftError(error.stage(),
                   "tune times a GPU (--effort estimate needs none): " + error.message());
  }
  if (options.arch) {
    throw BadArgument("--arch", *options.arch,
                      "goes with --effort estimate; what is measured is the GPU in use");
  }
  Session(options, jobs).run();
}

// ---- without

void estimate(const TuneOptions& options, const std::vector<TuneJob>& jobs) {
  const Target target = target_for(options.arch.value_or("sm_90"));
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
  Wisdom all = shipped_wisdom();
  if (const auto own = load_wisdom(wisdom_file(options))) all.merge(*own);
  if (options.as_json) return fmt::print("{}", to_json_text(all));
  print(all);
}

void tune(const TuneOptions& options) {
  if (options.show) return show(options);
  if (!options.import_from.empty()) return import_files(options);
  if (options.export_to) return save_wisdom(*options.export_to, load(wisdom_file(options)));
  const auto jobs = jobs_of(options.request);
  if (jobs.front().effort == Effort::estimate) return estimate(options, jobs);
  measure(options, jobs);
}

}  // namespace

void add_tune_command(CLI::App& app) {
  auto options = std::make_shared<TuneOptions>();
  TuneRequest& request = options->request;
  CLI::App* command =
      app.add_subcommand("tune", "Measure which kernels are the fastest here, and remember it");
  auto* lengths =
      command->add_option("--n", request.n, "lengths, e.g. 256,1000, or 2..8192, or all of these");
  command
      ->add_option("--suite", request.suite, "smooth: the lengths of that suite of the benchmark")
      ->excludes(lengths);
  command->add_option("--precision", request.precision, "of f32 (the default), f16, bf16");
  auto* engine = command->add_option("--engine", request.engine,
                                     "mma or simt; default: all that the planner may choose");
  command
      ->add_option("--accuracy", request.accuracy,
                   "of split3, split4, half, simt, e.g. split3,simt, or all")
      ->excludes(engine);
  command->add_option("--effort", request.effort,
                      "estimate (no GPU: the cost model), measure (the default) or patient");
  command->add_option("--points", request.points, "log2 of the points of a run (default 26)");
  command->add_option("--time-limit", options->time_limit, "seconds for all (default: none)");
  command->add_option("--arch", options->arch, "of --effort estimate (default sm_90)");
  command->add_option("--wisdom", options->wisdom,
                      "the file (default: SONOMA_WISDOM, else ~/.config/sonoma/wisdom.json)");
  command->add_option("--import", options->import_from, "merge these files into the wisdom file");
  command->add_option("--export", options->export_to,
                      "write the wisdom file's entries to this one");
  command->add_flag("--show", options->show, "list what is known: shipped, and the wisdom file");
  command->add_flag("--json", options->as_json, "print a JSON document");
  command->callback([options] { tune(*options); });
}

}  // namespace sonoma::cli
