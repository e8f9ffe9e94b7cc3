#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "arguments.hpp"
#include "request_options.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/decomposition.hpp"
#include "suite.hpp"
#include "tune.hpp"

namespace sonoma::cli {
namespace {

constexpr std::int64_t longest = std::int64_t{1} << 28;

std::vector<std::int64_t> lengths_of_suite(const std::string& suite) {
  if (suite != "smooth") {
    throw BadArgument("--suite", suite, "must be smooth; all powers of two are --n all");
  }
  std::vector<std::int64_t> lengths;
  for (const FftProblem& problem : bench::smooth_suite({}).problems) lengths.push_back(problem.n());
  return lengths;
}

std::vector<std::int64_t> lengths_of(const TuneRequest& request) {
  if (request.suite) return lengths_of_suite(*request.suite);
  if (!request.n) throw BadArgument("--n", "(missing)", "give lengths, e.g. --n 4096, or --n all");
  const char* allowed =
      "must be lengths up to 2^28: e.g. 256,1000,65536, or 16..8192 (powers of two), or all of "
      "these";
  return parse_lengths("--n", *request.n == "all" ? "2..8192" : *request.n, longest, allowed);
}

Effort effort_of(const TuneRequest& request) {
  for (const Effort effort : {Effort::estimate, Effort::measure, Effort::patient}) {
    if (to_string(effort) == request.effort) return effort;
  }
  throw BadArgument("--effort", request.effort, "must be estimate, measure or patient");
}

const std::vector<Arithmetic> all = {Arithmetic::simt, Arithmetic::split3, Arithmetic::split4,
                                     Arithmetic::half};

// "split3,simt", or "all".
std::vector<Arithmetic> parse_arithmetics(const std::string& list) {
  if (list == "all") return all;
  std::vector<Arithmetic> result;
  for (const auto& name : CLI::detail::split(list, ',')) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](Arithmetic a) { return sonoma::to_string(a) == name; });
    if (at == all.end()) {
      throw BadArgument("--accuracy", list,
                        "must be of split3, split4, half and simt, e.g. split3,simt, or all");
    }
    result.push_back(*at);
  }
  return result;
}

std::vector<Arithmetic> arithmetics_of(const TuneRequest& request, const FftProblem& problem) {
  if (request.accuracy) return parse_arithmetics(*request.accuracy);
  sonoma::Tuning given;
  if (request.engine) given.engine = parse_engine(*request.engine);
  const bool one_block = problem.n() <= 8192;
  return one_block ? admitted_arithmetics(problem, given) : std::vector{Arithmetic::simt};
}

std::vector<Storage> storages_of(const TuneRequest& request) {
  std::vector<Storage> storages;
  for (const auto& name : CLI::detail::split(request.precision.value_or("f32"), ',')) {
    storages.push_back(parse_storage(name));
  }
  return storages;
}

std::optional<std::int64_t> points_of(const TuneRequest& request) {
  if (!request.points) return std::nullopt;
  return std::int64_t{1} << parse_integer("--points", *request.points, 13, 30,
                                          "must be the log2 of the points of a run, 13 to 30 "
                                          "(default 26; with --again that of each entry)");
}

// What of all that is known a request asks for; without an option, all of its kind.
struct Filter {
  explicit Filter(const TuneRequest& request) {
    if (request.n || request.suite) lengths = lengths_of(request);
    if (request.precision) storages = storages_of(request);
    if (request.accuracy) arithmetics = parse_arithmetics(*request.accuracy);
    if (request.engine) engine = parse_engine(*request.engine);
    if (request.domain) domain = parse_measured_domain(*request.domain);
  }
  [[nodiscard]] bool admits(const Subject& subject) const {
    const auto has = [](const auto& list, const auto& value) {
      return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
    };
    const Engine own = subject.arithmetic == Arithmetic::simt ? Engine::simt : Engine::mma;
    return has(lengths, subject.lengths.front()) && has(storages, subject.storage) &&
           has(arithmetics, subject.arithmetic) && engine.value_or(own) == own &&
           domain.value_or(subject.domain) == subject.domain;
  }

  std::vector<std::int64_t> lengths;
  std::vector<Storage> storages;
  std::vector<Arithmetic> arithmetics;
  std::optional<Engine> engine;
  std::optional<Domain> domain;
};

Subject subject_of(const TuneJob& job) {
  return {job.problem.lengths, job.problem.storage, job.arithmetic, job.problem.domain};
}

}  // namespace

std::vector<TuneJob> jobs_of(const TuneRequest& request) {
  const Effort effort = effort_of(request);
  const auto lengths = lengths_of(request);
  const std::int64_t points = points_of(request).value_or(std::int64_t{1} << 26);
  std::vector<TuneJob> jobs;
  for (const Storage storage : storages_of(request)) {
    FftProblem problem;
    problem.storage = storage;
    if (request.domain) problem.domain = parse_measured_domain(*request.domain);
    if (problem.domain == Domain::c2r) problem.direction = Direction::inverse;
    for (const auto n : lengths) {
      problem.lengths = {n};
      problem.batch = std::max<std::int64_t>(1, points / n);
      for (const auto arithmetic : arithmetics_of(request, problem)) {
        jobs.push_back({problem, arithmetic, effort, {}});
      }
    }
  }
  return jobs;
}

std::vector<TuneJob> jobs_again(const TuneRequest& request, const Wisdom& known, int arch) {
  const Filter filter(request);
  const auto points = points_of(request);
  std::vector<TuneJob> jobs;
  for (const WisdomEntry& entry : known.entries()) {
    if (entry.platform.arch != arch || !filter.admits(entry.subject)) continue;
    const bool seen = std::any_of(jobs.begin(), jobs.end(), [&](const TuneJob& job) {
      return subject_of(job) == entry.subject;
    });
    if (seen) continue;
    FftProblem problem = measured_problem(entry);
    if (points) problem.batch = std::max<std::int64_t>(1, *points / problem.n());
    jobs.push_back({problem, entry.subject.arithmetic, Effort::measure, {}});
  }
  if (jobs.empty()) {
    throw BadArgument("--again", "sm_" + std::to_string(arch),
                      "nothing that was asked for is known of this architecture; `sonoma tune "
                      "--show` lists what is, without --again tune searches");
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const TuneJob& a, const TuneJob& b) {
    return a.problem.storage < b.problem.storage;
  });
  add_known(jobs, known, arch);
  return jobs;
}

void add_known(std::vector<TuneJob>& jobs, const Wisdom& known, int arch) {
  for (TuneJob& job : jobs) {
    for (const WisdomEntry& entry : known.entries()) {
      if (entry.platform.arch != arch || entry.subject != subject_of(job)) continue;
      if (std::find(job.known.begin(), job.known.end(), entry.tuning) == job.known.end()) {
        job.known.push_back(entry.tuning);
      }
    }
  }
}

std::string to_string(const TuneJob& job) {
  const Domain domain = job.problem.domain;
  return fmt::format("n={} {}{} {}", job.problem.n(),
                     domain == Domain::c2c ? "" : to_string(domain) + " ",
                     to_string(job.problem.storage), to_string(job.arithmetic));
}

}  // namespace sonoma::cli
