#include "sonoma/axis_transform.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "axis_memory.hpp"
#include "saturated.hpp"

namespace sonoma {
namespace {

/// A loop, and how far apart the spectra of its convolutions are.
struct Dimension {
  Loop loop;
  std::int64_t spectrum = 0;
};

// `b` goes on where the last of `a` ends, on both sides.
bool continues(const Loop& a, const Loop& b) {
  const auto goes_on = [&](std::int64_t Loop::*step) {
    return b.*step == saturated_product(a.count, a.*step);
  };
  return goes_on(&Loop::in_stride) && goes_on(&Loop::out_stride) && goes_on(&Loop::in_index) &&
         goes_on(&Loop::out_index);
}
bool continues(const Dimension& a, const Dimension& b) {
  return continues(a.loop, b.loop) && b.spectrum == saturated_product(a.loop.count, a.spectrum);
}

// Dimensions of which none continues another, the innermost first.
std::vector<Dimension> merged(std::vector<Dimension> dimensions) {
  std::erase_if(dimensions, [](const Dimension& one) { return one.loop.count == 1; });
  std::ranges::stable_sort(dimensions, {},
                           [](const Dimension& one) { return one.loop.out_stride; });
  std::vector<Dimension> result;
  for (const Dimension& one : dimensions) {
    if (!result.empty() && continues(result.back(), one)) {
      result.back().loop.count *= one.loop.count;
    } else {
      result.push_back(one);
    }
  }
  return result;
}

// Of the dimensions the outermost one goes on as the batch does: then they are one batch, but where
// code is to tell them apart.
AxisTransform with_loops(FftProblem problem, std::vector<Dimension> dimensions) {
  AxisTransform result{std::move(problem)};
  DataLayout& layout = result.problem.layout;
  auto& convolution = result.problem.convolution;
  std::int64_t apart = convolution ? convolution->spectrum_dist : 0;
  while (!dimensions.empty() &&
         continues(dimensions.back(), {{1, layout.in_dist, layout.out_dist}, apart})) {
    const auto& [loop, spectrum] = dimensions.back();
    result.repeat *= loop.count;
    layout.in_dist = loop.in_stride, layout.out_dist = loop.out_stride, apart = spectrum;
    dimensions.pop_back();
  }
  result.problem.batch *= result.repeat;
  for (const Dimension& one : dimensions) {
    layout.loops.push_back(one.loop);
    if (convolution) convolution->spectrum_strides.push_back(one.spectrum);
  }
  if (convolution) convolution->spectrum_dist = apart;
  FftProblem rows = result.problem;  // that follow each other
  rows.layout = {};
  if (layout.loops.empty() && rows.axes() == result.problem.axes() &&
      layout.in_dist == rows.in_dist() && layout.out_dist == rows.out_dist()) {
    layout = {};
  }
  return result;
}

/// What a stage does: the transform; or of a convolution that to frequencies, the product with the
/// transforms there and back around it, or the transform back.
enum class Way { transform, there, turn, back };

/// Some axes of a transform, which are transformed together, the last one first.
struct Stage {
  const FftProblem& whole;
  Way way = Way::transform;
  std::vector<std::size_t> axes = {};          ///< of long_axes()
  std::vector<State> before = {}, after = {};  ///< of all axes
  bool first = true, last = true;              ///< of all stages

