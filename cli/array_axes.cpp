#include "array_axes.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "arguments.hpp"

namespace sonoma::cli {
namespace {

using Axes = std::vector<std::size_t>;
using Shape = std::vector<std::int64_t>;

// Points between neighbours along each axis, in C order.
Shape strides_of(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t a = shape.size() - 1; a-- > 0;) strides[a] = shape[a + 1] * strides[a + 1];
  return strides;
}

// One of the axes has n / 2 + 1 frequencies.
bool halves(const RequestOptions& options) { return has_hermitian(domain_of(options)); }

// Some option has a length for each axis, in the order in which --axes names them.
bool has_lengths(const RequestOptions& options) {
  const auto of_each = [](const std::optional<std::string>& text) {
    return text && text->find('x') != std::string::npos;
  };
  return options.shape || of_each(options.in_length) || of_each(options.out_length);
}

Axes parse_axes(const ArrayRequest& request) {
  const auto rank = static_cast<std::int64_t>(request.shape.size());
  const std::string allowed = fmt::format(
      "must be axes of {}, which has shape {}: 0 to {}, or, from the end, -1 to -{}, each once and "
      "with commas between them",
      request.name, shape_text(request.shape), rank - 1, rank);
  Axes axes;
  const std::string_view all = *request.options.axes;
  for (std::size_t start = 0; start <= all.size();) {
    const std::string_view text = all.substr(start, all.find(',', start) - start);
    start += text.size() + 1;
    const std::int64_t axis = parse_integer("--axes", text, -rank, rank - 1, allowed);
    axes.push_back(static_cast<std::size_t>(axis < 0 ? axis + rank : axis));
  }
  // The last one of r2c and c2r is the one that has n / 2 + 1 points; of others their order says
  // nothing, but of lengths.
  if (!has_lengths(request.options)) {
    std::ranges::sort(axes.begin(), axes.end() - (halves(request.options) ? 1 : 0));
  }
  Axes sorted = axes;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return axes;
  throw BadArgument("--axes", *request.options.axes, allowed);
}

// The last axes, as many as --shape has lengths.
Axes axes_of_shape(const ArrayRequest& request) {
  const std::size_t wanted = lengths_of(request.options).size(), rank = request.shape.size();
  if (wanted > rank) {
    throw BadArgument("--shape", *request.options.shape,
                      fmt::format("{} has shape {}; give the lengths of its last axes, at most {}",
                                  request.name, shape_text(request.shape), rank));
  }
  Axes axes(wanted);
  for (std::size_t i = 0; i < wanted; ++i) axes[i] = rank - wanted + i;
  return axes;
}

void check_lengths(const ArrayRequest& request, const Axes& axes) {
  if (!request.options.shape || lengths_of(request.options).size() == axes.size()) return;
  throw BadArgument(
      "--shape", *request.options.shape,
      fmt::format("must have a length for each of --axes {}, in its order", *request.options.axes));
}

}  // namespace

Axes axes_of(const ArrayRequest& request) {
  if (request.options.axes) {
    Axes axes = parse_axes(request);
    check_lengths(request, axes);
    return axes;
  }
  if (request.options.shape) return axes_of_shape(request);
  return {request.shape.size() - 1};
}

namespace {

// --batch, if given, has to say what the array has.
void check_batch(const ArrayRequest& request, std::int64_t transforms, const char* what) {
  if (batch_of(request.options).value_or(transforms) == transforms) return;
  throw BadArgument("--batch", *request.options.batch,
                    fmt::format("{} has {} {}; give that number, or leave it out", request.name,
                                transforms, what));
}

// Of the last of these axes.
std::int64_t length_along(const ArrayRequest& request, const Axes& axes) {
  const RequestOptions& options = request.options;
  const std::int64_t points = request.shape[axes.back()];
  if (options.n || options.in_length) return length_of(options);
  if (domain_of(options) != Domain::c2r) return points;
  if (points > 1) return 2 * (points - 1);
  throw BadArgument("--domain", *options.domain,
                    fmt::format("{} has shape {}: 1 frequency along axis {}, from which no length "
                                "follows; say --n 1, or another --n to pad it",
                                request.name, shape_text(request.shape), axes.back()));
}

Shape lengths_along(const ArrayRequest& request, const Axes& axes) {
  if (request.options.shape) return lengths_of(request.options);
  Shape lengths;
  for (const std::size_t axis : axes) lengths.push_back(request.shape[axis]);
  lengths.back() = length_along(request, axes);
  return lengths;
}

// Code is told nothing of loops.
void refuse_code(const ArrayRequest& request, const Axes& axes) {
  const std::size_t first = request.shape.size() - axes.size();
  if (std::ranges::all_of(axes, [&](std::size_t axis) { return axis >= first; })) return;
  using Given = std::pair<const char*, const std::optional<std::string>*>;
  for (const auto& [name, text] : {Given{"--load-code", &request.options.load_code},
                                   Given{"--store-code", &request.options.store_code}}) {
    if (!*text) continue;
    throw BadArgument(name, **text,
                      "goes with transforms along the last axes; leave it out, or transpose the "
                      "array");
  }
}

// As long as the options say, however many points the array has: cropped, or padded with zeros.
void set_in_lengths(const ArrayRequest& request, const Axes& axes, FftProblem& problem) {
  const std::vector<Axis> given = problem.axes();
  Shape before;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool last = i + 1 == axes.size();
    const std::int64_t points = request.shape[axes[i]];
    const std::int64_t all =
        length_in_memory(problem.lengths[i], last ? problem.values(true) : Values::complex);
    const bool said = last ? problem.ends.in_length != 0 : !problem.ends.in_lengths.empty();
    if (said && given[i].in_length != points) {
      throw BadArgument("--in-length", *request.options.in_length,
                        fmt::format("{} has {} points along axis {}; give that number",
                                    request.name, points, axes[i]));
    }
    const std::int64_t own = points == all ? 0 : points;
    if (last) problem.ends.in_length = own;
    if (!last) before.push_back(own);
  }
  const bool whole = std::ranges::all_of(before, [](std::int64_t own) { return own == 0; });
  problem.ends.in_lengths = whole ? Shape{} : before;
}

