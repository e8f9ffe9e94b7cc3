#include "sonoma/program.hpp"

#include <algorithm>
#include <span>

#include "sonoma/error_limit.hpp"
#include "sonoma/passes.hpp"
#include "sonoma/trigonometric.hpp"

namespace sonoma {
namespace {

// In the order in which they run.
template <class Visit>
void for_each_pass(const Program& program, Visit visit) {
  for (const Launch& launch : program.launches) {
    visit(launch.pass, launch.shape);
    if (launch.fusion) visit(launch.fusion->pass, launch.fusion->shape);
  }
}

}  // namespace

std::vector<Program> programs_of_axes(const Program& program) {
  if (program.axes.empty()) return {program};
  std::vector<Program> parts;
  auto next = program.launches.begin();
  for (const AxisLaunches& axis : program.axes) {
    const auto end = next + static_cast<std::ptrdiff_t>(axis.launches);
    parts.push_back(
        {axis.problem, {next, end}, axis.transforms_together, axis.workspace_points, {}});
    next = end;
  }
  return parts;
}

namespace {

// Of a part that may have axes of its own.
std::vector<AxisLaunches> launches_by_axis(const Program& part) {
  if (!part.axes.empty()) return part.axes;
  return {
      {0, part.problem, 1, part.launches.size(), part.transforms_together, part.workspace_points}};
}

}  // namespace

Program joined(const FftProblem& problem, const std::vector<AxisTransform>& axes,
               const std::vector<Program>& parts) {
  const Buffer results = axes.front().in_output ? Buffer::output : Buffer::between;
  const Buffer signals = keeps_signals_apart(problem) ? Buffer::signals : results;
  const auto turn = static_cast<std::size_t>(
      std::ranges::find_if(
          axes, [](const AxisTransform& axis) { return axis.problem.convolution.has_value(); }) -
      axes.begin());
  Program whole{problem, {}};
  whole.problem.batch = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Program& part = parts[i];
    for (AxisLaunches own : launches_by_axis(part)) {
      own.axis += axes[i].axis, own.repeat *= axes[i].repeat;
      whole.axes.push_back(std::move(own));
    }
    for (Launch launch : part.launches) {
      const Buffer behind = i < turn ? signals : results;
      if (i > 0 && launch.from == Buffer::input) launch.from = i > turn ? results : signals;
      if (i + 1 < parts.size() && launch.from == Buffer::output) launch.from = behind;
      if (i + 1 < parts.size() && launch.to == Buffer::output) launch.to = behind;
      whole.launches.push_back(launch);
    }
  }
  return whole;
}

namespace {

Roundings of_axis(const Program& program) {
  const Launch& first = program.launches.front();
  const unsigned products = products_of(program.problem.domain, program.problem.points());
  if (!first.pass.part) {
    Roundings all = roundings_of(first.shape, program.problem);
    all.products += products;
    return all;
  }
  Roundings all{.arithmetic = first.shape.arithmetic, .products = products};
  if (first.pass.part->convolution) {
    all.convolution_points = first.pass.part->points();
    all.products += program.problem.convolution ? 1 : 3;
    all.channels = program.problem.channels();
  }
  for_each_pass(program, [&](const Pass& pass, const Shape& shape) {
    const Roundings one = roundings_of(shape);
    const unsigned ways = pass.convolves() ? 2 : 1;
    all.spared_levels += ways * one.spared_levels;
    all.half_data += ways * one.half_data;
    all.half_matrices += ways * one.half_matrices;
    for (std::int64_t& behind : all.behind_boundaries) behind *= pass.n();
    if (pass.out.storage == Storage::c12e8) all.behind_boundaries.push_back(1);
  });
  return all;
}

}  // namespace

Roundings roundings_of(const Program& program) {
  const std::vector<Program> axes = programs_of_axes(program);
  Roundings all = of_axis(axes.front());
  std::int64_t direct = all.convolution_points == 0 ? axes.front().problem.n() : 1;
  for (const Program& axis : std::span(axes).subspan(1)) {
    const Roundings one = of_axis(axis);
    const std::int64_t n = axis.problem.n();
    if (one.arithmetic == Arithmetic::half) all.arithmetic = one.arithmetic;
    all.spared_levels += one.spared_levels;
    all.half_data += one.half_data, all.half_matrices += one.half_matrices;
    for (std::int64_t& behind : all.behind_boundaries) behind *= n;
    all.behind_boundaries.insert(all.behind_boundaries.end(), one.behind_boundaries.begin(),
                                 one.behind_boundaries.end());
    all.products += one.products;
    all.channels = std::max(all.channels, one.channels);
    if (one.convolution_points == 0) direct *= n;
    if (one.convolution_points != 0) {
      all.convolution_points =
          std::max<std::int64_t>(1, all.convolution_points) * one.convolution_points;
    }
  }
  if (all.convolution_points != 0) all.direct_points = direct;
  return all;
}