  [[nodiscard]] bool has(std::size_t axis) const { return std::ranges::count(axes, axis) != 0; }
  /// The caller's input or output, with code of the caller's.
  [[nodiscard]] bool has_code(bool input) const {
    return (input ? first : last) && !whole.ends.code(input).empty();
  }
  /// Points along another axis.
  [[nodiscard]] std::int64_t points_of(std::size_t axis) const {
    return length_of(whole, axis, before[axis]);
  }
};

// What one more point along each axis adds to the index that code is told; 0 without code.
std::vector<std::int64_t> index_steps(const Stage& stage, bool input) {
  const std::vector<Axis> axes = stage.whole.axes();
  std::vector<std::int64_t> steps(axes.size());
  if (!stage.has_code(input)) return steps;
  std::int64_t step = stage.whole.ends.index(input).step;
  for (std::size_t a = axes.size(); a-- > 0;) {
    steps[a] = step;
    step = saturated_product(step, axes[a].length(input));
  }
  return steps;
}

Ends::Index index_of(const Stage& stage, bool input) {
  const Ends& ends = stage.whole.ends;
  if (!stage.has_code(input)) return {};
  if (stage.whole.lengths.size() == 1) return ends.index(input);
  Ends::Index index{index_steps(stage, input)[stage.axes.front()]};
  for (const Axis& axis : stage.whole.axes()) index.lengths.push_back(axis.length(input));
  return index;
}

// Points of an axis on a side; 0: all.
std::int64_t cut(const Stage& stage, std::size_t axis, bool input) {
  const FftProblem& whole = stage.whole;
  const State state = (input ? stage.before : stage.after)[axis];
  if (state == State::frequencies) return 0;
  const std::int64_t own = length_of(whole, axis, state);
  const bool last = axis + 1 == whole.lengths.size();
  const Values values = last ? whole.values(input) : Values::complex;
  return own == length_in_memory(whole.lengths[axis], values) ? 0 : own;
}

Ends ends_of(const Stage& stage) {
  Ends ends;
  for (const bool input : {true, false}) {
    std::vector<std::int64_t> lengths;  // the last axis first
    for (const std::size_t axis : stage.axes) lengths.push_back(cut(stage, axis, input));
    (input ? ends.in_length : ends.out_length) = lengths.front();
    lengths.erase(lengths.begin());
    std::ranges::reverse(lengths);
    if (std::ranges::count(lengths, 0) == std::ssize(lengths)) lengths.clear();
    (input ? ends.in_lengths : ends.out_lengths) = lengths;
    (input ? ends.in_index : ends.out_index) = index_of(stage, input);
  }
  if (stage.first) ends.load_code = stage.whole.ends.load_code;
  if (stage.last) ends.store_code = stage.whole.ends.store_code;
  return ends;
}

// How far apart the spectra are of one more point along each axis, then of each of the loops.
std::vector<std::int64_t> spectra_of(const Stage& stage) {
  const FftProblem& whole = stage.whole;
  const std::size_t axes = whole.lengths.size();
  std::vector<std::int64_t> apart;
  if (stage.way == Way::turn) {
    apart = spectrum_axes(whole);
    const auto& loops = whole.convolution->spectrum_strides;
    apart.insert(apart.end(), loops.begin(), loops.end());
  }
  apart.resize(axes + whole.layout.loops.size());
  return apart;
}

// How often a loop runs: the way to frequencies once for all filters of a signal.
std::int64_t count_of(const Stage& stage, const Loop& loop) {
  const bool once = stage.way == Way::there && is_of_filters(stage.whole, loop);
  return once ? 1 : loop.count;
}

// The axes that are not transformed, the loops of the whole, and, on the way there, its channels.
std::vector<Dimension> loops_of(const Stage& stage, const Memory& from, const Memory& to) {
  const FftProblem& whole = stage.whole;
  const auto in = index_steps(stage, true), out = index_steps(stage, false);
  const auto apart = spectra_of(stage);
  std::vector<Dimension> loops;
  for (std::size_t a = 0; a < whole.lengths.size(); ++a) {
    if (stage.has(a)) continue;
    loops.push_back({{stage.points_of(a), from.axes[a], to.axes[a], in[a], out[a]}, apart[a]});
  }
  for (std::size_t i = 0; i < whole.layout.loops.size(); ++i) {
    const Loop& loop = whole.layout.loops[i];
    loops.push_back(
        {{count_of(stage, loop), from.loops[i], to.loops[i],
          stage.has_code(true) ? loop.in_index : 0, stage.has_code(false) ? loop.out_index : 0},
         apart[whole.lengths.size() + i]});
  }
  if (stage.way == Way::there) loops.push_back({{whole.channels(), from.channel, to.channel}});
  return loops;
}

// Which side is real, which way it goes, and the filter.
void set_way(FftProblem& problem, const Stage& stage, const Memory& from) {
  const std::size_t last = stage.whole.lengths.size() - 1;
  const bool real = has_half(stage.whole) && stage.has(last), back = stage.way == Way::back;
  if (stage.way == Way::transform) {
    if (has_hermitian(problem.domain) && !real) problem.domain = Domain::c2c;
    return;
  }
  if (stage.way == Way::turn) {
    problem.convolution->real = real;
    problem.convolution->spectrum_stride = spectrum_axes(stage.whole)[stage.axes.front()];
    problem.convolution->spectrum_strides.clear();
    if (stage.whole.channels() > 1) problem.convolution->channels.in_dist = from.channel;
    return;
  }
  problem.convolution.reset();
  problem.direction = back ? Direction::inverse : Direction::forward;
  if (real) problem.domain = back ? Domain::c2r : Domain::r2c;
}

// `problem`: the whole but for what the stage and the memory say.
AxisTransform along(FftProblem problem, const Stage& stage, const Memory& from, const Memory& to) {
  const std::size_t last = stage.axes.front();
  problem.lengths.clear();
  problem.storage = from.storage;
  problem.out_storage.reset();
  if (problem.result_storage() != to.storage) problem.out_storage = to.storage;
  problem.layout = {from.axes[last], to.axes[last], from.dist, to.dist};
  problem.ends = ends_of(stage);
  set_way(problem, stage, from);
  for (std::size_t a = 0; a < stage.whole.lengths.size(); ++a) {
    if (!stage.has(a)) continue;
    problem.lengths.push_back(stage.whole.lengths[a]);
    if (a == last) continue;
    problem.layout.in_strides.push_back(from.axes[a]);
    problem.layout.out_strides.push_back(to.axes[a]);
  }
  AxisTransform result = with_loops(std::move(problem), merged(loops_of(stage, from, to)));
  result.axis = stage.axes.back();
  return result;
}

}  // namespace

namespace {

// In the order of these axes: the first `together` of them in one stage.
std::vector<Stage> stages_of(const FftProblem& problem, std::span<const std::size_t> axes,
                             std::size_t together) {
  std::vector<Stage> stages;
  for (std::span<const std::size_t> left = axes; !left.empty();) {
    const auto these = left.first(stages.empty() ? together : 1);
    Stage& stage = stages.emplace_back(Stage{problem});
    stage.axes.assign(these.begin(), these.end());
    std::ranges::sort(stage.axes, std::ranges::greater{});
    left = left.subspan(these.size());
    if (problem.convolution) stage.way = left.empty() ? Way::turn : Way::there;
  }
  for (std::size_t i = stages.size() - 1; problem.convolution && i-- > 0;) {
    stages.push_back(Stage{problem, Way::back, stages[i].axes});
  }
  std::vector<State> states(problem.lengths.size(), State::input);
  for (Stage& stage : stages) {
    stage.first = &stage == &stages.front(), stage.last = &stage == &stages.back();
    stage.before = states;
    for (const std::size_t axis : stage.axes) {
      states[axis] = stage.way == Way::there ? State::frequencies : State::output;
    }
    stage.after = states;
  }
  return stages;
}

// What is the same along all axes, of `stages`. Their roundings are independent of each other: the
// squares of relative errors add up.
FftProblem part_of(const Stage& stage, std::size_t stages, const Memory& from, const Memory& to) {
  FftProblem part = stage.whole;
  if (part.accuracy.max_rel_l2) {
    const bool convolves = part.convolution.has_value();  // one of them there and back
    const auto ways = static_cast<double>(stages + (convolves ? 1 : 0));
    *part.accuracy.max_rel_l2 /= std::sqrt(ways / (stage.way == Way::turn ? 2 : 1));
  }
  part.scale = stage.last ? part.scale : 1;
  const bool middle = !stage.first && !stage.last;
  const bool moves = stage.way == Way::turn && keeps_signals_apart(stage.whole);
  if (middle) part.placement = moves ? Placement::out_of_place : Placement::in_place;
  if (!stage.first && stage.last) {
    part.placement = from.caller ? Placement::in_place : Placement::out_of_place;
  }
  if (stage.first && !stage.last && !to.caller) part.placement = Placement::out_of_place;
  return part;
}

std::vector<AxisTransform> of_stages(const FftProblem& problem, const std::vector<Stage>& stages) {
  const Memory signals = between(problem, false), results = between(problem, true);
  std::vector<AxisTransform> result;
  for (const Stage& stage : stages) {
    const Memory from = stage.first              ? side_of(problem, true)
                        : stage.way == Way::back ? results
                                                 : signals;
    const Memory to = stage.last                ? side_of(problem, false)
                      : stage.way == Way::there ? signals
                                                : results;
    result.push_back(along(part_of(stage, stages.size(), from, to), stage, from, to));
    result.back().in_output = results.caller;
  }
  return result;
}

}  // namespace

std::vector<AxisTransform> axis_transforms(const FftProblem& problem, std::size_t together) {
  return of_stages(problem, stages_of(problem, long_axes(problem), together));
}

std::vector<AxisTransform> axis_transforms_first_axis_first(const FftProblem& problem) {
  std::vector<std::size_t> axes = long_axes(problem);
  std::ranges::sort(axes);
  return of_stages(problem, stages_of(problem, axes, 1));
}

}  // namespace sonoma
