#include "occupancy_picture.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

#include "markup.hpp"

namespace sonoma::cli::page {

std::string occupancy_svg(const Occupancy& occupancy) {
  constexpr double names = 150, bar = 320, row = 26;
  using enum SmResource;
  const std::array<std::pair<SmResource, unsigned>, 4> rows = {
      {{threads, occupancy.by_threads},
       {blocks, occupancy.by_blocks},
       {registers, occupancy.by_registers},
       {shared_memory, occupancy.by_shared}}};
  // A block that takes little of something leaves room for very many.
  const unsigned shown = std::max(1u, 3 * occupancy.by_blocks / 2);
  std::string body;
  for (double y = 4; const auto& [resource, room] : rows) {
    const bool limits = std::ranges::find(occupancy.limiters, resource) != occupancy.limiters.end();
    const double length = std::min(room, shown) * bar / shown;
    body +=
        svg_text(names - 8, y + 14, limits ? "small strong" : "small", to_string(resource), "end") +
        svg_rect(names, y, std::max(1.0, length), row - 8, limits ? "bar all" : "bar", 3) +
        svg_text(names + length + 8, y + 14, "small", number(room));
    y += row;
  }
  return svg(names + bar + 60, 4 * row + 6, "Blocks of an SM by each resource", body);
}

}  // namespace sonoma::cli::page
