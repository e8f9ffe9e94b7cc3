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

std::vector<Arithmetic> arithmetics_of(const TuneRequest& request, const FftProblem& problem) {
  if (!request.accuracy) {
    sonoma::Tuning given;
    if (request.engine) given.engine = parse_engine(*request.engine);
    const bool one_block = problem.n() <= 8192;
    return one_block ? admitted_arithmetics(problem, given) : std::vector{Arithmetic::simt};
  }
  using enum Arithmetic;
  const std::vector<Arithmetic> all = {simt, split3, split4, half};
  if (*request.accuracy == "all") return all;
  std::vector<Arithmetic> result;
  for (const auto& name : CLI::detail::split(*request.accuracy, ',')) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](Arithmetic a) { return sonoma::to_string(a) == name; });
    if (at == all.end()) {
      throw BadArgument("--accuracy", *request.accuracy,
                        "must be of split3, split4, half and simt, e.g. split3,simt, or all");
    }
    result.push_back(*at);
  }
  return result;
}

}  // namespace

std::vector<TuneJob> jobs_of(const TuneRequest& request) {
  const Effort effort = effort_of(request);
  const auto lengths = lengths_of(request);
  std::int64_t points = std::int64_t{1} << 26;
  if (request.points) {
    points = std::int64_t{1} << parse_integer(
                 "--points", *request.points, 13, 30,
                 "must be the log2 of the points of a run, 13 to 30 (default 26)");
  }
  std::vector<TuneJob> jobs;
  for (const auto& storage : CLI::detail::split(request.precision, ',')) {
    FftProblem problem;
    problem.storage = parse_storage(storage);
    for (const auto n : lengths) {
      problem.lengths = {n};
      problem.batch = std::max<std::int64_t>(1, points / n);
      for (const auto arithmetic : arithmetics_of(request, problem)) {
        jobs.push_back({problem, arithmetic, effort});
      }
    }
  }
  return jobs;
}

std::string to_string(const TuneJob& job) {
  return fmt::format("n={} {} {}", job.problem.n(), to_string(job.problem.storage),
                     to_string(job.arithmetic));
}

}  // namespace sonoma::cli
