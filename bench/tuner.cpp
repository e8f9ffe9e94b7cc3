#include "tuner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "sonoma/fft_error.hpp"
#include "suite.hpp"

namespace sonoma::bench {
namespace {

constexpr int few_repetitions = 4, many_repetitions = 40;
constexpr std::size_t finalists = 8;
constexpr std::size_t portion = 32;   // candidates that are made and timed at once
constexpr double search_share = 0.8;  // of the time; the rest is for the finalists
constexpr double tie = 1.01;          // times that are no different

/// A search under way.
class Tuner {
 public:
  Tuner(TestStand& stand, double seconds, Journal& journal,
        const std::function<void(std::size_t)>& timed)
      : stand_(stand),
        end_(stand.seconds() + search_share * seconds),
        journal_(journal),
        timed_(timed) {}

  [[nodiscard]] Search run(const std::vector<Tuning>& candidates) {
    search_.candidates = candidates.size();
    bool first = true;
    for (const auto& kernels : portions(candidates)) {
      search_.complete = first || stand_.seconds() < end_;
      if (!search_.complete) break;
      first = false;
      time(prepared(kernels), few_repetitions, Round::first);
      timed_(trials_.size());
    }
    search_.timed = trials_.size();
    const auto last = prepared(fastest());
    time(last, many_repetitions, Round::final);
    decide(last);
    return search_;
  }

 private:
  // Those that are made and timed together: of what nothing is known so many, suspects alone.
  std::vector<std::vector<Tuning>> portions(const std::vector<Tuning>& candidates) {
    std::vector<std::vector<Tuning>> together, alone;
    for (const Tuning& tuning : candidates) {
      if (const auto why = journal_.failure_of(tuning)) {
        note(tuning, *why);
      } else if (const auto trial = journal_.trial_of(tuning)) {
        trials_[tuning] = *trial;
      } else if (journal_.is_suspect(tuning)) {
        alone.push_back({tuning});
      } else {
        if (together.empty() || together.back().size() == portion) together.emplace_back();
        together.back().push_back(tuning);
      }
    }
    together.insert(together.end(), alone.begin(), alone.end());
    return together;
  }

  void note(const Tuning& tuning, const std::string& what) {
    search_.notes.push_back(to_string(tuning) + ": " + what);
  }

  void fail(const Tuning& tuning, const std::string& why) {
    note(tuning, why);
    journal_.fail(tuning, why);
    trials_.erase(tuning);
  }

  std::vector<Tuning> prepared(const std::vector<Tuning>& kernels) {
    std::vector<Tuning> fresh, ready;
    for (const Tuning& kernel : kernels) {
      if (prepared_.insert(kernel).second) fresh.push_back(kernel);
    }
    const auto failures = stand_.prepare(fresh);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (!failures.at(i)) continue;
      fail(fresh[i], *failures[i]);
      failed_.insert(fresh[i]);
    }
    for (const Tuning& kernel : kernels) {
      if (!failed_.contains(kernel)) ready.push_back(kernel);
    }
    return ready;
  }

  void time(const std::vector<Tuning>& kernels, int repetitions, Round round) {
    if (kernels.empty()) return;
    journal_.begin(kernels);
    try {
      const TestStand::Times times = stand_.time(kernels, repetitions);
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        Trial& trial = trials_[kernels[i]];
        trial = {kernels[i], times.copy_ms / times.ms.at(i), times.ms[i], 0};
        journal_.add(round, trial, repetitions);
      }
    } catch (const FftError& error) {
      time_alone(kernels, repetitions, round, error);
    }
    journal_.end();
  }

  // One of them failed.
  void time_alone(const std::vector<Tuning>& kernels, int repetitions, Round round,
                  const FftError& error) {
    if (kernels.size() == 1) fail(kernels.front(), error.what());
    if (!stand_.works()) throw StandLost(error.what());
    if (kernels.size() == 1) return;
    for (const Tuning& kernel : kernels) time({kernel}, repetitions, round);
  }

  std::vector<Tuning> fastest() const {
    std::multimap<double, Tuning, std::greater<>> by_speed;
    for (const auto& [tuning, trial] : trials_) by_speed.emplace(trial.eff, tuning);
    std::vector<Tuning> result;
    for (const auto& [eff, tuning] : by_speed) {
      if (result.size() < finalists) result.push_back(tuning);
    }
    return result;
  }

  // The next one to take: among those about as fast as the fastest, the first by the fixed rule.
  Tuning preferred(const std::vector<Tuning>& kernels) const {
    double best = 0;
    for (const Tuning& tuning : kernels) best = std::max(best, trials_.at(tuning).eff);
    const auto rank = [&](const Tuning& t) {
      return std::tuple(trials_.at(t).eff * tie < best, t.registers, t.block_points, t);
    };
    return *std::min_element(kernels.begin(), kernels.end(),
                             [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  }

  void decide(std::vector<Tuning> kernels) {
    while (!search_.best) {
      std::erase_if(kernels, [&](const Tuning& one) { return !trials_.contains(one); });
      if (kernels.empty()) return;
      Trial trial = trials_.at(preferred(kernels));
      if (const auto why = fault_of(trial)) {
        fail(trial.tuning, *why);
        continue;
      }
      search_.best = trial;
      if (search_.complete) journal_.add(Round::best, trial, many_repetitions);
    }
  }

  // Measures its error.
  std::optional<std::string> fault_of(Trial& trial) {
    journal_.begin({trial.tuning});
    try {
      const TestStand::Error measured = stand_.error(trial.tuning);
      trial.rel_l2 = measured.rel_l2;
      journal_.end();
      if (trial.rel_l2 <= measured.limit) return std::nullopt;
    } catch (const FftError& error) {
      if (stand_.works()) return error.what();
      fail(trial.tuning, error.what());
      throw StandLost(error.what());
    }
    char error[32];
    std::snprintf(error, sizeof error, "%.3g", trial.rel_l2);
    return std::string("its relative L2 error ") + error + " is above the limit of its arithmetic";
  }

  TestStand& stand_;
  double end_;
  Journal& journal_;
  const std::function<void(std::size_t)>& timed_;
  std::set<Tuning> prepared_, failed_;
  std::map<Tuning, Trial> trials_;
  Search search_;
};

double rounded(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return std::strtod(text, nullptr);
}

}  // namespace

Search search(const std::vector<Tuning>& candidates, TestStand& stand, double seconds,
              Journal& journal, const std::function<void(std::size_t)>& timed) {
  return Tuner(stand, seconds, journal, timed).run(candidates);
}

WisdomEntry entry_of(const FftProblem& problem, const Platform& platform, const Trial& best,
                     const std::string& date) {
  WisdomEntry entry;
  entry.platform = platform;
  const bool packed = problem.accuracy.arithmetic == Arithmetic::packed;
  entry.subject = subject_of(problem, packed ? Arithmetic::packed : arithmetic_of(best.tuning));
  entry.tuning = best.tuning;
  entry.eff = rounded(best.eff, "%.4f");
  entry.ms = rounded(best.ms, "%.5f");
  entry.points = points_of(problem);
  entry.rel_l2 = rounded(best.rel_l2, "%.3g");
  entry.date = date;
  entry.kernels = kernels_of(entry);
  return entry;
}

}  // namespace sonoma::bench
