// What is measured of a subject: candidates, and their kernels as they were compiled.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sonoma/target.hpp"
#include "sonoma/wisdom.hpp"

namespace sonoma::bench {

/// A candidate whose kernels the compiler has seen.
struct CompiledCandidate {
  Tuning tuning;
  std::string kernels;                    ///< kernels_of() all its launches; empty: it was refused
  std::vector<std::string> modules = {};  ///< of each launch, see CompiledSubject
  std::vector<double> facts = {};         ///< see kernel_facts.hpp
  std::string failure = {};  ///< why it cannot be measured, e.g. the compiler's message

  bool operator==(const CompiledCandidate&) const = default;
};

struct CompiledSubject {
  int arch = 90;
  Subject subject;
  std::int64_t points = 0;  ///< of a run
  std::vector<CompiledCandidate> candidates;
  std::map<std::string, std::string> modules;  ///< cubins by kernels_of() their one text

  bool operator==(const CompiledSubject&) const = default;

  [[nodiscard]] FftProblem problem() const { return problem_of(subject, points); }
};

/// A candidate, and the cubins of its launches.
struct CompiledKernels {
  CompiledCandidate candidate;
  std::map<std::string, std::string> modules;
};

/// What becomes of a tuning's limit of registers. Where its one kernel leaves room for more blocks
/// of an SM than the limit promises, that is by chance: another text, or another compiler, takes
/// more. `promised`: the limit becomes the largest multiple of 8 that promises these blocks, unless
/// the kernel is larger with it. With another limit a kernel is another one: 161 points had .92 of
/// a copy's speed with 80 registers, of which it takes 72, .77 with 72. So what is measured again
/// stays `as_said`.
enum class RegisterLimit { promised, as_said };

/// Plans, emits and compiles all launches of a tuning. Those whose text `known` has a candidate of
/// the same tuning for are taken from there. What the generator or the compiler refuses is a
/// failure of the result. Throws FftError where there is no compiler.
[[nodiscard]] CompiledKernels compile_candidate(const FftProblem& problem, const Target& target,
                                                const Tuning& tuning, RegisterLimit limit,
                                                const CompiledSubject* known = nullptr);

/// As text and cubins, compressed: `zcat FILE | head -1` shows the text, a line of JSON.
[[nodiscard]] std::string encode(const CompiledSubject& subject);
/// Inverse. Throws std::invalid_argument that says why where `bytes` are none of encode().
[[nodiscard]] CompiledSubject decode_subject(std::string_view bytes);

/// "sm_90-c2c-f32-simt-4096": of what it is; no other subject, run or architecture has it.
[[nodiscard]] std::string name_of(const CompiledSubject& subject);

}  // namespace sonoma::bench
