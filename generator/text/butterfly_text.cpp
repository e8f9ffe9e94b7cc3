// Butterflies that templates/ does not have, unrolled: primes, and 9, by their symmetry, coprime
// factors without factors between them, powers of a prime with. In FP32 of radices that are no
// powers of two; in FP64 of all above 4.
#include <bit>

#include "butterfly_plan.hpp"
#include "expression.hpp"
#include "pass_text.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

std::string v(unsigned i) { return "v" + std::to_string(i); }

std::string call(const std::string& name, const std::vector<unsigned>& points) {
  std::vector<std::string> arguments;
  for (const unsigned i : points) arguments.push_back(v(i));
  return call_text(name, arguments);
}

// How points and factors are called, and what is done with them.
struct Spelling {
  Sums sums;
  const char *point = "float2", *real = "float", *suffix = "";

  [[nodiscard]] std::string number(long double value) const {
    return sums == Sums::fp64 ? hex(static_cast<double>(value)) : hex(static_cast<float>(value));
  }
  [[nodiscard]] std::string name(const std::string& function) const { return function + suffix; }
};
Spelling spelling_of(Sums sums) {
  if (sums == Sums::fp64) return {sums, "double2", "double", "_fp64"};
  return {sums};
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

// "(v0 + s2) + s1", of `last` numbers s: `count` terms from v0 on.
std::string pairwise_sum(unsigned count, unsigned last) {
  const auto leaf = [&](unsigned i) {
    return i == 0 ? std::string("v0") : "s" + std::to_string(last + 1 - i);
  };
  const auto in_brackets = [](const std::string& sum) {
    return sum.find('+') == std::string::npos ? sum : "(" + sum + ")";
  };
  return pairwise(0, count, leaf, [&](const std::string& a, const std::string& b) {
    return in_brackets(a) + " + " + in_brackets(b);
  });
}

/// The lines of a symmetric butterfly, see butterfly_plan.hpp.
class SymmetricLines {
 public:
  SymmetricLines(unsigned radix, int sign, const Spelling& spelling)
      : plan_(symmetric_butterfly(radix)),
        half_(radix / 2),
        sign_(sign),
        spelling_(spelling),
        multiply_add_(spelling.name("multiply_add")),
        scaled_(spelling.name("scaled")) {}

  std::vector<std::string> take() {
    declare();
    for (unsigned k = 1; k <= half_; ++k) results(k);
    return std::move(lines_);
  }

 private:
  void add(const std::vector<std::string>& pieces) {
    for (const std::string& line : packed(pieces)) lines_.push_back(line);
  }

  void declare() {
    std::vector<std::string> constants, pairs;
    for (unsigned j = plan_.first_number; j <= half_; ++j) {
      const std::string number = std::to_string(j),
                        begin = constants.empty() ? concat("constexpr ", spelling_.real, " ") : "";
      constants.push_back(concat(begin, "c", number, " = ", spelling_.number(plan_.cosines[j]),
                                 ", z", number, " = ", spelling_.number(plan_.sines[j]),
                                 j == half_ ? ";" : ","));
      if (j == 0) continue;
      const std::string other = v(plan_.radix - j);
      pairs.push_back(concat("const ", spelling_.point, " s", number, " = ", v(j), " + ", other,
                             ", d", number, " = ", v(j), " - ", other, ";"));
    }
    add(constants), add(pairs);
    lines_.push_back(concat("const ", spelling_.point, " first = v0;"));
    lines_.push_back("v0 = " + pairwise_sum(half_ + 1, half_) + ";");
  }

  // A declaration of `name`, or, of another piece, what it becomes.
  [[nodiscard]] std::string named(const std::string& name, bool first) const {
    return first ? concat(spelling_.point, " ", name) : name;
  }

  [[nodiscard]] std::vector<std::string> even_sum(const SymmetricResult& result,
                                                  const std::string& name) const {
    std::vector<std::string> pieces;
    for (const SymmetricTerm& term : result.even) {
      const bool first = pieces.empty();
      pieces.push_back(concat(named(name, first), " = ", multiply_add_, "(s",
                              std::to_string(term.j), ", c", std::to_string(term.root), ", ",
                              first ? "first" : name, ");"));
    }
    return pieces;
  }

  // Without the divisor, and without its sign.
  [[nodiscard]] std::vector<std::string> odd_sum(const SymmetricResult& result,
                                                 const std::string& name) const {
    std::vector<std::string> pieces;
    std::string sum = concat("d", std::to_string(result.divided));
    if (plan_.part != 1) {
      sum = concat(scaled_, "(", sum, ", ", spelling_.number(plan_.part), ")");
    }
    for (const SymmetricTerm& term : result.odd) {
      const std::string d = concat("d", std::to_string(term.j)),
                        z = concat(term.minus ? "-z" : "z", std::to_string(term.root));
      const bool first = pieces.empty();
      pieces.push_back(concat(named(name, first), " = ",
                              first && result.divided == 0
                                  ? concat(scaled_, "(", d, ", ", z, ");")
                                  : concat(multiply_add_, "(", d, ", ", z, ", ", sum, ");")));
      sum = name;
    }
    if (pieces.empty()) pieces.push_back(concat(named(name, true), " = ", sum, ";"));
    return pieces;
  }

  void results(unsigned k) {
    const SymmetricResult& result = plan_.results[k];
    const std::string even = "e" + std::to_string(k), odd = "o" + std::to_string(k);
    std::vector<std::string> pieces = even_sum(result, even);
    const std::vector<std::string> others = odd_sum(result, odd);
    pieces.insert(pieces.end(), others.begin(), others.end());
    pieces.push_back(
        concat(odd, " = ", spelling_.name("turned"), "<", std::to_string(sign_), ">(", odd, ");"));
    add(pieces);
    const std::string z = "z" + std::to_string(plan_.divisor);
    const auto sum = [&](bool minus) {
      if (result.divided == 0) return concat(even, minus ? " - " : " + ", odd, ";");
      return concat(multiply_add_, "(", odd, ", ", minus != result.minus ? "-" : "", z, ", ", even,
                    ");");
    };
    add({concat(v(k), " = ", sum(false)), concat(v(plan_.radix - k), " = ", sum(true))});
  }

  SymmetricButterfly plan_;
  unsigned half_;
  int sign_;
  Spelling spelling_;
  std::string multiply_add_, scaled_;
  std::vector<std::string> lines_;
};

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
  body.statements = is_symmetric(radix) ? SymmetricLines(radix, sign, spelling).take()
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

std::string butterfly(Functions& functions, unsigned radix, int sign, Sums sums) {
  if (sums == Sums::fp64) return widened(functions, radix, sign);
  return unrolled(functions, radix, sign, spelling_of(sums));
}

}  // namespace sonoma
