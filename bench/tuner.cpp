#include "tuner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

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
  Tuner(TestStand& stand, double seconds, const std::function<void(std::size_t)>& timed)
      : stand_(stand), end_(stand.seconds() + search_share * seconds), timed_(timed) {}

  [[nodiscard]] Search run(const std::vector<Candidate>& candidates) {
    search_.candidates = candidates.size();
    for (std::size_t i = 0; i < candidates.size(); i += portion) {
      search_.complete = i == 0 || stand_.seconds() < end_;
      if (!search_.complete) break;
      std::vector<Tuning> kernels;
      for (std::size_t j = i; j < std::min(candidates.size(), i + portion); ++j) {
        kernels.push_back(candidates[j].tuning);
      }
      time(prepared(kernels), few_repetitions);
      timed_(trials_.size());
    }
    search_.timed = trials_.size();
    const auto last = fastest();
    time(last, many_repetitions);
    decide(last);
    return search_;
  }

 private:
  void note(const Tuning& tuning, const std::string& what) {
    search_.notes.push_back(to_string(tuning) + ": " + what);
  }

  std::vector<Tuning> prepared(const std::vector<Tuning>& kernels) {
    const auto failures = stand_.prepare(kernels);
    std::vector<Tuning> ready;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (failures.at(i)) note(kernels[i], *failures[i]);
      if (!failures[i]) ready.push_back(kernels[i]);
    }
    return ready;
  }

  void time(const std::vector<Tuning>& kernels, int repetitions) {
    if (kernels.empty()) return;
    const TestStand::Times times = stand_.time(kernels, repetitions);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      trials_[kernels[i]] = {kernels[i], times.copy_ms / times.ms.at(i), times.ms[i], 0};
    }
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
    while (!kernels.empty() && !search_.best) {
      Trial trial = trials_.at(preferred(kernels));
      const TestStand::Error measured = stand_.error(trial.tuning);
      trial.rel_l2 = measured.rel_l2;
      if (trial.rel_l2 <= measured.limit) {
        search_.best = trial;
      } else {
        char error[32];
        std::snprintf(error, sizeof error, "%.3g", trial.rel_l2);
        note(trial.tuning, std::string("its relative L2 error ") + error +
                               " is above the limit of its arithmetic");
        std::erase(kernels, trial.tuning);
      }
    }
  }

  TestStand& stand_;
  double end_;
  const std::function<void(std::size_t)>& timed_;
  std::map<Tuning, Trial> trials_;
  Search search_;
};

double rounded(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return std::strtod(text, nullptr);
}

}  // namespace

Search search(const std::vector<Candidate>& candidates, TestStand& stand, double seconds,
              const std::function<void(std::size_t)>& timed) {
  return Tuner(stand, seconds, timed).run(candidates);
}

WisdomEntry entry_of(const FftProblem& problem, const Platform& platform, const Trial& best,
                     const std::string& date) {
  WisdomEntry entry;
  entry.platform = platform;
  entry.subject = subject_of(problem, arithmetic_of(best.tuning));
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
