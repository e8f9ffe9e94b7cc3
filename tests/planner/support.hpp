// What the planner's tests share.
#pragma once

#include <cstdint>
#include <string>

#include "sonoma/choose.hpp"
#include "sonoma/generate.hpp"

namespace sonoma::testing {

inline FftProblem problem_of(std::int64_t n) {
  FftProblem problem;
  problem.lengths = {n};
  return problem;
}

inline Platform h200() { return {"NVIDIA H200", 90, "13.0"}; }

inline Tuning tuning_of(Engine engine) {
  Tuning tuning;
  tuning.engine = engine;
  return tuning;
}

/// A measurement of 4096 points in FP32 with the defaults of its arithmetic, but `registers`.
inline WisdomEntry entry_of(Arithmetic arithmetic, double eff, unsigned registers = 96,
                            const Platform& platform = h200()) {
  FftProblem problem = problem_of(4096);
  problem.accuracy.arithmetic = arithmetic;
  Tuning tuning;
  tuning.registers = registers;
  WisdomEntry entry;
  entry.platform = platform;
  entry.subject = {problem.lengths, problem.storage, arithmetic};
  entry.tuning = generate(problem, target_for("sm_90"), tuning).tuning;
  entry.eff = eff;
  entry.ms = 0.25;
  entry.points = 1 << 26;
  entry.rel_l2 = 1.25e-7;
  entry.date = "2026-11-21";
  return entry;
}

/// The same of 65536 points in two passes that share a launch.
inline WisdomEntry entry_in_passes(const Platform& platform = h200()) {
  WisdomEntry entry = entry_of(Arithmetic::simt, 0.57, 96, platform);
  entry.subject.lengths = {65536};
  entry.tuning = tuning_of(Engine::simt);
  entry.tuning.pass_lengths = {128, 512};
  entry.tuning.columns = 8;
  entry.tuning.registers = 64;
  entry.tuning.fused = true;
  return entry;
}

}  // namespace sonoma::testing
