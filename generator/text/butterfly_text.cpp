// Butterflies that templates/ does not have, unrolled: primes, and 9, by their symmetry, coprime
// factors without factors between them, powers of a prime with. In FP32 of radices that are no
// powers of two; in FP64 of all above 4.
#include <bit>

#include "butterfly_plan.hpp"
#include "butterfly_spelling.hpp"
#include "expression.hpp"
#include "padded_text.hpp"
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

// Point times exp(sign 2 pi i numerator / radix), but for a cosine.
std::string shear_line(const CompositeButterfly::Turn& turn, unsigned radix, int sign,
                       const Spelling& spelling) {
  const Shear shear = shear_of(turn, radix);
  const std::string of = "<" + std::to_string(sign) + ">(";
  std::string point =
      concat("sheared", of, v(turn.point), ", ", spelling.number(shear.tangent), ")");
  for (unsigned i = 0; i < shear.quarters; ++i) point = concat("turned", of, point, ")");
  return concat(v(turn.point), " = ", point, ";");
}

// What takes those cosines in.
std::string sheared_call(const CompositeButterfly::Part& part, unsigned radix, int sign,
                         const Spelling& spelling) {
  const SharedCosines shared = shared_cosines(part, radix);
  std::vector<std::string> arguments;
  for (const unsigned i : part.points) arguments.push_back(v(i));
  for (const long double factor : {shared.factor, shared.ratio, shared.sine}) {
    arguments.push_back(spelling.number(factor));
  }
  return call_text(concat("dft3_of_sheared<", std::to_string(sign), ">"), arguments);
}

std::string unrolled(Functions& functions, unsigned radix, int sign, const Spelling& spelling);

std::vector<std::string> composite_lines(Functions& functions, unsigned radix, int sign,
                                         const Spelling& spelling) {
  const CompositeButterfly plan = composite_butterfly(radix, spelling.form);
  std::vector<std::string> of_first;  // "": of zeros alone
  for (const auto& part : plan.first) {
    const Spelling own = part_of(spelling, part.points);
    of_first.push_back(all_zero(own) ? "" : unrolled(functions, plan.first_radix, sign, own));
  }
  const std::string of_second = unrolled(functions, plan.second_radix, sign, part_of(spelling, {}));
  std::vector<std::string> lines;
  const auto add = [&](const CompositeButterfly::Part& part, const std::string& name) {
    if (shares_cosines(part, spelling.form)) {
      for (const auto& turn : part.turns) lines.push_back(shear_line(turn, radix, sign, spelling));
      lines.push_back(sheared_call(part, radix, sign, spelling));
      return;
    }
    for (const auto& turn : part.turns) lines.push_back(turn_line(turn, radix, sign, spelling));
    lines.push_back(call(name, part.points));
  };
  for (std::size_t i = 0; i < plan.first.size(); ++i) {
    if (!of_first[i].empty()) add(plan.first[i], of_first[i]);
  }
  for (const auto& part : plan.second) add(part, of_second);
  append_order(lines, plan.order, spelling);
  return lines;
}

std::string parameters(unsigned radix, const char* point) {
  std::string text;
  for (unsigned i = 0; i < radix; ++i) text += concat(i ? ", " : "", point, "& ", v(i));
  return text;
}

// Of points of a spelling. That of 32 adds its zeros.
std::string unrolled(Functions& functions, unsigned radix, int sign, const Spelling& spelling) {
  std::string name = spelling.name("dft" + std::to_string(radix));
  const bool fp32 = spelling.sums == Sums::fp32, of_bits = fp32 && std::has_single_bit(radix);
  const unsigned largest_padded = of_bits ? 16 : largest_radix;
  const bool padded = !spelling.zeros.empty() && radix <= largest_padded;
  if (radix == 2 && !padded) return name;
  if (of_bits && radix > 4 && spelling.form == ButterflyForm::fused) name = "fused_" + name;
  if ((radix == 4 || of_bits) && !padded) return name + "<" + std::to_string(sign) + ">";
  name += without_zeros(spelling);
  FunctionBody body{parameters(radix, spelling.point), {}};
  const auto of_four = [&](const std::vector<unsigned>& points) {
    const Spelling own = part_of(spelling, points);
    return all_zero(own) ? "" : call(unrolled(functions, 4, sign, own), points);
  };
  body.statements = of_bits ? lines_of_bits(radix, sign, spelling, of_four)
                    : is_symmetric(radix, spelling.form)
                        ? symmetric_lines(radix, sign, spelling)
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
