#include "axis_memory.hpp"

#include <algorithm>

#include "sonoma/trigonometric.hpp"

namespace sonoma {

Memory side_of(const FftProblem& problem, bool input) {
  Memory memory{input ? problem.storage : problem.result_storage(),
                {},
                {},
                input ? problem.in_dist() : problem.out_dist()};
  if (input && problem.channels() > 1) memory.channel = problem.channel_dist();
  for (const Axis& axis : problem.axes()) memory.axes.push_back(axis.stride(input));
  for (const Loop& loop : problem.layout.loops) memory.loops.push_back(loop.stride(input));
  return memory;
}

namespace {

bool of_real_convolution(const FftProblem& problem) {
  return problem.convolution && problem.convolution->real;
}

}  // namespace

bool has_half(const FftProblem& problem) {
  return has_hermitian(problem.domain) || of_real_convolution(problem);
}

std::int64_t length_of(const FftProblem& problem, std::size_t axis, State state) {
  if (state == State::output) return problem.axes()[axis].out_length;
  const bool last = axis + 1 == problem.lengths.size(), input = state == State::input;
  const Values own = input                          ? problem.values(true)
                     : of_real_convolution(problem) ? Values::hermitian
                                                    : Values::complex;
  const std::int64_t all = length_in_memory(problem.lengths[axis], last ? own : Values::complex);
  return input ? std::min(problem.axes()[axis].in_length, all) : all;
}

namespace {

constexpr std::int64_t sector = 4;  // points of FP32

// The most points that an axis has between the first transform and the last one.
std::int64_t length_between(const FftProblem& problem, std::size_t axis) {
  const std::vector<std::size_t> order = long_axes(problem);
  const std::int64_t before = length_of(problem, axis, State::input),
                     after = length_of(problem, axis, State::output);
  if (problem.convolution && axis != order.back()) {
    return length_of(problem, axis, State::frequencies);
  }
  if (problem.convolution) return std::max(before, after);
  if (axis == order.front()) return after;
  return axis == order.back() ? before : std::max(before, after);
}

// The points of an axis and what lies behind them: of planes, rows of frequencies, which are odd
// numbers of them, begin at whole sectors. (Of volumes rows that follow each other are one loop.)
std::int64_t room_between(const FftProblem& problem, std::size_t axis) {
  const std::int64_t points = length_between(problem, axis);
  const bool row = has_half(problem) && axis + 1 == problem.lengths.size();
  return row && problem.lengths.size() == 2 ? (points + sector - 1) / sector * sector : points;
}

}  // namespace

Memory between(const FftProblem& problem, bool of_results) {
  const bool of_signals = !of_results && keeps_signals_apart(problem);
  if (keeps_in_output(problem) && !of_signals) return side_of(problem, false);
  FftProblem plain{problem.lengths, problem.batch};
  for (std::size_t a = 0; a < problem.lengths.size(); ++a) {
    plain.lengths[a] = room_between(problem, a);
  }
  Memory memory = side_of(plain, true);
  memory.caller = false;
  for (const Loop& loop : problem.layout.loops) {
    const bool again = of_signals && is_of_filters(problem, loop);
    memory.loops.push_back(again ? 0 : memory.dist);
    memory.dist *= again ? 1 : loop.count;
  }
  if (of_signals) memory.channel = memory.dist, memory.dist *= problem.channels();
  return memory;
}

bool keeps_in_output(const FftProblem& problem) {
  const std::vector<std::size_t> axes = long_axes(problem);
  const bool has_room = std::ranges::all_of(axes, [&](std::size_t axis) {
    return length_between(problem, axis) <= length_of(problem, axis, State::output);
  });
  const bool real = problem.domain == Domain::c2r || of_real_convolution(problem);
  return has_room && problem.result_storage() == Storage::f32 && !real;
}

std::int64_t points_between(const FftProblem& problem) {
  std::int64_t points = 1;
  for (std::size_t a = 0; a < problem.lengths.size(); ++a) points *= room_between(problem, a);
  for (const Loop& loop : problem.layout.loops) points *= loop.count;
  return points;
}

std::int64_t points_of_signals(const FftProblem& problem) {
  return keeps_signals_apart(problem) ? between(problem, false).dist : 0;
}

unsigned bytes_between(const FftProblem& problem) {
  return point_bytes(Storage::f32,
                     is_trigonometric(problem.domain) ? Values::trigonometric : Values::complex);
}

std::vector<std::size_t> long_axes(const FftProblem& problem) {
  const std::size_t last = problem.lengths.size() - 1;
  std::vector<std::size_t> axes;
  for (std::size_t a = last + 1; a-- > 0;) {
    const bool real = (a == last && has_half(problem)) || is_trigonometric(problem.domain);
    if (problem.lengths[a] > 1 || real) axes.push_back(a);
  }
  if (axes.empty()) axes = {last};
  if (problem.domain == Domain::c2r) std::rotate(axes.begin(), axes.begin() + 1, axes.end());
  return axes;
}

}  // namespace sonoma
