// From a request to its launches: the one way that plans, the command line and the tuner take.
#pragma once

#include <optional>

#include "sonoma/api.hpp"
#include "sonoma/choose.hpp"
#include "sonoma/program.hpp"
#include "sonoma/workspace_policy.hpp"

namespace SONOMA_API sonoma {

/// What a request becomes.
struct Planned {
  Choice choice;    ///< what was decided, and why
  Program program;  ///< what it makes of the problem where the batch fills the GPU
  /// Where the batch leaves multiprocessors idle, what is taken in place of `program`: the same
  /// bits, sooner.
  std::optional<Program> few;

  /// What a plan executes.
  [[nodiscard]] const Program& taken() const { return few ? *few : program; }
};

/// choose(), and what its choice makes of the problem. `wish`: what the user said; open fields are
/// the library's to decide. `here`: see choose(). Pure. Throws UnsupportedProblem.
[[nodiscard]] Planned plan(const FftProblem& problem, const Target& target, const Platform& here,
                           const Wisdom& wisdom, const Tuning& wish = {},
                           WorkspacePolicy policy = WorkspacePolicy::fast);

/// The same of a choice that is known: one for this problem but for batch, direction, placement and
/// scale.
[[nodiscard]] Planned plan(const FftProblem& problem, const Target& target, const Choice& choice,
                           const Tuning& wish = {}, WorkspacePolicy policy = WorkspacePolicy::fast);

}  // namespace sonoma
