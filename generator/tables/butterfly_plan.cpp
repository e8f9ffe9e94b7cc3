#include "butterfly_plan.hpp"

#include <algorithm>
#include <cmath>

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

void take_factors(PrimeButterfly& plan) {
  const unsigned p = plan.p;
  const auto sine = [&](unsigned j) { return exact_root(j, p).imag(); };
  plan.divisor = p == 3 ? 1 : p == 5 ? 2 : 0;
  plan.part = p == 5 ? 0.5f : 1.0f;
  plan.cosines = plan.sines = {0};
  const long double by = plan.divisor == 0 ? 1 : sine(plan.divisor) / plan.part;
  for (unsigned j = 1; j <= p / 2; ++j) {
    plan.cosines.push_back(root_of_unity(j, p).real());
    plan.sines.push_back(static_cast<float>(j == plan.divisor ? by : sine(j) / by));
  }
}

// The smallest products first.
template <class Size>
std::vector<PrimeTerm> ascending(const PrimeResult& result, unsigned k, unsigned p, bool odd,
                                 const Size& size) {
  std::vector<PrimeTerm> terms;
  for (unsigned j = 1; j <= p / 2; ++j) {
    if (odd && j == result.divided) continue;
    const unsigned turn = j * k % p, root = std::min(turn, p - turn);
    terms.push_back({j, root, odd && (turn != root) != result.minus});
  }
  std::ranges::stable_sort(terms, {}, [&](const PrimeTerm& term) { return size(term.root); });
  return terms;
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

bool is_odd_prime(unsigned radix) { return radix > 2 && smallest_prime(radix) == radix; }

PrimeButterfly prime_butterfly(unsigned p) {
  PrimeButterfly plan{p, 0, 1, {}, {}, {{}}};
  take_factors(plan);
  const auto cosine = [&](unsigned root) {  // two are left as they are
    return p == 5 ? 0 : std::fabs(plan.cosines[root]);
  };
  const auto sine = [&](unsigned root) { return plan.sines[root]; };
  for (unsigned k = 1; k <= p / 2; ++k) {
    PrimeResult result;
    for (unsigned j = 1; plan.divisor != 0 && j <= p / 2; ++j) {
      const unsigned turn = j * k % p;
      if (std::min(turn, p - turn) != plan.divisor) continue;
      result.divided = j, result.minus = turn != plan.divisor;
    }
    result.even = ascending(result, k, p, false, cosine);
    result.odd = ascending(result, k, p, true, sine);
    plan.results.push_back(std::move(result));
  }
  return plan;
}

CompositeButterfly composite_butterfly(unsigned radix) {
  const unsigned power = first_power(radix), prime = smallest_prime(radix);
  return power != radix ? coprime_butterfly(power, radix / power)
                        : power_butterfly(prime, radix / prime);
}

}  // namespace sonoma
