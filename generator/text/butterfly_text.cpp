// Butterflies of radices that are no powers of two, unrolled: primes, and 9, by their symmetry,
// coprime factors without factors between them, powers of a prime with.
#include <sstream>

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

// Result k is what v[from[k]] is.
void append_order(std::vector<std::string>& lines, const std::vector<unsigned>& from) {
  std::vector<std::string> kept, moved;
  for (unsigned k = 0; k < from.size(); ++k) {
    if (from[k] == k) continue;
    const std::string number = std::to_string(k);
    kept.push_back((kept.empty() ? "const float2 x" : "x") + number + " = " + v(from[k]) + ",");
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
  SymmetricLines(unsigned radix, int sign)
      : plan_(symmetric_butterfly(radix)), half_(radix / 2), sign_(sign) {}

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
      const std::string number = std::to_string(j);
      constants.push_back(concat(constants.empty() ? "constexpr float c" : "c", number, " = ",
                                 hex(plan_.cosines[j]), ", z", number, " = ", hex(plan_.sines[j]),
                                 j == half_ ? ";" : ","));
      if (j == 0) continue;
      const std::string other = v(plan_.radix - j);
      pairs.push_back(concat("const float2 s", number, " = ", v(j), " + ", other, ", d", number,
                             " = ", v(j), " - ", other, ";"));
    }
    add(constants), add(pairs);
    lines_.emplace_back("const float2 first = v0;");
    lines_.push_back("v0 = " + pairwise_sum(half_ + 1, half_) + ";");
  }

  [[nodiscard]] static std::vector<std::string> even_sum(const SymmetricResult& result,
                                                         const std::string& name) {
    std::vector<std::string> pieces;
    for (const SymmetricTerm& term : result.even) {
      pieces.push_back(concat(pieces.empty() ? "float2 " : "", name, " = multiply_add(s",
                              std::to_string(term.j), ", c", std::to_string(term.root), ", ",
                              pieces.empty() ? "first" : name, ");"));
    }
    return pieces;
  }

  // Without the divisor, and without its sign.
  [[nodiscard]] std::vector<std::string> odd_sum(const SymmetricResult& result,
                                                 const std::string& name) const {
    std::vector<std::string> pieces;
    std::string sum = concat("d", std::to_string(result.divided));
    if (plan_.part != 1) sum = concat("scaled(", sum, ", ", hex(plan_.part), ")");
    for (const SymmetricTerm& term : result.odd) {
      const std::string d = concat("d", std::to_string(term.j)),
                        z = concat(term.minus ? "-z" : "z", std::to_string(term.root));
      const bool first = pieces.empty();
      pieces.push_back(concat(first ? "float2 " : "", name, " = ",
                              first && result.divided == 0
                                  ? concat("scaled(", d, ", ", z, ");")
                                  : concat("multiply_add(", d, ", ", z, ", ", sum, ");")));
      sum = name;
    }
    if (pieces.empty()) pieces.push_back(concat("float2 ", name, " = ", sum, ";"));
    return pieces;
  }

  void results(unsigned k) {
    const SymmetricResult& result = plan_.results[k];
    const std::string even = "e" + std::to_string(k), odd = "o" + std::to_string(k);
    std::vector<std::string> pieces = even_sum(result, even);
    const std::vector<std::string> others = odd_sum(result, odd);
    pieces.insert(pieces.end(), others.begin(), others.end());
    pieces.push_back(concat(odd, " = turned<", std::to_string(sign_), ">(", odd, ");"));
    add(pieces);
    const std::string z = "z" + std::to_string(plan_.divisor);
    const auto sum = [&](bool minus) {
      if (result.divided == 0) return concat(even, minus ? " - " : " + ", odd, ";");
      return concat("multiply_add(", odd, ", ", minus != result.minus ? "-" : "", z, ", ", even,
                    ");");
    };
    add({concat(v(k), " = ", sum(false)), concat(v(plan_.radix - k), " = ", sum(true))});
  }

  SymmetricButterfly plan_;
  unsigned half_;
  int sign_;
  std::vector<std::string> lines_;
};

std::vector<std::string> composite_lines(Functions& functions, unsigned radix, int sign) {
  const CompositeButterfly plan = composite_butterfly(radix);
  const std::string of_first = butterfly(functions, plan.first_radix, sign),
                    of_second = butterfly(functions, plan.second_radix, sign);
  std::vector<std::string> lines;
  const auto add = [&](const CompositeButterfly::Part& part, const std::string& name) {
    for (const auto& [point, numerator] : part.turns) {
      const auto root = root_of_unity(numerator, radix);
      lines.push_back(v(point) + " = rotated<" + std::to_string(sign) + ">(" + v(point) + ", " +
                      hex(root.real()) + ", " + hex(root.imag()) + ");");
    }
    lines.push_back(call(name, part.points));
  };
  for (const auto& part : plan.first) add(part, of_first);
  for (const auto& part : plan.second) add(part, of_second);
  append_order(lines, plan.order);
  return lines;
}

}  // namespace

std::string butterfly(Functions& functions, unsigned radix, int sign) {
  std::string name = "dft" + std::to_string(radix);
  if (radix == 2) return name;
  if (radix == 4 || radix == 8 || radix == 16 || radix == 32) {
    return name + "<" + std::to_string(sign) + ">";
  }
  FunctionBody body;
  for (unsigned i = 0; i < radix; ++i) {
    body.parameters += (i ? ", float2& " : "float2& ") + v(i);
  }
  body.statements = is_symmetric(radix) ? SymmetricLines(radix, sign).take()
                                        : composite_lines(functions, radix, sign);
  return functions.name_of(name, body);
}

}  // namespace sonoma
