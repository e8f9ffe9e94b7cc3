#include "roofline.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "markup.hpp"

namespace sonoma::cli::page {
namespace {

constexpr double left = 58, top = 22, width = 470, height = 250;
constexpr int low_x = -2, high_x = 8, low_y = -1, high_y = 10;  // powers of two; y: TFLOP/s

double x_of(double flops_of_byte) {
  return left + (std::log2(flops_of_byte) - low_x) / (high_x - low_x) * width;
}
double y_of(double flops) {
  return top + height - (std::log2(flops * 1e-12) - low_y) / (high_y - low_y) * height;
}

std::string power(int exponent) {
  return exponent < 0 ? fmt::format("1/{}", 1 << -exponent) : fmt::format("{}", 1 << exponent);
}

std::string line(double x0, double y0, double x1, double y1, const char* kind) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", kind, x0, y0, x1,
                     y1);
}

std::string axes() {
  std::string body;
  for (int e = low_x; e <= high_x; ++e) {
    const double x = x_of(std::exp2(e));
    body += line(x, top, x, top + height, "rule") +
            svg_text(x, top + height + 16, "small", power(e), "middle");
  }
  for (int e = low_y; e <= high_y; ++e) {
    const double y = y_of(std::exp2(e) * 1e12);
    body += line(left, y, left + width, y, "rule") +
            svg_text(left - 6, y + 4, "small", power(e), "end");
  }
  return body + svg_text(left + width / 2, top + height + 34, "small", "flops a byte", "middle") +
         svg_text(left, top - 6, "small", "TFLOP/s");
}

// A roof, up to the slope of memory.
std::string roof(const Roofs& roofs, double flops, const std::string& name) {
  const double x = x_of(flops / roofs.copy);
  return line(x, y_of(flops), left + width, y_of(flops), "roof") +
         svg_text(left + width - 4, y_of(flops) - 5, "small", name, "end");
}

std::string dot(double flops_of_byte, double flops, const char* kind, const std::string& name,
                double below) {
  const double x = x_of(flops_of_byte), y = y_of(flops);
  return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", kind, x, y) +
         svg_text(x + 10, y + below, "small strong", name);
}

}  // namespace

// The copy: bench/results/2026-11-20-h200-pow2-f32.csv. 132 SMs of 128 lanes at 1.78 GHz, a fused
// multiply-add each. 620 TFLOP/s of mma.sync were measured: see planner/src/profile.hpp.
std::optional<Roofs> roofs_of(const Target& target) {
  if (target.arch != 90) return std::nullopt;
  return Roofs{"H200", 4.25e12, 132 * 128 * 2 * 1.78e9, 620e12};
}

std::string roofline_svg(const Roofs& roofs, const Standing& standing) {
  const double x = std::clamp(standing.flops_of_byte, std::exp2(low_x), std::exp2(high_x));
  const double memory = x * roofs.copy;
  std::string body = axes();
  const double start = std::exp2(low_x), end = roofs.tensor / roofs.copy;
  body += line(x_of(start), y_of(start * roofs.copy), x_of(end), y_of(roofs.tensor), "roof");
  body += roof(roofs, roofs.float32, fmt::format("FP32 {:.0f} TFLOP/s", roofs.float32 * 1e-12));
  body +=
      roof(roofs, roofs.tensor, fmt::format("tensor cores {:.0f} TFLOP/s", roofs.tensor * 1e-12));
  body += svg_text(x_of(6) - 12, y_of(6 * roofs.copy) - 4, "small",
                   fmt::format("a copy: {:.2f} TB/s", roofs.copy * 1e-12), "end");
  body += line(x_of(x), y_of(memory), x_of(x), top + height, "here");
  if (standing.measured) {
    body += dot(x, memory * *standing.measured, "measured",
                fmt::format("measured: {:.0f} % of a copy", 100 * *standing.measured), 14);
  } else {
    body += dot(x, memory * standing.modelled, "modelled",
                fmt::format("cost model: {:.0f} % of a copy", 100 * standing.modelled), 14);
  }
  return svg(left + width + 10, top + height + 42, "Roofline", body);
}

std::string cycles_svg(const CostEstimate& cost) {
  constexpr double names = 150, bar = 320, row = 26;
  const std::array<std::pair<const char*, double>, 6> rows = {{{"a copy", cost.copy},
                                                               {"memory", cost.memory},
                                                               {"instructions", cost.issue},
                                                               {"shared memory", cost.shared},
                                                               {"tensor cores", cost.tensor},
                                                               {"together", cost.total}}};
  double most = 0;
  for (const auto& [name, cycles] : rows) most = std::max(most, cycles);
  std::string body;
  for (double y = 4; const auto& [name, cycles] : rows) {
    body += svg_text(names - 8, y + 14, "small", name, "end") +
            svg_rect(names, y, std::max(1.0, cycles / most * bar), row - 8,
                     name == rows.back().first ? "bar all" : "bar", 3) +
            svg_text(names + cycles / most * bar + 8, y + 14, "small", number(cycles, 3));
    y += row;
  }
  return svg(names + bar + 60, 6 * row + 6, "Cycles of an SM for a point", body);
}

}  // namespace sonoma::cli::page