// Points of each side in memory.
struct Room {
  std::int64_t in, out;
};

// Along an axis; in place both have the same bytes.
Room room_along(const FftProblem& problem, std::size_t a) {
  const Axis axis = problem.axes()[a];
  if (problem.placement == Placement::out_of_place) return {axis.in_length, axis.out_length};
  if (problem.values(true) == problem.values(false) || a + 1 < problem.lengths.size()) {
    const std::int64_t room = std::max(axis.in_length, axis.out_length);
    return {room, room};
  }
  std::int64_t room = length_in_memory(axis.n, Values::hermitian);
  for (const bool input : {true, false}) {
    const bool real = problem.values(input) == Values::real;
    room = std::max(room, real ? (axis.length(input) + 1) / 2 : axis.length(input));
  }
  const bool r2c = problem.domain == Domain::r2c;
  return {r2c ? 2 * room : room, r2c ? room : 2 * room};
}

// Loops over the axes that are not transformed, but for those in front of the first one that is,
// which are the batch; those that follow each other are one loop.
DataLayout layout_of(const Axes& axes, const Shape& in, const Shape& out) {
  const Shape in_strides = strides_of(in), out_strides = strides_of(out);
  DataLayout layout;
  for (const std::size_t axis : std::span(axes).first(axes.size() - 1)) {
    layout.in_strides.push_back(in_strides[axis]);
    layout.out_strides.push_back(out_strides[axis]);
  }
  layout.in_stride = in_strides[axes.back()], layout.out_stride = out_strides[axes.back()];
  Axes sorted = axes;
  std::ranges::sort(sorted);
  layout.in_dist = in[sorted.front()] * in_strides[sorted.front()];
  layout.out_dist = out[sorted.front()] * out_strides[sorted.front()];
  for (std::size_t i = sorted.size(); i-- > 0;) {
    const std::size_t end = i + 1 < sorted.size() ? sorted[i + 1] : in.size();
    Loop loop{1, in_strides[end - 1], out_strides[end - 1]};
    for (std::size_t a = sorted[i] + 1; a < end; ++a) loop.count *= in[a];
    if (loop.count > 1) layout.loops.push_back(loop);
  }
  return layout;
}

// The default one where it says the same.
void set_layout(DataLayout layout, FftProblem& problem) {
  FftProblem laid_out = problem;
  for (const Loop& loop : layout.loops) laid_out.batch /= loop.count;
  laid_out.layout = std::move(layout);
  if (laid_out.layout.loops.empty() && laid_out.axes() == problem.axes() &&
      laid_out.in_dist() == problem.in_dist() && laid_out.out_dist() == problem.out_dist()) {
    return;
  }
  problem = std::move(laid_out);
}

// In place numbers and frequencies of a row have to lie in the same bytes.
void check_in_place(const ArrayRequest& request, const Axes& axes) {
  const RequestOptions& options = request.options;
  if (!options.in_place || !halves(options)) return;
  if (axes.back() + 1 == request.shape.size()) return;
  throw BadArgument("--axes", request.options.axes.value_or("(missing)"),
                    fmt::format("with --domain {} and --in-place the last of the axes has to be "
                                "{}, the last one of {}; leave --in-place out",
                                *options.domain, request.shape.size() - 1, request.name));
}

ArrayProblem along(const ArrayRequest& request, const Axes& axes, std::int64_t transforms) {
  check_in_place(request, axes);
  RequestOptions options = request.options;
  options.in_place = false;  // until both sides have room
  if (request.options.in_place && !options.out_precision) options.out_precision = options.precision;
  ArrayProblem result{problem_of(options, lengths_along(request, axes), transforms), request.shape,
                      request.shape, request.shape};
  FftProblem& problem = result.problem;
  if (request.options.in_place) problem.placement = Placement::in_place;
  set_in_lengths(request, axes, problem);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    result.out_shape[axes[i]] = problem.axes()[i].out_length;
    const Room room = room_along(problem, i);
    result.in_room[axes[i]] = room.in, result.out_room[axes[i]] = room.out;
  }
  set_layout(layout_of(axes, result.in_room, result.out_room), problem);
  validate(problem);
  return result;
}

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

Domain domain_of(const RequestOptions& options) {
  return options.domain ? parse_domain(*options.domain) : Domain::c2c;
}

ArrayProblem problem_of_array(const ArrayRequest& request) {
  const Axes axes = axes_of(request);
  std::int64_t transforms = 1;
  for (std::size_t a = 0; a < request.shape.size(); ++a) {
    if (std::ranges::find(axes, a) == axes.end()) transforms *= request.shape[a];
  }
  const bool rows = axes.size() == 1 && axes.front() + 1 == request.shape.size();
  refuse_code(request, axes);
  check_batch(request, transforms, rows ? "rows" : "transforms along these axes");
  return along(request, axes, transforms);
}

}  // namespace sonoma::cli
