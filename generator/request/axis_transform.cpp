#include "sonoma/axis_transform.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

/// Where the points of all axes lie, before or after one of the transforms.
struct Memory {
  Storage storage = Storage::f32;
  std::vector<std::int64_t> axes, loops;  ///< strides
  std::int64_t dist = 0;
  bool caller = true;  ///< the caller's input or output
};

Memory side_of(const FftProblem& problem, bool input) {
  Memory memory{input ? problem.storage : problem.result_storage(),
                {},
                {},
                input ? problem.in_dist() : problem.out_dist()};
  for (const Axis& axis : problem.axes()) memory.axes.push_back(axis.stride(input));
  for (const Loop& loop : problem.layout.loops) memory.loops.push_back(loop.stride(input));
  return memory;
}

// Points of an axis that are transformed: before, those that memory has of n, after, those that are
// stored.
std::int64_t length_of(const FftProblem& problem, std::size_t axis, bool before) {
  if (!before) return problem.axes()[axis].out_length;
  const bool last = axis + 1 == problem.lengths.size();
  return std::min(
      problem.axes()[axis].in_length,
      length_in_memory(problem.lengths[axis], last ? problem.values(true) : Values::complex));
}

// The most points that an axis has between the first transform and the last one.
std::int64_t length_between(const FftProblem& problem, std::size_t axis) {
  const std::vector<std::size_t> order = long_axes(problem);
  const std::int64_t before = length_of(problem, axis, true),
                     after = length_of(problem, axis, false);
  if (axis == order.front()) return after;
  return axis == order.back() ? before : std::max(before, after);
}

// The points of an axis and what lies behind them: of planes, rows of frequencies, which are odd
// numbers of them, begin at whole sectors. (Of volumes rows that follow each other are one loop.)
std::int64_t room_between(const FftProblem& problem, std::size_t axis) {
  constexpr std::int64_t sector = 4;
  const std::int64_t points = length_between(problem, axis);
  const bool row = has_hermitian(problem.domain) && axis + 1 == problem.lengths.size();
  return row && problem.lengths.size() == 2 ? (points + sector - 1) / sector * sector : points;
}

// Between axes.
Memory between(const FftProblem& problem) {
  if (keeps_in_output(problem)) return side_of(problem, false);
  FftProblem plain{problem.lengths, problem.batch};
  for (std::size_t a = 0; a < problem.lengths.size(); ++a) {
    plain.lengths[a] = room_between(problem, a);
  }
  Memory memory = side_of(plain, true);
  memory.caller = false;
  for (const Loop& loop : problem.layout.loops) {
    memory.loops.push_back(memory.dist);
    memory.dist *= loop.count;
  }
  return memory;
}

// `b` goes on where the last of `a` ends, on both sides.
bool continues(const Loop& a, const Loop& b) {
  return b.in_stride == a.count * a.in_stride && b.out_stride == a.count * a.out_stride &&
         b.in_index == a.count * a.in_index && b.out_index == a.count * a.out_index;
}

// Loops of which none continues another, the innermost first.
std::vector<Loop> merged(std::vector<Loop> loops) {
  std::erase_if(loops, [](const Loop& loop) { return loop.count == 1; });
  std::ranges::stable_sort(loops, {}, &Loop::out_stride);
  std::vector<Loop> result;
  for (const Loop& loop : loops) {
    if (!result.empty() && continues(result.back(), loop)) {
      result.back().count *= loop.count;
    } else {
      result.push_back(loop);
    }
  }
  return result;
}

// Of the loops the outermost one goes on as the batch does: then they are one batch, but where code
// is to tell them apart.
AxisTransform with_loops(FftProblem problem, std::vector<Loop> loops) {
  AxisTransform result{std::move(problem)};
  DataLayout& layout = result.problem.layout;
  while (!loops.empty() && continues(loops.back(), {1, layout.in_dist, layout.out_dist})) {
    result.repeat *= loops.back().count;
    layout.in_dist = loops.back().in_stride, layout.out_dist = loops.back().out_stride;
    loops.pop_back();
  }
  result.problem.batch *= result.repeat;
  layout.loops = std::move(loops);
  FftProblem rows = result.problem;  // that follow each other
  rows.layout = {};
  if (layout.loops.empty() && rows.axes() == result.problem.axes() &&
      layout.in_dist == rows.in_dist() && layout.out_dist == rows.out_dist()) {
    layout = {};
  }
  return result;
}

/// Some axes of a transform, which are transformed together, the last one first.
struct Stage {
  const FftProblem& whole;
  std::span<const std::size_t> axes, done;  ///< of long_axes(): these, and those before them
  bool first = true, last = true;           ///< of all stages

