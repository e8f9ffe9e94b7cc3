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

void take_factors(SymmetricButterfly& plan) {
  const unsigned r = plan.radix;
  const auto sine = [&](unsigned j) { return exact_root(j, r).imag(); };
  plan.divisor = r == 3 ? 1 : r == 5 ? 2 : r == 9 ? 3 : 0;
  plan.part = r == 5 || r == 9 ? 0.5f : 1.0f;
  plan.first_number = r == 9 ? 0 : 1;
  plan.cosines = {1}, plan.sines = {plan.part};
  const long double by = plan.divisor == 0 ? 1 : sine(plan.divisor) / plan.part;
  for (unsigned j = 1; j <= r / 2; ++j) {
    plan.cosines.push_back(exact_root(j, r).real());
    plan.sines.push_back(j == plan.divisor ? by : sine(j) / by);
  }
}

// The smallest products first. Of 9 the third cosine, -1/2, is the first of all: three results
// share that sum.
std::vector<SymmetricTerm> even_terms(const SymmetricButterfly& plan, unsigned k) {
  const unsigned r = plan.radix;
  std::vector<SymmetricTerm> terms;
  for (unsigned j = 1; j <= r / 2; ++j) {
    const unsigned turn = j * k % r;
    terms.push_back({j, std::min(turn, r - turn), false});
  }
  std::ranges::stable_sort(terms, {}, [&](const SymmetricTerm& term) {
    if (r == 5) return 0.0L;  // two are left as they are
    if (r == 9 && term.root == 3) return 0.0L;
    return std::fabs(plan.cosines[term.root]);
  });
  return terms;
}

std::vector<SymmetricTerm> odd_terms(const SymmetricButterfly& plan, const SymmetricResult& result,
                                     unsigned k) {
  const unsigned r = plan.radix;
  std::vector<SymmetricTerm> terms;
  for (unsigned j = 1; j <= r / 2; ++j) {
    const unsigned turn = j * k % r, root = std::min(turn, r - turn);
    if (j == result.divided || turn == 0) continue;
    terms.push_back({j, root == plan.divisor ? 0 : root, (turn != root) != result.minus});
  }
  std::ranges::stable_sort(terms, {},
                           [&](const SymmetricTerm& term) { return plan.sines[term.root]; });
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

bool is_symmetric(unsigned radix) {
  return radix == 9 || (radix > 2 && smallest_prime(radix) == radix);
}

SymmetricButterfly symmetric_butterfly(unsigned radix) {
  SymmetricButterfly plan;
  plan.radix = radix;
  plan.results.resize(1);
  take_factors(plan);
  for (unsigned k = 1; k <= radix / 2; ++k) {
    SymmetricResult result;
    for (unsigned j = radix / 2; plan.divisor != 0 && j >= 1; --j) {
      const unsigned turn = j * k % radix;
      if (std::min(turn, radix - turn) != plan.divisor) continue;
      result.divided = j, result.minus = turn != plan.divisor;
    }
    result.even = even_terms(plan, k);
    result.odd = odd_terms(plan, result, k);
    plan.results.push_back(std::move(result));
  }
  return plan;
}

CompositeButterfly composite_butterfly(unsigned radix) {
  const unsigned power = first_power(radix), prime = smallest_prime(radix);
  if (power != radix) return coprime_butterfly(power, radix / power);
  const unsigned first = prime == 2 ? 4 : prime;  // which has no factors
  return power_butterfly(first, radix / first);
}

}  // namespace sonoma
