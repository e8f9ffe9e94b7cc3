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

// Points of an axis between the transforms: of the last one the frequencies.
std::int64_t length_between(const FftProblem& problem, std::size_t axis) {
  const bool half = has_hermitian(problem.domain) && axis + 1 == problem.lengths.size();
  return length_in_memory(problem.lengths[axis], half ? Values::hermitian : Values::complex);
}

// Between axes.
Memory between(const FftProblem& problem) {
  if (keeps_in_output(problem)) return side_of(problem, false);
  FftProblem plain{problem.lengths, problem.batch};
  plain.lengths.back() = length_between(problem, problem.lengths.size() - 1);
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
  return b.in_stride == a.count * a.in_stride && b.out_stride == a.count * a.out_stride;
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

// Of the loops the outermost one goes on as the batch does: then they are one batch.
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

// `axes`: the last one first.
AxisTransform along(const FftProblem& whole, std::span<const std::size_t> axes, const Memory& from,
                    const Memory& to) {
  FftProblem problem = whole;
  problem.lengths.clear();
  problem.storage = from.storage;
  problem.out_storage = to.storage == from.storage ? std::nullopt : std::optional(to.storage);
  problem.layout = {from.axes[axes.front()], to.axes[axes.front()], from.dist, to.dist};
  if (has_hermitian(whole.domain) && axes.front() + 1 != whole.lengths.size()) {
    problem.domain = Domain::c2c;
  }
  std::vector<Loop> loops;
  for (std::size_t a = 0; a < whole.lengths.size(); ++a) {
    if (std::ranges::find(axes, a) == axes.end()) {
      loops.push_back({length_between(whole, a), from.axes[a], to.axes[a]});
      continue;
    }
    problem.lengths.push_back(whole.lengths[a]);
    if (a == axes.front()) continue;
    problem.layout.in_strides.push_back(from.axes[a]);
    problem.layout.out_strides.push_back(to.axes[a]);
  }
  for (std::size_t i = 0; i < whole.layout.loops.size(); ++i) {
    loops.push_back({whole.layout.loops[i].count, from.loops[i], to.loops[i]});
  }
  AxisTransform result = with_loops(std::move(problem), merged(std::move(loops)));
  result.axis = axes.back();
  return result;
}

}  // namespace

bool keeps_in_output(const FftProblem& problem) {
  return problem.result_storage() == Storage::f32 && problem.domain != Domain::c2r;
}

std::int64_t points_between(const FftProblem& problem) {
  std::int64_t points = 1;
  for (std::size_t a = 0; a < problem.lengths.size(); ++a) points *= length_between(problem, a);
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
  if (problem.domain == Domain::c2r) std::ranges::rotate(axes, axes.begin() + 1);
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
    std::vector<std::size_t> these(left.begin(), left.begin() + (first ? together : 1));
    std::ranges::sort(these, std::ranges::greater{});
    left = left.subspan(these.size());
    const bool last = left.empty();
    FftProblem part = one;
    part.scale = last ? problem.scale : 1;
    if (!first && !last) part.placement = Placement::in_place;
    if (!first && last) {
      part.placement = middle.caller ? Placement::in_place : Placement::out_of_place;
    }
    if (first && !last && !middle.caller) part.placement = Placement::out_of_place;
    result.push_back(along(part, these, first ? side_of(problem, true) : middle,
                           last ? side_of(problem, false) : middle));
  }
  return result;
}

}  // namespace sonoma
