#include "explain_candidates.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "arguments.hpp"
#include "csv.hpp"
#include "sonoma/candidates.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/config.hpp"
#include "sonoma/resolve.hpp"
#include "sonoma/tuning_fields.hpp"
#include "sonoma/wisdom_file.hpp"
#include "subject_fields.hpp"
#include "tuning_options.hpp"
#include "value_json.hpp"

namespace sonoma::cli {
namespace {

using nlohmann::json;

// Every field that was asked for has that value.
bool agrees(const Tuning& tuning, const Tuning& asked) {
  return std::ranges::all_of(tuning_fields(), [&](const TuningField& field) {
    const auto wish = text_of(field, asked);
    return !wish || text_of(field, tuning) == wish;
  });
}

Wisdom wisdom_for(const FftProblem& problem) {
  Wisdom wisdom = shipped_wisdom_for(problem);
  if (const auto own = load_wisdom(config().wisdom_file)) wisdom.merge(*own);
  return wisdom;
}

// The rows of a tuner's measurements, by the names of their columns.
class Rows {
 public:
  explicit Rows(const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const auto fields = bench::csv_fields(text.substr(at, end - at));
      at = end + 1;
      if (names_.empty()) {
        for (std::size_t i = 0; i < fields.size(); ++i) names_[fields[i]] = i;
      } else if (fields.size() == names_.size()) {
        rows_.push_back(fields);
      }
    }
  }

  [[nodiscard]] std::optional<Recorded> of(const Subject& subject, const Tuning& tuning) const {
    Recorded found;
    const auto fields = bench::fields_of(subject);
    const std::string options = bench::options_of(tuning);
    for (const auto& row : rows_) {
      const auto has = [&](const auto& field) { return at(row, field.first) == field.second; };
      if (!at(row, "failure").empty() || at(row, "tuning") != options) continue;
      if (!std::ranges::all_of(fields, has)) continue;
      ++found.rows;
      found.eff = std::max(found.eff, std::strtod(at(row, "eff").c_str(), nullptr));
    }
    return found.rows > 0 ? std::optional(found) : std::nullopt;
  }

 private:
  [[nodiscard]] std::string at(const std::vector<std::string>& row, const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? "" : row.at(found->second);
  }