double error_limit(const Program& program) {
  return error_limit(program.problem, roundings_of(program));
}

unsigned counter_bytes(unsigned slots) {
  constexpr unsigned ticket_bytes = 128;  // counters of different blocks' business lie so far apart
  const unsigned bytes = ticket_bytes + 2 * slots * 4;
  return (bytes + 255) / 256 * 256;
}

std::string check(const Fusion& fusion, std::uint64_t tiles) {
  if (fusion.slots < 2) return "a ring of fewer than two slots";
  if (fusion.lag < tiles) return "a tile of the second pass before the first pass of its transform";
  if (fusion.lag > (fusion.slots - 1) * tiles) {
    return "a tile of the first pass before the second pass has left its slot";
  }
  return {};
}

std::int64_t Program::together(std::int64_t batch) const {
  return transforms_together == 0 ? batch : std::min(batch, transforms_together);
}

namespace {

std::uint64_t to_next_part(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

bool leaves_in(const Program& program, Buffer buffer) {
  return std::ranges::any_of(program.launches,
                             [&](const Launch& launch) { return launch.to == buffer; });
}

}  // namespace

bool Program::keeps_axes_in_output() const { return !leaves_in(*this, Buffer::between); }

std::uint64_t Program::between_offset(std::int64_t batch) const {
  std::uint64_t most = 0;
  const std::vector<Program> parts = programs_of_axes(*this);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    most = std::max(most, parts[i].workspace_bytes(batch * axes[i].repeat));
  }
  return to_next_part(most);
}

std::uint64_t Program::signals_offset(std::int64_t batch) const {
  const std::int64_t points = keeps_axes_in_output() ? 0 : batch * points_between(problem);
  return to_next_part(between_offset(batch) +
                      static_cast<std::uint64_t>(points) * bytes_between(problem));
}

std::uint64_t Program::workspace_bytes(std::int64_t batch) const {
  if (!axes.empty()) {
    const std::uint64_t point = bytes_between(problem);
    if (leaves_in(*this, Buffer::signals)) {
      return signals_offset(batch) +
             static_cast<std::uint64_t>(batch * points_of_signals(problem)) * point;
    }
    if (keeps_axes_in_output()) return between_offset(batch);
    return between_offset(batch) +
           static_cast<std::uint64_t>(batch * points_between(problem)) * point;
  }
  std::uint64_t transforms = static_cast<std::uint64_t>(together(batch)), counters = 0;
  if (const auto& fusion = launches.front().fusion) {
    transforms = std::min<std::uint64_t>(transforms, fusion->slots);
    counters = counter_bytes(fusion->slots);
  }
  return counters + static_cast<std::uint64_t>(workspace_points) * transforms *
                        point_bytes(launches.front().pass.out.storage);
}

std::int64_t Program::place_of(std::int64_t k) const {
  const auto& part = launches.front().pass.part;
  if (problem.order == Order::natural || !part || part->convolution) return k;
  std::int64_t place = 0;
  for (const std::int64_t length : part->lengths) {
    place = place * length + k % length;
    k /= length;
  }
  return place;
}

std::string to_string(Buffer buffer) {
  static constexpr const char* names[] = {"input", "workspace", "output", "between axes",
                                          "signals between axes"};
  return names[static_cast<int>(buffer)];
}

std::string to_string(const Program& program) {
  std::string text;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const Launch& launch = program.launches[i];
    text += "launch " + std::to_string(i + 1) + ": " + to_string(launch.from) + " to " +
            to_string(launch.to) + ", " + to_string(launch.pass) + "\n  " +
            to_string(tuning_of(launch.shape)) + "\n";
    if (const auto& fusion = launch.fusion) {
      text += "  in turns with " + to_string(fusion->pass) + "\n  " +
              to_string(tuning_of(fusion->shape)) + "\n  through a ring of " +
              std::to_string(fusion->slots) + " transforms, " + std::to_string(fusion->lag) +
              " tiles behind\n";
    }
  }
  return text;
}

}  // namespace sonoma
