#include "data_layout.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "saturated.hpp"
#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

struct Extent {
  std::int64_t stride, count;
  std::string name;
  bool axis = false;  ///< of a transform, not of their repetition
};

// The dimensions of a side, the nearest points first.
std::vector<Extent> extents(const FftProblem& problem, bool input) {
  const DataLayout& layout = problem.layout;
  const std::string side = input ? "in" : "out";
  std::vector<Extent> result;
  const std::vector<Axis> axes = problem.axes();
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const bool last = a + 1 == axes.size();
    result.push_back({axes[a].stride(input), axes[a].length(input),
                      "layout." + side + (last ? "_stride" : "_strides[" + std::to_string(a) + "]"),
                      true});
  }
  result.push_back(
      {input ? problem.in_dist() : problem.out_dist(), problem.batch, "layout." + side + "_dist"});
  for (std::size_t i = 0; i < layout.loops.size(); ++i) {
    const Loop& loop = layout.loops[i];
    result.push_back({loop.stride(input), loop.count,
                      "layout.loops[" + std::to_string(i) + "]." + side + "_stride"});
  }
  if (input && problem.channels() > 1) {
    result.push_back({problem.channel_dist(), problem.channels(), "convolution.channels.in_dist"});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Extent& a, const Extent& b) { return a.stride < b.stride; });
  return result;
}

// Each dimension begins where the ones below it end: then no two points share a place, and a place
// tells its indices. Of what is only read transforms may share places.
void validate_side(const FftProblem& problem, bool input) {
  const bool shared = input && problem.placement == Placement::out_of_place;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 8;  // 63 bits of bytes
  constexpr std::int64_t most_of_axis = std::int64_t{1} << 32;
  std::int64_t end = 1, reach = 1;
  for (const Extent& extent : extents(problem, input)) {
    const bool apart = extent.axis || !shared;
    const std::int64_t least = apart ? 1 : 0;
    if (extent.stride < least) {
      throw UnsupportedProblem(extent.name, std::to_string(extent.stride),
                               std::to_string(least) + " or more");
    }
    if (extent.count > 1 && extent.stride < end && apart) {
      throw UnsupportedProblem(extent.name, std::to_string(extent.stride),
                               std::to_string(end) +
                                   " or more: the nearer dimensions reach that far; dimensions may "
                                   "not interleave, copy such data into rows first");
    }
    if (extent.count == 1) continue;
    if (extent.stride > (most - reach) / (extent.count - 1)) {
      throw UnsupportedProblem(extent.name, std::to_string(extent.stride),
                               "less: the points must fit 63 bits of bytes");
    }
    if (extent.axis && extent.stride > (most_of_axis - 1) / (extent.count - 1)) {
      throw UnsupportedProblem(extent.name, std::to_string(extent.stride),
                               "less: the " + std::to_string(extent.count) +
                                   " points along an axis must lie within 2^32 points; copy such "
                                   "data into rows first");
    }
    reach += (extent.count - 1) * extent.stride;
    if (apart) end += (extent.count - 1) * extent.stride;
  }
}

}  // namespace

bool input_overlaps(const FftProblem& problem) {
  std::int64_t end = 1;
  for (const Extent& extent : extents(problem, true)) {
    if (extent.count == 1) continue;
    if (extent.stride < end) return true;
    end += (extent.count - 1) * extent.stride;
  }
  return false;
}

namespace {

// Of the axes before the last one, in an array of that shape.
std::vector<std::int64_t> embedded(const std::vector<std::int64_t>& shape, std::int64_t stride) {
  std::vector<std::int64_t> strides(shape.empty() ? 0 : shape.size() - 1);
  for (std::size_t a = strides.size(); a-- > 0;) strides[a] = stride *= shape[a + 1];
  return strides;
}

}  // namespace

void check_loops(const FftProblem& problem) {
  const std::vector<Loop>& loops = problem.layout.loops;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;  // in bytes
  std::int64_t count = problem.n();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const bool fits = loops[i].count >= 1 && loops[i].count <= most / count;
    if (fits) count *= loops[i].count;
    if (fits) continue;
    throw UnsupportedProblem("layout.loops[" + std::to_string(i) + "].count",
                             std::to_string(loops[i].count),
                             "1 or more, as far as the points of all transforms fit 63 bits of "
                             "bytes");
  }
}

void validate_layout(const FftProblem& problem) {
  const DataLayout& layout = problem.layout;
  validate_side(problem, true);
  validate_side(problem, false);
  if (problem.placement == Placement::out_of_place) return;
  // In place both sides have the same bytes; real numbers neighbours, as their frequencies are.
  const auto parts = [&](bool input) { return is_real(problem.values(input)) ? 1 : 2; };
  const auto alike = [&](std::int64_t in, std::int64_t out) {
    return saturated_product(in, parts(true)) == saturated_product(out, parts(false));
  };
  const std::vector<Axis> axes = problem.axes();
  const bool real = problem.values(true) != problem.values(false);  // one side alone
  bool same = real ? axes.back().in_stride == 1 && axes.back().out_stride == 1
                   : axes.back().in_stride == axes.back().out_stride;
  for (std::size_t a = 0; a + 1 < axes.size(); ++a) {
    same = same && alike(axes[a].in_stride, axes[a].out_stride);
  }
  for (const Loop& loop : layout.loops) same = same && alike(loop.in_stride, loop.out_stride);
  if (same && alike(problem.in_dist(), problem.out_dist())) return;
  throw UnsupportedProblem(
      "layout", to_string(problem),
      real ? "of the last axis stride 1, of all others twice the strides (dists) of the "
             "frequencies on the real side, where the transform is in place"
           : "the same on both sides where the transform is in place");
}

DataLayout advanced_layout(std::int64_t istride, std::int64_t idist, std::int64_t ostride,
                           std::int64_t odist) {
  return {istride, ostride, idist, odist, {}};
}

DataLayout advanced_layout(const std::vector<std::int64_t>& inembed, std::int64_t istride,
                           std::int64_t idist, const std::vector<std::int64_t>& onembed,
                           std::int64_t ostride, std::int64_t odist) {
  DataLayout layout = advanced_layout(istride, idist, ostride, odist);
  layout.in_strides = embedded(inembed, istride), layout.out_strides = embedded(onembed, ostride);
  return layout;
}

std::string to_string(const DataLayout& layout) {
  if (layout == DataLayout{}) return {};
  const auto side = [](const std::vector<std::int64_t>& strides, std::int64_t stride,
                       std::int64_t dist) {
    std::string text;
    for (const std::int64_t outer : strides) text += std::to_string(outer) + ":";
    return text + std::to_string(stride) + "," + (dist == 0 ? "n" : std::to_string(dist));
  };
  std::string text = "in " + side(layout.in_strides, layout.in_stride, layout.in_dist) + " out " +
                     side(layout.out_strides, layout.out_stride, layout.out_dist);
  for (const Loop& loop : layout.loops) {
    text += (&loop == &layout.loops.front() ? " loops " : ",") + std::to_string(loop.count) + ":" +
            std::to_string(loop.in_stride) + ":" + std::to_string(loop.out_stride);
  }
  return text;
}

}  // namespace sonoma
