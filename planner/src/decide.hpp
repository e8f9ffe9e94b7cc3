// What was chosen, and what it makes of a problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sonoma/planned.hpp"

namespace sonoma {

/// What was chosen, and what it makes of the problem under a policy, which may say more.
struct Decided {
  Choice choice;
  Tuning tuning;
  Program program;
};

/// See Choice::refused.
using Refused = std::vector<std::string>;

[[nodiscard]] Decided decide(const FftProblem& problem, const Target& target, const Platform& here,
                             const Wisdom& wisdom, const Tuning& given, WorkspacePolicy policy,
                             Refused& refused);

[[nodiscard]] Decided decide(const FftProblem& problem, const Target& target, const Choice& choice,
                             WorkspacePolicy policy);

/// The choice that was measured of the problem itself, where decide() does not look for it: of a
/// real side, and of several axes. Nothing where there is none, or a wish rules it out.
[[nodiscard]] std::optional<Decided> measured_itself(const FftProblem& problem,
                                                     const Target& target, const Platform& here,
                                                     const Wisdom& wisdom, const Tuning& given,
                                                     WorkspacePolicy policy, Refused& refused);

/// make_program(), but by no kernel of two points at once: of pairs of real numbers.
[[nodiscard]] Program unpacked_program(const FftProblem& problem, const Target& target,
                                       const Tuning& given);

/// Throws UnsupportedProblem where a program of several launches, or axes, is not as accurate.
void check_accuracy(const Program& program, const Accuracy& accuracy);

}  // namespace sonoma