  std::map<std::string, std::size_t> names_;
  std::vector<std::vector<std::string>> rows_;
};

Rows rows_of(const std::string& text) {
  try {
    return Rows(text);
  } catch (const std::invalid_argument& error) {
    throw BadArgument("--measurements", "", error.what());
  }
}

// The best of each tuning that serves.
std::vector<WisdomEntry> entries_of(const Wisdom& wisdom, const Subject& subject, int arch) {
  std::vector<WisdomEntry> entries;
  for (const WisdomEntry& entry : wisdom.entries()) {
    if (entry.subject == subject && entry.platform.arch == arch) entries.push_back(entry);
  }
  return entries;
}

// Of a tuning that is none of the candidates; nothing where it is not served.
std::optional<Candidate> candidate_of(const FftProblem& problem, const Target& target,
                                      const Tuning& tuning) {
  try {
    return Candidate{tuning, estimate_cost(make_program(problem, target, tuning), target)};
  } catch (const UnsupportedProblem&) {
    return std::nullopt;
  }
}

void append_missing(std::vector<Candidate>& all, const FftProblem& problem, const Target& target,
                    const Tuning& tuning) {
  const auto same = [&](const Candidate& one) { return one.tuning == tuning; };
  if (std::ranges::any_of(all, same)) return;
  if (auto one = candidate_of(problem, target, tuning)) all.push_back(*std::move(one));
}

struct Part {
  FftProblem problem;
  Target target;
  Tuning asked;
  Choice choice;
};

// A tuning does not tell packed points from others.
bool is_of(const Tuning& tuning, Arithmetic arithmetic) {
  return tuning.engine && (arithmetic == Arithmetic::packed || arithmetic_of(tuning) == arithmetic);
}

RankedCandidates ranked_of(const Part& part, Arithmetic arithmetic, const Wisdom& wisdom,
                           const Rows& rows) {
  const Subject subject = subject_of(part.problem, arithmetic);
  const auto entries = entries_of(wisdom, subject, part.target.arch);
  std::vector<Candidate> all = candidates(part.problem, part.target, arithmetic, Effort::estimate);
  for (const WisdomEntry& entry : entries) {
    append_missing(all, part.problem, part.target, entry.tuning);
  }
  if (is_of(part.choice.tuning, arithmetic)) {
    append_missing(all, part.problem, part.target, part.choice.tuning);
  }
  RankedCandidates ranked{part.problem, arithmetic, {}, full_reason(part.choice)};
  for (const Candidate& one : all) {
    if (!agrees(one.tuning, part.asked)) continue;
    RankedCandidate candidate{one.tuning,
                              one.cost.eff(),
                              {},
                              rows.of(subject, one.tuning),
                              one.tuning == part.choice.tuning};
    for (const WisdomEntry& entry : entries) {
      const bool better = !candidate.measured || candidate.measured->eff < entry.eff;
      if (entry.tuning == one.tuning && better) candidate.measured = entry;
    }
    ranked.all.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(ranked.all, std::ranges::greater{}, &RankedCandidate::predicted);
  return ranked;
}

// Which of them are shown.
std::vector<const RankedCandidate*> shown_of(const RankedCandidates& ranked, std::size_t most) {
  std::vector<const RankedCandidate*> shown;
  for (std::size_t i = 0; i < ranked.all.size(); ++i) {
    const RankedCandidate& one = ranked.all[i];
    if (i < most || one.measured || one.recorded || one.taken) shown.push_back(&one);
  }
  return shown;
}

std::string share(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

json candidate_json(const RankedCandidate& one) {
  json document = {{"predicted_eff", one.predicted},
                   {"taken", one.taken},
                   {"choice", cli::json_of(one.tuning)},
                   {"measured", nullptr},
                   {"recorded", nullptr}};
  if (one.measured) {
    document["measured"] = {{"eff", one.measured->eff},
                            {"device", one.measured->platform.device},
                            {"driver", one.measured->platform.driver},
                            {"date", one.measured->date}};
  }
  if (one.recorded) {
    document["recorded"] = {{"eff", one.recorded->eff}, {"rows", one.recorded->rows}};
  }
  return document;
}

}  // namespace

std::vector<RankedCandidates> ranked_candidates(const RequestOptions& options,
                                                const FftProblem& problem,
                                                const std::string& text) {
  const Rows rows = rows_of(text);
  const Target target = target_of(options);
  const Tuning asked = tuning_of(options);
  PlanOptions plan_options;
  plan_options.tuning = asked, plan_options.target = target;
  std::vector<RankedCandidates> ranked;
  for (FftProblem part : parts_of(problem, target)) {
    part.accuracy.arithmetic = problem.accuracy.arithmetic;
    const Part own{part, target, asked, choose_for(part, plan_options)};
    const Wisdom wisdom = wisdom_for(part);
    for (const Arithmetic arithmetic : admitted_arithmetics(part, asked)) {
      try {
        ranked.push_back(ranked_of(own, arithmetic, wisdom, rows));
      } catch (const UnsupportedProblem&) {  // by this arithmetic
      }
    }
  }
  return ranked;
}

std::string table_of(const std::vector<RankedCandidates>& ranked, std::size_t most) {
  std::string text;
  for (const RankedCandidates& of : ranked) {
    const auto shown = shown_of(of, most);
    text += fmt::format(
        "{}Candidates for {}, {}: {} of {}, in shares of the speed of a copy\n"
        "  predicted measured recorded\n",
        text.empty() ? "" : "\n", to_string(of.problem), to_string(of.arithmetic), shown.size(),
        of.all.size());
    for (const RankedCandidate* one : shown) {
      const auto measured = one->measured ? std::optional(one->measured->eff) : std::nullopt;
      const auto recorded = one->recorded ? std::optional(one->recorded->eff) : std::nullopt;
      text += fmt::format("{} {:>9.3f} {:>8} {:>8} {}\n", one->taken ? '*' : ' ', one->predicted,
                          share(measured), share(recorded), bench::options_of(one->tuning));
    }
    text += fmt::format("chosen (*): {}\n", of.reason);
  }
  return text;
}

json json_of(const std::vector<RankedCandidates>& ranked, std::size_t most) {
  json document = json::array();
  for (const RankedCandidates& of : ranked) {
    json all = json::array();
    for (const RankedCandidate* one : shown_of(of, most)) all.push_back(candidate_json(*one));
    document.push_back({{"request", json_of(of.problem)},
                        {"arithmetic", to_string(of.arithmetic)},
                        {"count", of.all.size()},
                        {"reason", of.reason},
                        {"candidates", all}});
  }
  return document;
}

}  // namespace sonoma::cli
