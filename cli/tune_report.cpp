#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdio>

#include "tune.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

constexpr const char* row = "{:>6} {:<4} {:<6} {:>6} {:>9} {:>9} {:>9}  {}\n";

// "f32", "r2c f32"
std::string type_of(Domain domain, Storage storage) {
  return (domain == Domain::c2c ? "" : to_string(domain) + " ") + to_string(storage);
}

std::string decimals(double value, int count) { return fmt::format("{:.{}f}", value, count); }

json job_to_json(const TuneJob& job) {
  return {{"n", job.problem.n()},
          {"domain", to_string(job.problem.domain)},
          {"storage", to_string(job.problem.storage)},
          {"arithmetic", to_string(job.arithmetic)}};
}

}  // namespace

void print_header() {
  fmt::print(row, "n", "type", "arithm", "eff", "ms", "rel L2", "kernels", "tuning");
}

void print(const TuneJob& job, const bench::Search& search,
           const std::optional<WisdomEntry>& entry) {
  const std::string kernels = fmt::format("{}/{}", search.timed, search.candidates);
  const auto& [problem, arithmetic, effort, known] = job;
  if (entry) {
    fmt::print(row, problem.n(), type_of(problem.domain, problem.storage), to_string(arithmetic),
               decimals(entry->eff, 3), decimals(entry->ms, 5),
               fmt::format("{:.3g}", entry->rel_l2), kernels, to_string(entry->tuning));
  } else {
    fmt::print(row, problem.n(), type_of(problem.domain, problem.storage), to_string(arithmetic),
               "-", "-", "-", kernels, "nothing could be measured");
  }
  std::fflush(stdout);
}

void print(const TuneJob& job, const std::vector<Candidate>& found) {
  const auto best = std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.cost.total < b.cost.total;
  });
  fmt::print(row, job.problem.n(), type_of(job.problem.domain, job.problem.storage),
             to_string(job.arithmetic), decimals(best->cost.eff(), 3), "estimated", "-",
             found.size(), to_string(best->tuning));
  std::fflush(stdout);
}

void print(const Wisdom& wisdom) {
  for (const auto& entry : wisdom.entries()) {
    const Platform& platform = entry.platform;
    fmt::print(
        "{}, CUDA {}, {}{}: n={} {} {}: {:.3f} of the speed of a copy, relative L2 {:.3g}; {}\n",
        platform.device, platform.driver, entry.date, since_measured(entry),
        fmt::join(entry.subject.lengths, "x"), type_of(entry.subject.domain, entry.subject.storage),
        to_string(entry.subject.arithmetic), entry.eff, entry.rel_l2, to_string(entry.tuning));
  }
  fmt::print("{} entries\n", wisdom.entries().size());
}

json to_json(const TuneJob& job, const bench::Search& search,
             const std::optional<WisdomEntry>& entry) {
  json result = job_to_json(job);
  result.update({{"candidates", search.candidates},
                 {"timed", search.timed},
                 {"complete", search.complete},
                 {"failures", search.notes}});
  if (!entry) return result;
  result.update({{"eff", entry->eff},
                 {"ms", entry->ms},
                 {"rel_l2", entry->rel_l2},
                 {"tuning", to_string(entry->tuning)}});
  return result;
}

json to_json(const TuneJob& job, const std::vector<Candidate>& found) {
  json result = job_to_json(job), list = json::array();
  for (const auto& candidate : found) {
    list.push_back({{"tuning", to_string(candidate.tuning)}, {"eff", candidate.cost.eff()}});
  }
  result["estimates"] = list;
  return result;
}

}  // namespace sonoma::cli
