#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "arguments.hpp"
#include "request_options.hpp"
#include "sonoma/choose.hpp"
#include "tune.hpp"

namespace sonoma::cli {
namespace {

constexpr std::int64_t longest = 8192;

// A length, LO..HI (the powers of two), or "all".
void append_lengths(const std::string& text, std::vector<std::int64_t>& lengths) {
  const char* allowed = "must be powers of two of 2..8192: e.g. 256,4096, or 16..8192, or all";
  const std::size_t dots = text.find("..");
  const bool all = text == "all";
  const std::string low = all ? "2" : text.substr(0, dots);
  const std::string high = all ? "8192" : dots == std::string::npos ? low : text.substr(dots + 2);
  const auto first = parse_integer("--n", low, 2, longest, allowed);
  const auto last = parse_integer("--n", high, 2, longest, allowed);
  const auto before = lengths.size();
  for (std::int64_t n = 2; n <= last; n *= 2) {
    if (n >= first) lengths.push_back(n);
  }
  if (lengths.size() == before) throw BadArgument("--n", text, allowed);
}

std::vector<std::int64_t> lengths_of(const TuneRequest& request) {
  if (!request.n) throw BadArgument("--n", "(missing)", "give lengths, e.g. --n 4096, or --n all");
  std::vector<std::int64_t> lengths;
  for (const auto& part : CLI::detail::split(*request.n, ',')) append_lengths(part, lengths);
  return lengths;
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
    return admitted_arithmetics(problem, given);
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
      problem.batch = points / n;
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
