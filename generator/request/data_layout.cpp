#include "data_layout.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "sonoma/errors.hpp"

namespace sonoma {
namespace {

struct Extent {
  std::int64_t stride, count;
  std::string name;
};

// The dimensions of a side, the nearest points first.
std::vector<Extent> extents(const FftProblem& problem, bool input) {
  const DataLayout& layout = problem.layout;
  const std::string side = input ? "in" : "out";
  std::vector<Extent> result = {
      {input ? problem.in_dist() : problem.out_dist(), problem.batch, "layout." + side + "_dist"}};
  const std::vector<Axis> axes = problem.axes();
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const bool last = a + 1 == axes.size();
    result.push_back(
        {axes[a].stride(input), axes[a].n,
         "layout." + side + (last ? "_stride" : "_strides[" + std::to_string(a) + "]")});
  }
  if (axes.size() == 1) {
    result.back().count = input ? problem.in_length() : problem.out_length();
  }
  for (std::size_t i = 0; i < layout.loops.size(); ++i) {
    const Loop& loop = layout.loops[i];
    result.push_back({loop.stride(input), loop.count,
                      "layout.loops[" + std::to_string(i) + "]." + side + "_stride"});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Extent& a, const Extent& b) { return a.stride < b.stride; });
  return result;
}

// Each dimension begins where the ones below it end: then no two points share a place, and a place
// tells its indices.
void validate_side(const FftProblem& problem, bool input) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 8;  // 63 bits of bytes
  std::int64_t end = 1;
  for (const Extent& extent : extents(problem, input)) {
    if (extent.stride < 1) {
      throw UnsupportedProblem(extent.name, std::to_string(extent.stride), "1 or more");
    }
    if (extent.count > 1 && extent.stride < end) {
      throw UnsupportedProblem(extent.name, std::to_string(extent.stride),
                               std::to_string(end) +
                                   " or more: the nearer dimensions reach that far; dimensions may "
                                   "not interleave, copy such data into rows first");
    }
    if (extent.count > 1 && extent.stride > (most - end) / (extent.count - 1)) {
      throw UnsupportedProblem(extent.name, std::to_string(extent.stride),
                               "less: the points must fit 63 bits of bytes");
    }
    if (extent.count > 1) end += (extent.count - 1) * extent.stride;
  }
}

}  // namespace

void validate_layout(const FftProblem& problem) {
  const DataLayout& layout = problem.layout;
  for (std::size_t i = 0; i < layout.loops.size(); ++i) {
    if (layout.loops[i].count >= 1) continue;
    throw UnsupportedProblem("layout.loops[" + std::to_string(i) + "].count",
                             std::to_string(layout.loops[i].count), "1 or more");
  }
  validate_side(problem, true);
  validate_side(problem, false);
  if (problem.placement == Placement::out_of_place) return;
  const auto alike = [](const auto& one) { return one.in_stride == one.out_stride; };
  const bool same = std::ranges::all_of(problem.axes(), alike) &&
                    problem.in_dist() == problem.out_dist() &&
                    std::ranges::all_of(layout.loops, alike);
  if (same) return;
  throw UnsupportedProblem("layout", to_string(layout),
                           "the same on both sides where the transform is in place");
}

}  // namespace sonoma
