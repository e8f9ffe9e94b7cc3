// Butterflies of radices that are no powers of two, unrolled: prime factors by their symmetry,
// coprime factors without factors between them, powers of a prime with.
#include <cmath>
#include <numbers>
#include <sstream>

#include "expression.hpp"
#include "pass_text.hpp"
#include "tables.hpp"

namespace sonoma {
namespace {

std::string v(unsigned i) { return "v" + std::to_string(i); }

std::string hex(float value) {
  std::ostringstream text;
  text << std::hexfloat << value << "f";
  return text.str();
}

std::string call(const std::string& name, const std::vector<unsigned>& points) {
  std::vector<std::string> arguments;
  for (const unsigned i : points) arguments.push_back(v(i));
  return call_text(name, arguments);
}

// The smallest prime that divides n, and its largest power that does.
unsigned smallest_prime(unsigned n) {
  unsigned prime = 2;
  while (n % prime != 0) ++prime;
  return prime;
}
unsigned first_power(unsigned n) {
  const unsigned prime = smallest_prime(n);
  unsigned power = 1;
  for (; n % prime == 0; n /= prime) power *= prime;
  return power;
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

// Of an odd prime: with s = x_j + x_(p-j) and d = x_j - x_(p-j), X_k and X_(p-k) are
// sum of s cos(2 pi j k / p) +- sign i (sum of d sin(2 pi j k / p)).
std::vector<std::string> prime_lines(unsigned p, int sign) {
  const unsigned half = p / 2;
  std::vector<std::string> constants, pairs, lines;
  for (unsigned j = 1; j <= half; ++j) {
    const auto root = root_of_unity(j, p);
    const std::string number = std::to_string(j);
    constants.push_back(concat(j == 1 ? "constexpr float c" : "c", number, " = ", hex(root.real()),
                               ", z", number, " = ", hex(root.imag()), j == half ? ";" : ","));
    pairs.push_back(concat("const float2 s", number, " = ", v(j), " + ", v(p - j), ", d", number,
                           " = ", v(j), " - ", v(p - j), ";"));
  }
  for (const auto* pieces : {&constants, &pairs}) {
    for (const std::string& line : packed(*pieces)) lines.push_back(line);
  }
  lines.emplace_back("const float2 first = v0;");
  std::string sum = "v0 = v0";
  for (unsigned j = 1; j <= half; ++j) sum += " + s" + std::to_string(j);
  lines.push_back(sum + ";");
  for (unsigned k = 1; k <= half; ++k) {
    const std::string even = "e" + std::to_string(k), odd = "o" + std::to_string(k);
    std::vector<std::string> pieces;
    for (unsigned j = 1; j <= half; ++j) {
      const unsigned turn = j * k % p, near = std::min(turn, p - turn);
      const std::string c = "c" + std::to_string(near),
                        z = (turn == near ? "z" : "-z") + std::to_string(near);
      const std::string s = "s" + std::to_string(j), d = "d" + std::to_string(j);
      pieces.push_back(concat(j == 1 ? "float2 " : "", even, " = multiply_add(", s, ", ", c, ", ",
                              j == 1 ? "first" : even, ");"));
      pieces.push_back(j == 1 ? concat("float2 ", odd, " = scaled(", d, ", ", z, ");")
                              : concat(odd, " = multiply_add(", d, ", ", z, ", ", odd, ");"));
    }
    for (const std::string& line : packed(pieces)) lines.push_back(line);
    lines.push_back(concat(odd, " = turned<", std::to_string(sign), ">(", odd, ");"));
    lines.push_back(concat(v(k), " = ", even, " + ", odd, ";"));
    lines.push_back(concat(v(p - k), " = ", even, " - ", odd, ";"));
  }
  return lines;
}

// n = a b with no common factor (I. J. Good, 1958): the point t = b t1 + a t2 goes to the frequency
// that leaves k1 when divided by a and k2 when divided by b; no factors between the two.
std::vector<std::string> coprime_lines(Functions& functions, unsigned a, unsigned b, int sign) {
  const unsigned n = a * b;
  const std::string of_a = butterfly(functions, a, sign), of_b = butterfly(functions, b, sign);
  std::vector<std::string> lines;
  for (unsigned t2 = 0; t2 < b; ++t2) {
    std::vector<unsigned> points;
    for (unsigned t1 = 0; t1 < a; ++t1) points.push_back((b * t1 + a * t2) % n);
    lines.push_back(call(of_a, points));
  }
  for (unsigned k1 = 0; k1 < a; ++k1) {
    std::vector<unsigned> points;
    for (unsigned t2 = 0; t2 < b; ++t2) points.push_back((b * k1 + a * t2) % n);
    lines.push_back(call(of_b, points));
  }
  std::vector<unsigned> from(n);
  for (unsigned k = 0; k < n; ++k) from[k] = (b * (k % a) + a * (k % b)) % n;
  append_order(lines, from);
  return lines;
}

// n = a b, powers of one prime: the same with factors w_n^(k1 t2), t = b t1 + t2, k = k1 + a k2.
std::vector<std::string> power_lines(Functions& functions, unsigned a, unsigned b, int sign) {
  const unsigned n = a * b;
  const std::string of_a = butterfly(functions, a, sign), of_b = butterfly(functions, b, sign);
  std::vector<std::string> lines;
  for (unsigned t2 = 0; t2 < b; ++t2) {
    std::vector<unsigned> points;
    for (unsigned t1 = 0; t1 < a; ++t1) points.push_back(b * t1 + t2);
    lines.push_back(call(of_a, points));
  }
  for (unsigned k1 = 0; k1 < a; ++k1) {
    std::vector<unsigned> points;
    for (unsigned t2 = 0; t2 < b; ++t2) {
      const unsigned at = b * k1 + t2;
      points.push_back(at);
      if (k1 * t2 == 0) continue;
      const auto root = root_of_unity(k1 * t2, n);
      lines.push_back(v(at) + " = rotated<" + std::to_string(sign) + ">(" + v(at) + ", " +
                      hex(root.real()) + ", " + hex(root.imag()) + ");");
    }
    lines.push_back(call(of_b, points));
  }
  std::vector<unsigned> from(n);
  for (unsigned k = 0; k < n; ++k) from[k] = b * (k % a) + k / a;
  append_order(lines, from);
  return lines;
}

}  // namespace

std::string butterfly(Functions& functions, unsigned radix, int sign) {
  std::string name = "dft" + std::to_string(radix);
  if (radix == 2) return name;
  if (radix == 4 || radix == 8 || radix == 16 || radix == 32) {
    return name + "<" + std::to_string(sign) + ">";
  }
  const unsigned power = first_power(radix), prime = smallest_prime(radix);
  FunctionBody body;
  for (unsigned i = 0; i < radix; ++i) {
    body.parameters += (i ? ", float2& " : "float2& ") + v(i);
  }
  body.statements = power != radix   ? coprime_lines(functions, power, radix / power, sign)
                    : prime != radix ? power_lines(functions, prime, radix / prime, sign)
                                     : prime_lines(radix, sign);
  return functions.name_of(name, body);
}

}  // namespace sonoma
