#include <spdlog/fmt/fmt.h>

#include "markup.hpp"
#include "sections.hpp"

namespace sonoma::cli::page {
namespace {

// Buffers as boxes, launches as what lies between them.
std::string chain_svg(const Program& program) {
  constexpr double box = 118, arrow = 128, height = 40, top = 16;
  double x = 2;
  std::string body;
  const auto buffer = [&](Buffer which) {
    body += svg_rect(x, top, box, height, "node", 7) +
            svg_text(x + box / 2, top + 25, "title", to_string(which), "middle");
    x += box;
  };
  buffer(program.launches.front().from);
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    body += svg_text(x + arrow / 2, top + 13, "small", fmt::format("launch {}", i + 1), "middle") +
            fmt::format("<path class=\"edge\" d=\"M{0:.0f} {1:.0f}h{2:.0f}m-8 -5l8 5l-8 5\"/>",
                        x + 4, top + height / 2, arrow - 8);
    x += arrow;
    buffer(program.launches[i].to);
  }
  return svg(x + 4, top + height + 8, "Which launch reads and writes what", body);
}

std::string grid_of(const LaunchShape& shape) {
  if (shape.stays != 0) {
    return fmt::format("{} that stay for tile after tile, then 1 for each transform left",
                       shape.stays);
  }
  if (shape.blocks_per_batch != 0) {
    return number(static_cast<double>(shape.blocks_per_batch)) + " for each transform of the batch";
  }
  const std::string each = shape.transforms_per_block == 1
                               ? "1 for each transform"
                               : fmt::format("1 for {} transforms", shape.transforms_per_block);
  return shape.cluster == 1 ? each : fmt::format("{}, in clusters of {}", each, shape.cluster);
}

std::string rows_of(const Subject& subject) {
  std::string text;
  for (std::size_t i = 0; i < subject.kernels.size(); ++i) {
    const LaunchKernel& kernel = subject.kernels[i];
    const LaunchShape& shape = kernel.source.launch;
    const Launch& launch = subject.planned.program.launches[i];
    unsigned rounds = 1;
    for (const Generated& pass : kernel.passes)
      rounds = std::max(rounds, pass.schedule.shape.shares.rounds);
    text += fmt::format(
        "<tr><td>{}</td><td><code>{}</code></td><td>{} to {}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td></tr>\n",
        i + 1, escaped(kernel.source.name), to_string(launch.from), to_string(launch.to),
        grid_of(shape), shape.threads, rounds, number(shape.shared_bytes));
  }
  return text;
}

}  // namespace

std::string launches_text(const Subject& subject) {
  const Program& program = subject.planned.program;
  std::string text = "<h2 id=\"launches\">Launches</h2>\n";
  if (!subject.method.empty()) text += "<p>" + escaped(subject.method) + "</p>\n";
  text += chain_svg(program);
  text +=
      "<table class=\"wide\">\n<tr><th>launch</th><th>kernel</th><th>points</th><th>blocks</th>"
      "<th>threads</th><th>rounds</th><th>shared bytes</th></tr>\n" +
      rows_of(subject) + "</table>\n";
  const std::uint64_t workspace = program.workspace_bytes(1);
  text += workspace == 0 ? "<p>No workspace.</p>\n"
                         : fmt::format("<p>A workspace of {} bytes for one transform",
                                       number(static_cast<double>(workspace)));
  if (workspace != 0) {
    text += program.transforms_together == 0
                ? "; all of a batch go through each launch at once.</p>\n"
                : fmt::format(
                      "; {} transforms go through all launches before the next ones begin."
                      "</p>\n",
                      program.transforms_together);
  }
  return text + fmt::format("<pre class=\"said\">{}</pre>\n", escaped(to_string(program)));
}

}  // namespace sonoma::cli::page
