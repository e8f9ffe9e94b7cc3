// The heart of the page: where each digit of the index is, stop after stop, as a picture.
#pragma once

#include <string>
#include <vector>

#include "walk.hpp"

namespace sonoma::cli::page {

/// An SVG, a row for each stop. Digits have the classes dN (N: their id) and those of their
/// colours, rows data-stop, the number of the stop.
struct FlowPicture {
  std::string svg;
  double width = 0;
};
[[nodiscard]] FlowPicture flow_of(const Schedule& schedule, const std::vector<Stop>& stops);

}  // namespace sonoma::cli::page
