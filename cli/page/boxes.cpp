#include <algorithm>

#include "walk.hpp"

namespace sonoma::cli::page {

std::vector<Box> boxes_of(const Schedule& schedule, const Layout& layout) {
  const BlockDigits parts = block_digits_of(schedule, layout);
  const auto end = layout.threads.end() - static_cast<std::ptrdiff_t>(parts.count());
  const auto lanes = schedule.mixed()
                         ? end
                         : layout.threads.begin() +
                               std::min<std::ptrdiff_t>(lane_bits, end - layout.threads.begin());
  std::vector<Box> boxes = {
      {"registers", layout.registers},
      {schedule.mixed() ? "threads" : "lanes", {layout.threads.begin(), lanes}}};
  const auto add = [&](const char* name, auto first, auto last) {
    if (first != last) boxes.push_back({name, {first, last}});
  };
  add("warps", lanes, end);
  const auto rounds = end + static_cast<std::ptrdiff_t>(parts.cluster);
  add("cluster", end, rounds);
  add("rounds", rounds, layout.threads.end());
  return boxes;
}

}  // namespace sonoma::cli::page
