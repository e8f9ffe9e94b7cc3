#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tune.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

constexpr const char* row = "{:>6} {:<4} {:<6} {:>6} {:>9} {:>9} {:>9}  {}\n";

std::string decimals(double value, int count) { return fmt::format("{:.{}f}", value, count); }

json subject_to_json(const Subject& subject) {
  json result = {{"n", problem_of(subject, 1).n()},
                 {"domain", to_string(subject.domain)},
                 {"storage", to_string(subject.storage)},
                 {"arithmetic", to_string(subject.arithmetic)}};
  if (subject.lengths.size() > 1) result["lengths"] = subject.lengths;
  if (subject.side_by_side > 0) result["side_by_side"] = subject.side_by_side;
  if (subject.convolution != Convolved::no) result["convolution"] = to_string(subject.convolution);
  return result;
}

}  // namespace

void print_header() {
  fmt::print(row, "n", "type", "arithm", "eff", "ms", "rel L2", "kernels", "tuning");
}

void print(const Subject& subject, const bench::Search& search,
           const std::optional<WisdomEntry>& entry) {
  const std::string kernels = fmt::format("{}/{}", search.timed, search.candidates);
  if (entry) {
    fmt::print(row, size_of(subject), type_of(subject), to_string(subject.arithmetic),
               decimals(entry->eff, 3), decimals(entry->ms, 5),
               fmt::format("{:.3g}", entry->rel_l2), kernels, to_string(entry->tuning));
  } else {
    fmt::print(row, size_of(subject), type_of(subject), to_string(subject.arithmetic), "-", "-",
               "-", kernels, "nothing could be measured");
  }
  std::fflush(stdout);
}

void print(const TuneJob& job, const std::vector<Candidate>& found) {
  const auto best = std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.cost.total < b.cost.total;
  });
  const Subject subject = subject_of(job);
  fmt::print(row, size_of(subject), type_of(subject), to_string(job.arithmetic),
             decimals(best->cost.eff(), 3), "estimated", "-", found.size(),
             to_string(best->tuning));
  std::fflush(stdout);
}

void print(const Wisdom& wisdom) {
  for (const auto& entry : wisdom.entries()) {
    const Platform& platform = entry.platform;
    fmt::print(
        "{}, CUDA {}, {}{}: n={} {} {}: {:.3f} of the speed of a copy, relative L2 {:.3g}; {}\n",
        platform.device, platform.driver, entry.date, since_measured(entry), size_of(entry.subject),
        type_of(entry.subject), to_string(entry.subject.arithmetic), entry.eff, entry.rel_l2,
        to_string(entry.tuning));
  }
  fmt::print("{} entries\n", wisdom.entries().size());
}

json to_json(const Subject& subject, const bench::Search& search,
             const std::optional<WisdomEntry>& entry) {
  json result = subject_to_json(subject);
  result.update({{"candidates", search.candidates},
                 {"timed", search.timed},
                 {"complete", search.complete},
                 {"failures", search.notes}});
  if (!entry) return result;
  result.update({{"eff", entry->eff},
                 {"ms", entry->ms},
                 {"rel_l2", entry->rel_l2},
                 {"tuning", json_of(entry->tuning)}});
  return result;
}

json to_json(const TuneJob& job, const std::vector<Candidate>& found) {
  json result = subject_to_json(subject_of(job)), list = json::array();
  for (const auto& candidate : found) {
    list.push_back({{"tuning", json_of(candidate.tuning)}, {"eff", candidate.cost.eff()}});
  }
  result["estimates"] = list;
  return result;
}

}  // namespace sonoma::cli
