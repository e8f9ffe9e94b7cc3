// Small pieces of HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace sonoma::cli::page {

/// `&`, `<`, `>` and `"` as entities.
[[nodiscard]] std::string escaped(std::string_view text);

/// "1234567.5" as "1 234 567.5": digits in groups, at most `decimals` behind the point.
[[nodiscard]] std::string number(double value, int decimals = 0);

/// The class of the colour of a step's digits, of one of the transforms (-1).
[[nodiscard]] std::string colour_of(int step);

/// <text>, anchored at start, middle or end; `kind`: its class.
[[nodiscard]] std::string svg_text(double x, double y, std::string_view kind, std::string_view text,
                                   std::string_view anchor = "start");
[[nodiscard]] std::string svg_rect(double x, double y, double width, double height,
                                   std::string_view kind, double round = 0);

/// Around `body`, as wide as its place but not wider than drawn.
[[nodiscard]] std::string svg(double width, double height, std::string_view label,
                              std::string_view body);

}  // namespace sonoma::cli::page
