// Several axes: in one launch, in passes, or one after the other.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sonoma/axis_transform.hpp"
#include "sonoma/planned.hpp"

namespace sonoma {

/// As one transform of as many points, but with steps of each axis: `tuning` as its kernel takes
/// it. Nothing where such a transform takes several launches, or no steps are cut by the axes.
[[nodiscard]] std::optional<Program> in_one_launch(const FftProblem& problem, const Target& target,
                                                   const Tuning& tuning);

/// As for_batch().
[[nodiscard]] std::optional<Program> few_in_one_launch(const Program& program, const Tuning& tuning,
                                                       const FftProblem& problem,
                                                       const Target& target, const Tuning& wish);

/// The same as planned, with the choice for as many points in one axis, where its steps can be cut;
/// else of the wish.
[[nodiscard]] Planned plan_in_one_launch(const FftProblem& problem, const Target& target,
                                         const Tuning& wish, Choice choice);

/// Of axes that share a launch the transform of as many points, whose shape they take.
[[nodiscard]] FftProblem as_one_axis(const FftProblem& problem, const Tuning& wish);

/// True where the pass lengths are those of the axes, in the order of their transforms: axis by
/// axis, though some could share a launch.
[[nodiscard]] bool says_each_axis(const Tuning& tuning, const FftProblem& problem);

/// axis_transforms() with as many of the last axes in one launch as can be, unless the tuning
/// says_each_axis().
[[nodiscard]] std::vector<AxisTransform> launched_axes(const FftProblem& problem,
                                                       const Target& target, const Tuning& tuning);

/// All of them, whose batch is the caller's: loops that go on as it does make it longer.
[[nodiscard]] bool share_a_launch(const std::vector<AxisTransform>& axes);

/// The transform of all axes at once, as share_a_launch() means it: without what its layout and its
/// axes of one point say in more words than they need.
[[nodiscard]] FftProblem of_all_axes(const FftProblem& problem);

/// Of a wish for several axes what one of them takes: its steps; whether axes share a launch is not
/// its own.
[[nodiscard]] Tuning of_axis(const Tuning& wish, const FftProblem& problem,
                             const AxisTransform& axis);

/// Of several: `plan_one` makes the plan of the i-th of `axes` by its own wish.
using PlanOfAxis =
    std::function<Planned(const FftProblem& axis, const Tuning& wish, std::size_t i)>;

[[nodiscard]] Planned plan_axes(const FftProblem& problem, const std::vector<AxisTransform>& axes,
                                const Tuning& wish, const PlanOfAxis& plan_one);

/// Without those of one point, but for the last one where a side is real.
[[nodiscard]] FftProblem of_long_axes(FftProblem problem);

/// A tree of the product of `lengths`, each of whose steps is cut where an axis ends within it.
/// Nothing where none of its factors does.
[[nodiscard]] std::optional<Decomposition> cut_at_axes(const Decomposition& tree,
                                                       const std::vector<std::int64_t>& lengths);

/// The steps of each axis alone.
[[nodiscard]] Decomposition side_by_side(const std::vector<std::int64_t>& lengths);

/// All axes in two passes over memory, see axis_passes(): those that are asked for, or the fastest.
/// Nothing where these do not serve.
[[nodiscard]] std::optional<Program> axes_in_passes(const FftProblem& problem, const Target& target,
                                                    const Tuning& wish);

[[nodiscard]] Planned plan_in_passes(const FftProblem& problem, const Target& target,
                                     const Tuning& wish);

/// All axes in one launch, or in passes.
[[nodiscard]] std::optional<Program> axes_together(const FftProblem& problem, const Target& target,
                                                   const Tuning& tuning);

/// Of a pass over several axes.
[[nodiscard]] Shape shape_over_axes(const Pass& pass, const Tuning& given, const Target& target);

}  // namespace sonoma
