#include "tree.hpp"

#include <spdlog/fmt/fmt.h>

#include "markup.hpp"
#include "sonoma/kernel_ir.hpp"

namespace sonoma::cli::page {
namespace {

constexpr double box_width = 128, box_height = 44, pitch = 186, leaf_y = 104, top = 10;

std::string node(double x, double y, const std::string& kind, const std::string& title,
                 const std::string& below) {
  return svg_rect(x, y, box_width, box_height, "node " + kind, 7) +
         svg_text(x + box_width / 2, y + 19, "title", title, "middle") +
         svg_text(x + box_width / 2, y + 35, "small", below, "middle");
}

std::string edge(double x0, double y0, double x1, double y1) {
  return fmt::format("<path class=\"edge\" d=\"M{:.0f} {:.0f}L{:.0f} {:.0f}\"/>", x0, y0, x1, y1);
}

}  // namespace

std::string tree_svg(const Schedule& schedule) {
  const auto& radices = schedule.shape.tree.decomposition.radices;
  auto left = static_cast<std::uint64_t>(schedule.shape.length());
  const std::uint64_t all = left;
  std::string body;
  double x = 2;
  for (std::size_t s = 0; s < radices.size(); ++s, x += pitch) {
    const std::string step = fmt::format("step {}: t{} to k{}", s + 1, s + 1, s + 1);
    const std::string kind = "step " + colour_of(static_cast<int>(s));
    if (s + 1 == radices.size()) {
      body += node(x, top, kind, fmt::format("DFT of {}", radices[s]), step);
      break;
    }
    body += edge(x + box_width / 2, top + box_height, x + box_width / 2, leaf_y) +
            edge(x + box_width, top + box_height / 2, x + pitch, top + box_height / 2);
    const bool twiddles =
        factors_after(schedule, step_of(schedule, static_cast<unsigned>(s))).has_value();
    if (twiddles) body += svg_text(x + box_width + 29, top + 16, "small", "twiddle", "middle");
    body += node(x, top, "", fmt::format("{} points", left),
                 fmt::format("{} x {}", radices[s], left / radices[s])) +
            node(x, leaf_y, kind, fmt::format("{} DFTs of {}", all / radices[s], radices[s]), step);
    left /= radices[s];
  }
  return svg(x + box_width + 4, radices.size() > 1 ? leaf_y + box_height + 6 : box_height + 16,
             "The decomposition", body);
}

}  // namespace sonoma::cli::page
