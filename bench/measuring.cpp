#include "measuring.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sonoma/wisdom_file.hpp"

namespace sonoma::bench {
namespace {

/// The rows of one subject.
class SubjectJournal : public Journal {
 public:
  SubjectJournal(const CompiledSubject& subject, Measurements& rows)
      : subject_(subject), rows_(rows) {
    constexpr int too_often = 2;  // once, somebody may have ended it
    for (const CompiledCandidate& one : subject.candidates) {
      const auto at = rows.interrupted().find(one.kernels);
      if (at == rows.interrupted().end() || at->second < too_often) continue;
      if (!failure_of(one.tuning)) fail(one.tuning, "processes ended while this kernel ran alone");
    }
  }

  std::optional<Trial> trial_of(const Tuning& tuning) override {
    std::optional<Trial> last;
    for (const Measurement& one : rows_.of(subject_, candidate(tuning))) {
      if (one.round) last = one.trial;
    }
    if (last) last->rel_l2 = 0;
    return last;
  }
  std::optional<std::string> failure_of(const Tuning& tuning) override {
    const CompiledCandidate& one = candidate(tuning);
    if (!one.failure.empty()) return one.failure;
    for (const Measurement& row : rows_.of(subject_, one)) {
      if (!row.round) return row.failure;
    }
    return std::nullopt;
  }
  bool is_suspect(const Tuning& tuning) override {
    return rows_.interrupted().contains(candidate(tuning).kernels);
  }
  void begin(const std::vector<Tuning>& tunings) override {
    std::vector<std::string> kernels;
    for (const Tuning& tuning : tunings) kernels.push_back(candidate(tuning).kernels);
    rows_.begin(kernels);
  }
  void end() override { rows_.end(); }
  void add(Round round, const Trial& trial, int repetitions) override {
    rows_.add(subject_, candidate(trial.tuning), {round, repetitions, trial, {}, {}});
  }
  void fail(const Tuning& tuning, const std::string& why) override {
    rows_.add(subject_, candidate(tuning), {std::nullopt, 0, {}, why, {}});
  }

 private:
  const CompiledCandidate& candidate(const Tuning& tuning) const {
    const auto at = std::ranges::find(subject_.candidates, tuning, &CompiledCandidate::tuning);
    if (at == subject_.candidates.end()) throw std::logic_error("no candidate: a kernel unasked");
    return *at;
  }

  const CompiledSubject& subject_;
  Measurements& rows_;
};

WisdomEntry entry_of(const CompiledSubject& subject, const Measurements& rows, const Trial& best,
                     const std::string& date) {
  return entry_of(subject.problem(), rows.place().platform, best, date);
}

}  // namespace

Outcome measure(const CompiledSubject& subject, Measurements& rows, const StandMaker& stand,
                double seconds, const std::function<void(std::size_t)>& timed) {
  Outcome outcome;
  if (const auto best = rows.best_of(subject)) {
    outcome.entry = entry_of(subject, rows, best->trial, best->date);
    outcome.search.best = best->trial;
    outcome.search.candidates = outcome.search.timed = subject.candidates.size();
    outcome.measured = false;
    return outcome;
  }
  std::vector<Tuning> tunings;
  for (const CompiledCandidate& one : subject.candidates) tunings.push_back(one.tuning);
  SubjectJournal journal(subject, rows);
  const auto place = stand(subject);
  outcome.search = search(tunings, *place, seconds, journal, timed);
  if (outcome.search.best) {
    outcome.entry = entry_of(subject, rows, *outcome.search.best, rows.place().machine.date);
  }
  return outcome;
}

void WisdomKeeper::add(const Outcome& outcome) {
  if (!outcome.entry) return;
  if (outcome.measured) {
    fresh_.push_back(*outcome.entry);
  } else {
    earlier_.add(*outcome.entry);
  }
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - written_;
  if (gone.count() >= seconds_) write();
}

void WisdomKeeper::write() {
  if (!earlier_.entries().empty()) (void)merge_into_wisdom(file_, earlier_);
  if (!fresh_.empty()) (void)replace_in_wisdom(file_, fresh_);
  earlier_ = {}, fresh_.clear();
  written_ = std::chrono::steady_clock::now();
}

}  // namespace sonoma::bench
