// The planner: which kernel serves a request, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sonoma/api.hpp"
#include "sonoma/problem.hpp"
#include "sonoma/program.hpp"
#include "sonoma/target.hpp"
#include "sonoma/tuning.hpp"
#include "sonoma/wisdom.hpp"

namespace SONOMA_API sonoma {

/// The arithmetics that choose() considers: what neither `given` nor the accuracy of `problem`
/// rules out. Where that is a largest error, all, to be held against error_limit(): of simt64, for
/// f32, only where no other is accurate enough. By default what the storage cannot tell from FP32:
/// simt and split3 for f32 (split4 does not change FP32's error), all but simt64 for 16 bits.
[[nodiscard]] std::vector<Arithmetic> admitted_arithmetics(const FftProblem& problem,
                                                           const Tuning& given = {});

struct Choice {
  Tuning tuning;                        ///< what make_program() takes: resolved where is_plain()
  std::string reason;                   ///< one line for people
  std::optional<WisdomEntry> measured;  ///< where it is a measurement's
  /// Of several axes those of each, in the order of axis_transforms(); `tuning` is what was wished
  /// for all of them.
  std::vector<Choice> axes = {};
  /// Entries of wisdom, none of them shipped, that were to be taken and that this library refuses,
  /// with what it says: a line each.
  std::vector<std::string> refused = {};

  bool operator==(const Choice&) const = default;
};

/// `choice.reason`, and whether the kernels that were measured have changed since, which is looked
/// up only here: see since_measured().
[[nodiscard]] std::string full_reason(const Choice& choice);

/// Takes the fastest of the arithmetics that the accuracy of `problem` and the fields set in
/// `given` admit. A measurement counts where its tuning agrees with `given`: first those of this
/// `device`, then of this driver, then the fastest; others only of the same architecture. One that
/// is not shipped is scheduled first, for its generator may have served what this one does not.
/// The engine simt where measurements tie. Where an arithmetic was measured, none that was not is
/// taken; where none was, the generator's
/// defaults for each are held against each other by the cost model.
///
/// Beyond a block the same of clusters of blocks, or passes and their lengths. Of strided data and
/// where nothing was measured, what is given is returned, for make_program() to decide on the rest.
/// The batch then decides whether two passes share a launch, which does not change results.
///
/// Of a real transform what was measured of it; else, where its pairs fit a block, the choice for
/// the complex transform of half the length; else that for the complex one of its own.
///
/// `here`: device, driver and architecture to run on; an empty device: none in particular.
/// Pure: equal arguments give equal choices. Throws UnsupportedProblem, also where no arithmetic is
/// as accurate as asked (it says what is possible).
[[nodiscard]] Choice choose(const FftProblem& problem, const Target& target, const Platform& here,
                            const Wisdom& wisdom, const Tuning& given = {});

}  // namespace sonoma
