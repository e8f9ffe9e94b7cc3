// Butterflies of radices that are no powers of two, unrolled: prime factors by their symmetry,
// coprime factors without factors between them, powers of a prime with.
#include <algorithm>
#include <cmath>
#include <sstream>

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

// Of an odd prime, with s = x_j + x_(p-j) and d = x_j - x_(p-j), X_k and X_(p-k) are
// sum of s cos(2 pi j k / p) +- sign i (sum of d sin(2 pi j k / p)).
//
// Terms are added from the smallest factor on, those of X_0 pairwise. Of 3 and 5 one sine is left
// out of the second sum, which is multiplied by it together with the last sum: a rounding less for
// each result. Of 5 that is the smaller one, whose quotients round well; all is halved, so that
// nothing overflows that the result does not. (Of larger ones that gains less than it loses where
// points are real.)
struct Sines {
  unsigned divisor;            // sin(2 pi divisor / p); 0: none
  float part;                  // what is left of it
  std::vector<float> factors;  // by the number of the sine; that of the divisor: divisor / part
};

Sines sines_of(unsigned p) {
  const auto sine = [&](unsigned j) { return exact_root(j, p).imag(); };
  Sines sines{p == 3 ? 1u : p == 5 ? 2u : 0u, p == 5 ? 0.5f : 1.0f, {0}};
  const long double by = sines.divisor == 0 ? 1 : sine(sines.divisor) / sines.part;
  for (unsigned j = 1; j <= p / 2; ++j) {
    sines.factors.push_back(static_cast<float>(j == sines.divisor ? by : sine(j) / by));
  }
  return sines;
}

// The numbers from 1 to p / 2 but for one of them, those with the smallest values first.
template <class Value>
std::vector<unsigned> ascending(unsigned p, unsigned without, const Value& value) {
  std::vector<unsigned> numbers;
  for (unsigned j = 1; j <= p / 2; ++j) {
    if (j != without) numbers.push_back(j);
  }
  std::ranges::stable_sort(numbers, {}, value);
  return numbers;
}

// "(v0 + s2) + s1", of `last` numbers s: `count` terms from the one at `first` on.
std::string pairwise_sum(unsigned first, unsigned count, unsigned last) {
  if (count == 1) return first == 0 ? "v0" : "s" + std::to_string(last + 1 - first);
  const auto part = [&](unsigned from, unsigned of) {
    const std::string sum = pairwise_sum(from, of, last);
    return of == 1 ? sum : "(" + sum + ")";
  };
  const unsigned half = (count + 1) / 2;
  return part(first, half) + " + " + part(first + half, count - half);
}

/// The lines of a prime's butterfly.
class PrimeLines {
 public:
  PrimeLines(unsigned p, int sign) : p_(p), half_(p / 2), sign_(sign), sines_(sines_of(p)) {}

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
    for (unsigned j = 1; j <= half_; ++j) {
      const std::string number = std::to_string(j);
      constants.push_back(concat(j == 1 ? "constexpr float c" : "c", number, " = ",
                                 hex(root_of_unity(j, p_).real()), ", z", number, " = ",
                                 hex(sines_.factors[j]), j == half_ ? ";" : ","));
      pairs.push_back(concat("const float2 s", number, " = ", v(j), " + ", v(p_ - j), ", d", number,
                             " = ", v(j), " - ", v(p_ - j), ";"));
    }
    add(constants), add(pairs);
    lines_.emplace_back("const float2 first = v0;");
    lines_.push_back("v0 = " + pairwise_sum(0, half_ + 1, half_) + ";");
  }

  // The number of the root w^(j k) or of its conjugate; whether it is the conjugate.
  [[nodiscard]] unsigned near(unsigned j, unsigned k) const {
    const unsigned turn = j * k % p_;
    return std::min(turn, p_ - turn);
  }
  [[nodiscard]] bool turns_back(unsigned j, unsigned k) const { return j * k % p_ != near(j, k); }

  // The smallest products first; two are left as they are.
  [[nodiscard]] std::vector<std::string> even_sum(unsigned k, const std::string& name) const {
    const auto size = [&](unsigned j) {
      return half_ == 2 ? 0 : std::fabs(root_of_unity(near(j, k), p_).real());
    };
    std::vector<std::string> pieces;
    for (const unsigned j : ascending(p_, 0, size)) {
      pieces.push_back(concat(pieces.empty() ? "float2 " : "", name, " = multiply_add(s",
                              std::to_string(j), ", c", std::to_string(near(j, k)), ", ",
                              pieces.empty() ? "first" : name, ");"));
    }
    return pieces;
  }

  // Without the divisor, and without its sign: that of `divided`, the d that it belongs to.
  [[nodiscard]] std::vector<std::string> odd_sum(unsigned k, const std::string& name,
                                                 unsigned divided) const {
    const auto size = [&](unsigned j) { return sines_.factors[near(j, k)]; };
    const bool back = divided != 0 && turns_back(divided, k);
    std::vector<std::string> pieces;
    std::string sum = concat("d", std::to_string(divided));
    if (sines_.part != 1) sum = concat("scaled(", sum, ", ", hex(sines_.part), ")");
    for (const unsigned j : ascending(p_, divided, size)) {
      const std::string d = concat("d", std::to_string(j)),
                        z = concat(turns_back(j, k) != back ? "-z" : "z",
                                   std::to_string(near(j, k)));
      const bool first = pieces.empty();
      pieces.push_back(concat(first ? "float2 " : "", name, " = ",
                              first && divided == 0
                                  ? concat("scaled(", d, ", ", z, ");")
                                  : concat("multiply_add(", d, ", ", z, ", ", sum, ");")));
      sum = name;
    }
    if (pieces.empty()) pieces.push_back(concat("float2 ", name, " = ", sum, ";"));
    return pieces;
  }

  void results(unsigned k) {
    const std::string even = "e" + std::to_string(k), odd = "o" + std::to_string(k);
    unsigned divided = 0;
    for (unsigned j = 1; sines_.divisor != 0 && j <= half_; ++j) {
      if (near(j, k) == sines_.divisor) divided = j;
    }
    std::vector<std::string> pieces = even_sum(k, even);
    const std::vector<std::string> others = odd_sum(k, odd, divided);
    pieces.insert(pieces.end(), others.begin(), others.end());
    pieces.push_back(concat(odd, " = turned<", std::to_string(sign_), ">(", odd, ");"));
    add(pieces);
    const std::string z = "z" + std::to_string(sines_.divisor);
    const bool back = divided != 0 && turns_back(divided, k);
    const auto result = [&](bool minus) {
      if (divided == 0) return concat(even, minus ? " - " : " + ", odd, ";");
      return concat("multiply_add(", odd, ", ", minus != back ? "-" : "", z, ", ", even, ");");
    };
    add({concat(v(k), " = ", result(false)), concat(v(p_ - k), " = ", result(true))});
  }

  unsigned p_, half_;
  int sign_;
  Sines sines_;
  std::vector<std::string> lines_;
};

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
                                     : PrimeLines(radix, sign).take();
  return functions.name_of(name, body);
}

}  // namespace sonoma
