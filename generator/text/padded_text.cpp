#include "padded_text.hpp"

#include <algorithm>

#include "function_text.hpp"

namespace sonoma {
namespace {

std::vector<std::string> lines_of_two(const Spelling& spelling) {
  return {concat("const ", spelling.point, " sum = ", point_sum(spelling, 0, 1), ";"),
          concat("v1 = ", point_difference(spelling, 0, 1), ";"), "v0 = sum;"};
}

// As dft4().
std::vector<std::string> lines_of_four(int sign, const Spelling& spelling) {
  const std::string declared = concat("const ", spelling.point, " ");
  return {concat(declared, "even = ", point_sum(spelling, 0, 2),
                 ", odd = ", point_sum(spelling, 1, 3), ";"),
          concat(declared, "even_difference = ", point_difference(spelling, 0, 2), ";"),
          concat(declared, "odd_difference = turned<", std::to_string(sign), ">(",
                 point_difference(spelling, 1, 3), ");"),
          "v0 = even + odd;",
          "v2 = even - odd;",
          "v1 = even_difference + odd_difference;",
          "v3 = even_difference - odd_difference;"};
}

}  // namespace

std::string point_sum(const Spelling& spelling, unsigned a, unsigned b) {
  if (spelling.is_zero(b)) return v(a);
  return spelling.is_zero(a) ? v(b) : v(a) + " + " + v(b);
}

std::string point_difference(const Spelling& spelling, unsigned a, unsigned b) {
  if (spelling.is_zero(b)) return v(a);
  return spelling.is_zero(a) ? "negated(" + v(b) + ")" : v(a) + " - " + v(b);
}

std::string without_zeros(const Spelling& spelling) {
  const auto& zeros = spelling.zeros;
  if (zeros.empty()) return "";
  const auto first = std::ranges::find(zeros, true);
  if (std::all_of(first, zeros.end(), [](bool zero) { return zero; })) {
    return "_of_first_" + std::to_string(first - zeros.begin());
  }
  std::string name = "_without";
  for (unsigned i = 0; i < zeros.size(); ++i) {
    if (zeros[i]) name += "_" + v(i);
  }
  return name;
}

Spelling part_of(const Spelling& spelling, const std::vector<unsigned>& points) {
  Spelling part = spelling;
  part.zeros.clear();
  for (const unsigned i : points) part.zeros.push_back(spelling.is_zero(i));
  if (std::ranges::find(part.zeros, true) == part.zeros.end()) part.zeros.clear();
  return part;
}

bool all_zero(const Spelling& spelling) {
  return !spelling.zeros.empty() &&
         std::ranges::find(spelling.zeros, false) == spelling.zeros.end();
}

std::vector<std::string> lines_of_bits(unsigned radix, int sign, const Spelling& spelling,
                                       const PartLine& of_four) {
  if (radix == 2) return lines_of_two(spelling);
  if (radix == 4) return lines_of_four(sign, spelling);
  std::vector<std::string> lines, all;
  for (unsigned first = 0; first < radix / 4; ++first) {
    lines.push_back(of_four({first, first + radix / 4, first + radix / 2, first + radix / 4 * 3}));
  }
  std::erase(lines, "");
  for (unsigned i = 0; i < radix; ++i) all.push_back(v(i));
  lines.push_back(
      call_text(concat("fused_join", std::to_string(radix), "<", std::to_string(sign), ">"), all));
  return lines;
}

}  // namespace sonoma
