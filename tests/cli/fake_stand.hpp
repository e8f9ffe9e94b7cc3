// A stand whose times are made up, and kernels for it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "sonoma/fft_error.hpp"
#include "sonoma/generate.hpp"
#include "tuner.hpp"

namespace sonoma::bench {

constexpr double for_ever = std::numeric_limits<double>::infinity();

inline FftProblem problem_of_length(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  problem.batch = 1024;
  return problem;
}

/// `count` kernels of 256 points and the engine simt, all different in the registers: 32, 33, ...
inline std::vector<Tuning> some_candidates(unsigned count) {
  std::vector<Tuning> found;
  for (unsigned i = 0; i < count; ++i) {
    Tuning tuning;
    tuning.engine = Engine::simt;
    tuning.registers = 32 + i;
    found.push_back(generate(problem_of_length(256), target_for("sm_90"), tuning).tuning);
  }
  return found;
}

class FakeStand : public TestStand {
 public:
  std::vector<std::optional<std::string>> prepare(const std::vector<Tuning>& kernels) override {
    if (!kernels.empty()) clock += seconds_to_prepare;
    std::vector<std::optional<std::string>> failures;
    for (const Tuning& kernel : kernels) {
      prepared.push_back(kernel);
      const bool fails = broken.contains(*kernel.registers);
      failures.push_back(fails ? std::optional<std::string>("it spills") : std::nullopt);
    }
    return failures;
  }
  Times time(const std::vector<Tuning>& kernels, int repetitions) override {
    runs.push_back({kernels.size(), repetitions});
    Times times{1.0, {}};
    for (const Tuning& kernel : kernels) {
      EXPECT_FALSE(broken.contains(*kernel.registers));
      if (falling.contains(*kernel.registers)) {
        lost = takes_context;
        throw FftError(Stage::launch, "an illegal address");
      }
      times.ms.push_back(ms(*kernel.registers, repetitions));
    }
    return times;
  }
  Error error(const Tuning& kernel) override {
    return {wrong.contains(*kernel.registers) ? 1.0 : 1.2345e-7, 4e-7};
  }
  double seconds() override { return clock; }
  bool works() override { return !lost; }

  struct Run {
    std::size_t kernels;
    int repetitions;
  };
  std::function<double(unsigned registers, int repetitions)> ms = [](unsigned, int) { return 2.0; };
  std::set<unsigned> broken, wrong, falling;  ///< by their registers; falling: when they run
  bool takes_context = false, lost = false;
  double clock = 100, seconds_to_prepare = 0;
  std::vector<Tuning> prepared;
  std::vector<Run> runs;
};

}  // namespace sonoma::bench