  [[nodiscard]] bool has(std::size_t axis) const { return std::ranges::count(axes, axis) != 0; }
  /// The caller's input or output, with code of the caller's.
  [[nodiscard]] bool has_code(bool input) const {
    return (input ? first : last) && !whole.ends.code(input).empty();
  }
  /// Points along another axis.
  [[nodiscard]] std::int64_t points_of(std::size_t axis) const {
    return length_of(whole, axis, std::ranges::count(done, axis) == 0);
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
    step *= axes[a].length(input);
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
std::int64_t cut(const FftProblem& whole, std::size_t axis, bool input) {
  const std::int64_t own = length_of(whole, axis, input);
  const bool last = axis + 1 == whole.lengths.size();
  const Values values = last ? whole.values(input) : Values::complex;
  return own == length_in_memory(whole.lengths[axis], values) ? 0 : own;
}

Ends ends_of(const Stage& stage) {
  Ends ends;
  for (const bool input : {true, false}) {
    std::vector<std::int64_t> lengths;  // the last axis first
    for (const std::size_t axis : stage.axes) lengths.push_back(cut(stage.whole, axis, input));
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

// The axes that are not transformed, and the loops of the whole.
std::vector<Loop> loops_of(const Stage& stage, const Memory& from, const Memory& to) {
  const FftProblem& whole = stage.whole;
  const auto in = index_steps(stage, true), out = index_steps(stage, false);
  std::vector<Loop> loops;
  for (std::size_t a = 0; a < whole.lengths.size(); ++a) {
    if (stage.has(a)) continue;
    loops.push_back({stage.points_of(a), from.axes[a], to.axes[a], in[a], out[a]});
  }
  for (std::size_t i = 0; i < whole.layout.loops.size(); ++i) {
    const Loop& loop = whole.layout.loops[i];
    loops.push_back({loop.count, from.loops[i], to.loops[i],
                     stage.has_code(true) ? loop.in_index : 0,
                     stage.has_code(false) ? loop.out_index : 0});
  }
  return loops;
}

// `problem`: the whole but for what the stage and the memory say.
AxisTransform along(FftProblem problem, const Stage& stage, const Memory& from, const Memory& to) {
  const std::size_t last = stage.axes.front();
  problem.lengths.clear();
  problem.storage = from.storage;
  problem.out_storage = to.storage == from.storage ? std::nullopt : std::optional(to.storage);
  problem.layout = {from.axes[last], to.axes[last], from.dist, to.dist};
  problem.ends = ends_of(stage);
  if (has_hermitian(stage.whole.domain) && last + 1 != stage.whole.lengths.size()) {
    problem.domain = Domain::c2c;
  }
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

bool keeps_in_output(const FftProblem& problem) {
  const std::vector<std::size_t> axes = long_axes(problem);
  const bool has_room = std::all_of(axes.begin() + 1, axes.end(), [&](std::size_t axis) {
    return length_of(problem, axis, true) <= length_of(problem, axis, false);
  });
  return has_room && problem.result_storage() == Storage::f32 && problem.domain != Domain::c2r;
}

std::int64_t points_between(const FftProblem& problem) {
  std::int64_t points = 1;
  for (std::size_t a = 0; a < problem.lengths.size(); ++a) points *= room_between(problem, a);
  for (const Loop& loop : problem.layout.loops) points *= loop.count;
  return points;
}

unsigned bytes_between(const FftProblem& problem) {
  return point_bytes(Storage::f32,
                     is_trigonometric(problem.domain) ? Values::trigonometric : Values::complex);
}

std::vector<std::size_t> long_axes(const FftProblem& problem) {
  const std::size_t last = problem.lengths.size() - 1;
  std::vector<std::size_t> axes;
  for (std::size_t a = last + 1; a-- > 0;) {
    const bool real =
        (a == last && has_hermitian(problem.domain)) || is_trigonometric(problem.domain);
    if (problem.lengths[a] > 1 || real) axes.push_back(a);
  }
  if (axes.empty()) axes = {last};
  if (problem.domain == Domain::c2r) std::rotate(axes.begin(), axes.begin() + 1, axes.end());
  return axes;
}

std::vector<AxisTransform> axis_transforms(const FftProblem& problem, std::size_t together) {
  const std::vector<std::size_t> axes = long_axes(problem);
  // Their roundings are independent of each other: the squares of relative errors add up.
  FftProblem one = problem;
  if (one.accuracy.max_rel_l2) {
    *one.accuracy.max_rel_l2 /= std::sqrt(static_cast<double>(axes.size() - together + 1));
  }
  const Memory middle = between(problem);
  std::vector<AxisTransform> result;
  for (std::span<const std::size_t> left = axes; !left.empty();) {
    const bool first = left.size() == axes.size();
    const auto front = left.first(first ? together : 1);
    std::vector<std::size_t> these(front.begin(), front.end());
    std::ranges::sort(these, std::ranges::greater{});
    const auto done = std::span(axes).first(axes.size() - left.size());
    left = left.subspan(these.size());
    const bool last = left.empty();
    FftProblem part = one;
    part.scale = last ? problem.scale : 1;
    if (!first && !last) part.placement = Placement::in_place;
    if (!first && last) {
      part.placement = middle.caller ? Placement::in_place : Placement::out_of_place;
    }
    if (first && !last && !middle.caller) part.placement = Placement::out_of_place;
    const Stage stage{problem, these, done, first, last};
    result.push_back(along(part, stage, first ? side_of(problem, true) : middle,
                           last ? side_of(problem, false) : middle));
  }
  return result;
}

}  // namespace sonoma
