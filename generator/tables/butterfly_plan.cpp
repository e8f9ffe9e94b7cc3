#include "butterfly_plan.hpp"

#include "tables.hpp"

namespace sonoma {
namespace {

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

// n = a b with no common factor: the point t = b t1 + a t2 goes to the frequency that leaves k1
// when divided by a and k2 when divided by b; no factors between the two.
CompositeButterfly coprime_butterfly(unsigned a, unsigned b) {
  const unsigned n = a * b;
  CompositeButterfly plan{
      a, b, std::vector<CompositeButterfly::Part>(b), std::vector<CompositeButterfly::Part>(a), {}};
  for (unsigned t1 = 0; t1 < a; ++t1) {
    for (unsigned t2 = 0; t2 < b; ++t2) {
      plan.first[t2].points.push_back((b * t1 + a * t2) % n);
      plan.second[t1].points.push_back((b * t1 + a * t2) % n);
    }
  }
  for (unsigned k = 0; k < n; ++k) plan.order.push_back((b * (k % a) + a * (k % b)) % n);
  return plan;
}

// n = a b, powers of one prime: the same with factors w_n^(k1 t2), t = b t1 + t2, k = k1 + a k2.
CompositeButterfly power_butterfly(unsigned a, unsigned b) {
  const unsigned n = a * b;
  CompositeButterfly plan{
      a, b, std::vector<CompositeButterfly::Part>(b), std::vector<CompositeButterfly::Part>(a), {}};
  for (unsigned t1 = 0; t1 < a; ++t1) {
    for (unsigned t2 = 0; t2 < b; ++t2) {
      plan.first[t2].points.push_back(b * t1 + t2);
      plan.second[t1].points.push_back(b * t1 + t2);
      if (t1 * t2 != 0) plan.second[t1].turns.push_back({b * t1 + t2, t1 * t2});
    }
  }
  for (unsigned k = 0; k < n; ++k) plan.order.push_back(b * (k % a) + k / a);
  return plan;
}

}  // namespace

bool is_symmetric(unsigned radix, ButterflyForm form) {
  if (radix == 9) return form != ButterflyForm::fused;
  return radix > 2 && smallest_prime(radix) == radix;
}

Shear shear_of(const CompositeButterfly::Turn& turn, unsigned radix) {
  const unsigned quarters = (8 * turn.numerator + radix) / (2 * radix);
  const auto angle = std::int64_t{4} * turn.numerator - std::int64_t{quarters} * radix;
  const auto rest = exact_root(angle, 4 * radix);
  return {quarters % 4, rest.real(), rest.imag() / rest.real()};
}

SharedCosines shared_cosines(const CompositeButterfly::Part& part, unsigned radix) {
  const long double second = shear_of(part.turns[0], radix).cosine,
                    third = shear_of(part.turns[1], radix).cosine;
  return {second, third / second, second * exact_root(1, 3).imag()};
}

bool shares_cosines(const CompositeButterfly::Part& part, ButterflyForm form) {
  return form == ButterflyForm::fused && part.points.size() == 3 && part.turns.size() == 2;
}

CompositeButterfly composite_butterfly(unsigned radix, ButterflyForm form) {
  const unsigned power = first_power(radix), prime = smallest_prime(radix);
  if (power != radix) return coprime_butterfly(power, radix / power);
  if (prime == 3 && form == ButterflyForm::fused) return power_butterfly(radix / 3, 3);
  const unsigned first = prime == 2 ? 4 : prime;  // which has no factors
  return power_butterfly(first, radix / first);
}

}  // namespace sonoma
