#include "mma_reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace sonoma::testing {
namespace {

// (-1)^negative * magnitude * 2^unit, aligned by `exponent`.
struct Term {
  bool negative;
  std::uint64_t magnitude;
  int unit;
  int exponent;
};

// A finite number of `fraction` explicit bits. Subnormal halves keep the smallest exponent and
// their leading zeros, as the hardware does; a subnormal FP32 sum is normalised.
Term decode(std::uint32_t bits, int fraction, int exponent_bits) {
  const std::uint32_t field = bits >> fraction & ((1u << exponent_bits) - 1);
  Term term{(bits >> (fraction + exponent_bits) & 1u) != 0, bits & ((1u << fraction) - 1), 0, 0};
  const int bias = (1 << (exponent_bits - 1)) - 1;
  term.exponent = static_cast<int>(field) - bias;
  if (field != 0) term.magnitude |= std::uint64_t{1} << fraction;
  if (field == 0) ++term.exponent;
  const bool is_sum = fraction == 23;
  while (is_sum && term.magnitude != 0 && term.magnitude < std::uint64_t{1} << fraction) {
    term.magnitude *= 2;
    --term.exponent;
  }
  term.unit = term.exponent - fraction;
  return term;
}

Term product(const Term& a, const Term& b) {
  return {a.negative != b.negative, a.magnitude * b.magnitude, a.unit + b.unit,
          a.exponent + b.exponent};
}

double as_double(std::uint16_t half) {
  const Term term = decode(half, 10, 5);
  const double sign = term.negative ? -1.0 : 1.0;
  if ((half & 0x7fff) > 0x7c00) return std::nan("");
  if ((half & 0x7fff) == 0x7c00) return sign * INFINITY;
  return sign * std::ldexp(static_cast<double>(term.magnitude), term.unit);
}

// 0 if everything is finite and the rest has to be worked out.
std::uint32_t nonfinite_dot(const Halves& a, const Halves& b, std::uint32_t c) {
  double sum = std::bit_cast<float>(c);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double value = as_double(a[k]) * as_double(b[k]);
    // The finite ones cannot overflow a double: they change neither an infinity nor a NaN.
    sum += value;
  }
  if (std::isnan(sum)) return 0x7fffffffu;
  if (std::isinf(sum)) return sum > 0 ? 0x7f800000u : 0xff800000u;
  return 0;
}

}  // namespace

std::uint32_t reference_dot(const Halves& a, const Halves& b, std::uint32_t c) {
  if (const std::uint32_t bits = nonfinite_dot(a, b, c); bits != 0) return bits;
  std::vector<Term> terms{decode(c, 23, 8)};
  for (std::size_t k = 0; k < a.size(); ++k) {
    terms.push_back(product(decode(a[k], 10, 5), decode(b[k], 10, 5)));
  }
  std::erase_if(terms, [](const Term& term) { return term.magnitude == 0; });
  if (terms.empty()) return 0;
  int largest = terms[0].exponent;
  for (const Term& term : terms) largest = std::max(largest, term.exponent);
  const int unit = largest - 25;
  std::int64_t sum = 0;
  for (const Term& term : terms) {
    const int shift = term.unit - unit;
    const std::uint64_t aligned = shift >= 0    ? term.magnitude << shift
                                  : shift > -64 ? term.magnitude >> -shift
                                                : 0;
    sum += term.negative ? -static_cast<std::int64_t>(aligned) : static_cast<std::int64_t>(aligned);
  }
  std::uint64_t magnitude = static_cast<std::uint64_t>(std::abs(sum));
  int exponent = unit;
  while (magnitude >= std::uint64_t{1} << 24) {
    magnitude /= 2;
    ++exponent;
  }
  const double value = std::ldexp(static_cast<double>(magnitude), exponent);
  return std::bit_cast<std::uint32_t>(static_cast<float>(sum < 0 ? -value : value));
}

}  // namespace sonoma::testing
