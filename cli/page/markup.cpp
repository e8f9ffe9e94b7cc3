#include "markup.hpp"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace sonoma::cli::page {
namespace {

// Tenths, without a needless zero.
std::string length(double value) {
  std::string text = fmt::format("{:.1f}", value == 0 ? 0.0 : value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (auto at = std::min(text.find('.'), text.size()); at > first + 3;) {
    at -= 3;
    text.insert(at, "\u2009");  // a thin space
  }
  return text;
}

std::string colour_of(int step) {
  constexpr int colours = 8;
  return step < 0 ? "sb" : fmt::format("s{}", step % colours);
}

std::string svg_text(double x, double y, std::string_view kind, std::string_view text,
                     std::string_view anchor) {
  const std::string where = anchor == "start" ? "" : fmt::format(" text-anchor=\"{}\"", anchor);
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}>{}</text>", length(x), length(y), kind,
                     where, escaped(text));
}

std::string svg_rect(double x, double y, double width, double height, std::string_view kind,
                     double round) {
  const std::string corner = round == 0 ? "" : fmt::format(" rx=\"{}\"", length(round));
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"{}/>",
                     length(x), length(y), length(width), length(height), kind, corner);
}

std::string svg(double width, double height, std::string_view label, std::string_view body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" style=\"max-width:{0}px\" "
      "role=\"img\" aria-label=\"{2}\">\n{3}</svg>\n",
      length(width), length(height), escaped(label), body);
}

}  // namespace sonoma::cli::page
