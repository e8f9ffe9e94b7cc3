#include "array_axes.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "arguments.hpp"

namespace sonoma::cli {
namespace {

using Axes = std::vector<std::size_t>;  // in their order

// Points between neighbours along each axis, in C order.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t a = shape.size() - 1; a-- > 0;) strides[a] = shape[a + 1] * strides[a + 1];
  return strides;
}

Axes parse_axes(const ArrayRequest& request) {
  const auto rank = static_cast<std::int64_t>(request.shape.size());
  const std::string allowed = fmt::format(
      "must be axes of {}, which has shape {}: 0 to {}, or, from the end, -1 to -{}, each once and "
      "with commas between them",
      request.path, shape_text(request.shape), rank - 1, rank);
  Axes axes;
  const std::string_view all = *request.axes;
  for (std::size_t start = 0; start <= all.size();) {
    const std::string_view text = all.substr(start, all.find(',', start) - start);
    start += text.size() + 1;
    const std::int64_t axis = parse_integer("--axes", text, -rank, rank - 1, allowed);
    axes.push_back(static_cast<std::size_t>(axis < 0 ? axis + rank : axis));
  }
  std::ranges::sort(axes);
  if (std::ranges::adjacent_find(axes) == axes.end()) return axes;
  throw BadArgument("--axes", *request.axes, allowed);
}

// The last axes, which have to be as long as --shape says.
Axes axes_of_shape(const ArrayRequest& request) {
  const std::vector<std::int64_t> wanted = lengths_of(request.options), &shape = request.shape;
  const std::size_t rank = std::min(wanted.size(), shape.size()), first = shape.size() - rank;
  const auto last = std::span(shape).subspan(first);
  if (!std::ranges::equal(last, wanted)) {
    throw BadArgument(
        "--shape", *request.options.shape,
        fmt::format("{} has shape {}, so its last axes are {}; give these, or name axes by --axes",
                    request.path, shape_text(shape), fmt::join(last, "x")));
  }
  Axes axes(rank);
  for (std::size_t i = 0; i < rank; ++i) axes[i] = first + i;
  return axes;
}

Axes axes_of(const ArrayRequest& request) {
  if (request.axes) return parse_axes(request);
  if (request.options.shape) return axes_of_shape(request);
  return {request.shape.size() - 1};
}

// --batch, if given, has to say what the array has.
void check_batch(const ArrayRequest& request, std::int64_t transforms, const char* what) {
  if (batch_of(request.options).value_or(transforms) == transforms) return;
  throw BadArgument("--batch", *request.options.batch,
                    fmt::format("{} has {} {}; give that number, or leave it out", request.path,
                                transforms, what));
}

// Rows: here alone a transform may have another length than the array.
FftProblem along_the_last(const ArrayRequest& request, std::int64_t batch) {
  const RequestOptions& options = request.options;
  const std::int64_t points = request.shape.back();
  check_batch(request, batch, "rows");
  if (options.in_length) {
    FftProblem problem = problem_of(options, {length_of(options)}, batch);
    if (problem.in_length() == points) return problem;
    throw BadArgument(
        "--in-length", *options.in_length,
        fmt::format("{} has {} points in its last axis; give that number", request.path, points));
  }
  if (options.n && length_of(options) != points) {
    throw BadArgument(
        "--n", *options.n,
        fmt::format("{} has transforms of length {}; give that length, leave --n out, or say "
                    "--in-length",
                    request.path, points));
  }
  return problem_of(options, {points}, batch);
}

// What there is for the last axis alone.
void refuse_ends(const RequestOptions& options) {
  using Given = std::pair<const char*, const std::optional<std::string>*>;
  for (const auto& [name, value] :
       {Given{"--in-length", &options.in_length}, Given{"--out-length", &options.out_length},
        Given{"--load-code", &options.load_code}, Given{"--store-code", &options.store_code}}) {
    if (!*value) continue;
    throw BadArgument(name, **value,
                      "goes with transforms along the last axis alone; leave it out, or transform "
                      "axis by axis");
  }
}

// The axes in front of the first one that is transformed are the batch; of the others those that
// follow each other are one loop.
FftProblem along(const ArrayRequest& request, const Axes& axes, std::int64_t transforms) {
  refuse_ends(request.options);
  check_batch(request, transforms, "transforms along these axes");
  const auto strides = strides_of(request.shape);
  DataLayout layout;
  std::vector<std::int64_t> lengths;
  for (const std::size_t axis : axes) {
    lengths.push_back(request.shape[axis]);
    if (axis != axes.back()) layout.in_strides.push_back(strides[axis]);
  }
  layout.in_stride = layout.out_stride = strides[axes.back()];
  layout.out_strides = layout.in_strides;
  layout.in_dist = layout.out_dist = request.shape[axes.front()] * strides[axes.front()];
  std::int64_t batch = transforms;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::size_t end = i + 1 < axes.size() ? axes[i + 1] : request.shape.size();
    Loop loop{1, strides[end - 1], strides[end - 1]};
    for (std::size_t a = axes[i] + 1; a < end; ++a) loop.count *= request.shape[a];
    if (loop.count > 1) layout.loops.push_back(loop);
    batch /= loop.count;
  }
  FftProblem problem = problem_of(request.options, lengths, batch);
  problem.layout = std::move(layout);
  validate(problem);
  return problem;
}

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

FftProblem problem_of_array(const ArrayRequest& request) {
  const Axes axes = axes_of(request);
  std::int64_t transforms = 1;
  for (std::size_t a = 0; a < request.shape.size(); ++a) {
    if (!std::ranges::binary_search(axes, a)) transforms *= request.shape[a];
  }
  const bool last_alone = axes.size() == 1 && axes.front() + 1 == request.shape.size();
  return last_alone ? along_the_last(request, transforms) : along(request, axes, transforms);
}

}  // namespace sonoma::cli
