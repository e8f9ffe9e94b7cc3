#include "index_text.hpp"

namespace sonoma {

std::string index_text(const std::vector<std::uint32_t>& strides,
                       const std::vector<unsigned>& counts) {
  const auto count_of = [&](std::size_t i) { return counts.empty() ? 2u : counts[i]; };
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  std::string text;
  std::uint32_t below = 1;  // values of the digits before
  for (std::size_t i = 0; i < strides.size();) {
    // Digits whose strides continue each other are one.
    const std::uint32_t stride = strides[i];
    std::uint32_t values = 1;
    do {
      values *= count_of(i++);
    } while (stride > 0 && i < strides.size() && strides[i] == stride * values);
    if (stride > 0) {
      text += text.empty() ? "thread" : " + thread";
      if (below > 1) text += " / " + number(below);
      if (i < strides.size()) text += " % " + number(values);
      if (stride > 1) text += " * " + number(stride);
    }
    below *= values;
  }
  return text.empty() ? "0" : text;
}

}  // namespace sonoma
