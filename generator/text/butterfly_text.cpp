// Butterflies that templates/ does not have, unrolled: primes, and 9, by their symmetry, coprime
// factors without factors between them, powers of a prime with. In FP32 of radices that are no
// powers of two; in FP64 of all above 4.
#include <bit>

#include "butterfly_plan.hpp"
#include "butterfly_spelling.hpp"
#include "expression.hpp"
#include "pass_text.hpp"
#include "symmetric_text.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

std::string call(const std::string& name, const std::vector<unsigned>& points) {
  std::vector<std::string> arguments;
  for (const unsigned i : points) arguments.push_back(v(i));
  return call_text(name, arguments);
}

// Result k is what v[from[k]] is.
void append_order(std::vector<std::string>& lines, const std::vector<unsigned>& from,
                  const Spelling& spelling) {
  std::vector<std::string> kept, moved;
  for (unsigned k = 0; k < from.size(); ++k) {
    if (from[k] == k) continue;
    const std::string number = std::to_string(k);
    kept.push_back((kept.empty() ? concat("const ", spelling.point, " x") : "x") + number + " = " +
                   v(from[k]) + ",");
    moved.push_back(v(k) + " = x" + number + ";");
  }
  if (kept.empty()) return;
  kept.back().back() = ';';
  for (const auto* pieces : {&kept, &moved}) {
    for (const std::string& line : packed(*pieces)) lines.push_back(line);
  }
}

// Point times exp(sign 2 pi i numerator / radix).
std::string turn_line(const CompositeButterfly::Turn& turn, unsigned radix, int sign,
                      const Spelling& spelling) {
  const std::string point = v(turn.point), of = "<" + std::to_string(sign) + ">(" + point;
  if (4 * turn.numerator == radix) return concat(point, " = ", spelling.name("turned"), of, ");");
  const auto root = exact_root(turn.numerator, radix);
  return concat(point, " = ", spelling.name("rotated"), of, ", ", spelling.number(root.real()),
                ", ", spelling.number(root.imag()), ");");
}

std::string unrolled(Functions& functions, unsigned radix, int sign, const Spelling& spelling);

std::vector<std::string> composite_lines(Functions& functions, unsigned radix, int sign,
                                         const Spelling& spelling) {
  const CompositeButterfly plan = composite_butterfly(radix);
  const std::string of_first = unrolled(functions, plan.first_radix, sign, spelling),
                    of_second = unrolled(functions, plan.second_radix, sign, spelling);
  std::vector<std::string> lines;
  const auto add = [&](const CompositeButterfly::Part& part, const std::string& name) {
    for (const auto& turn : part.turns) lines.push_back(turn_line(turn, radix, sign, spelling));
    lines.push_back(call(name, part.points));
  };
  for (const auto& part : plan.first) add(part, of_first);
  for (const auto& part : plan.second) add(part, of_second);
  append_order(lines, plan.order, spelling);
  return lines;
}

std::string parameters(unsigned radix, const char* point) {
  std::string text;
  for (unsigned i = 0; i < radix; ++i) text += concat(i ? ", " : "", point, "& ", v(i));
  return text;
}

// Of points of a spelling.
std::string unrolled(Functions& functions, unsigned radix, int sign, const Spelling& spelling) {
  std::string name = spelling.name("dft" + std::to_string(radix));
  if (radix == 2) return name;
  const bool fp32 = spelling.sums == Sums::fp32;
  if (radix == 4 || (fp32 && std::has_single_bit(radix))) {
    return name + "<" + std::to_string(sign) + ">";
  }
  FunctionBody body{parameters(radix, spelling.point), {}};
  body.statements = is_symmetric(radix) ? symmetric_lines(radix, sign, spelling)
                                        : composite_lines(functions, radix, sign, spelling);
  return functions.name_of(name, body);
}

// Of FP32 points in FP64.
std::string widened(Functions& functions, unsigned radix, int sign) {
  std::vector<std::string> in, out, arguments;
  for (unsigned i = 0; i < radix; ++i) {
    const std::string number = std::to_string(i), end = i + 1 == radix ? ";" : ",";
    in.push_back(concat(i ? "w" : "double2 w", number, " = widened_point(", v(i), ")", end));
    arguments.push_back("w" + number);
    out.push_back(concat(v(i), " = rounded_point(w", number, ");"));
  }
  FunctionBody body{parameters(radix, "float2"), packed(in)};
  body.statements.push_back(
      call_text(unrolled(functions, radix, sign, spelling_of(Sums::fp64)), arguments));
  for (const std::string& line : packed(out)) body.statements.push_back(line);
  return functions.name_of(concat("dft", std::to_string(radix), "_in_fp64"), body);
}

}  // namespace

std::string butterfly(Functions& functions, unsigned radix, int sign, const Spelling& spelling) {
  if (spelling.sums == Sums::fp64) return widened(functions, radix, sign);
  return unrolled(functions, radix, sign, spelling);
}

}  // namespace sonoma
