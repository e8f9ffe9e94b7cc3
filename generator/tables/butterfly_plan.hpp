// Butterflies of radices that are no powers of two, as values: which sums and products they take,
// in which order. Their text and the account of their errors are made of them.
#pragma once

#include <vector>

namespace sonoma {

/// s_j (d_j) times the cosine (sine) of number `root`, or minus that.
struct PrimeTerm {
  unsigned j = 1, root = 1;
  bool minus = false;
};

/// Of an odd prime, with s = x_j + x_(p-j) and d = x_j - x_(p-j), X_k and X_(p-k) are
/// sum of s cos(2 pi j k / p) +- sign i (sum of d sin(2 pi j k / p)).
///
/// Terms are added from the smallest factor on, those of X_0 pairwise (see pairwise()).
struct PrimeResult {
  std::vector<PrimeTerm> even;  ///< added to x_0 in this order
  std::vector<PrimeTerm> odd;   ///< in this order, to d of `divided` where there is one
  unsigned divided = 0;         ///< its d goes without a factor; 0: none
  bool minus = false;           ///< the divisor is taken with a minus
};

/// Of 3 and 5 one sine, the divisor, is left out of the second sum, which is multiplied by it
/// together with the last sum: a rounding less for each result. Of 5 that is the smaller one, whose
/// quotients round well; all is halved, so that nothing overflows that the result does not. (Of
/// larger ones that gains less than it loses where points are real.)
struct PrimeButterfly {
  unsigned p = 3;
  unsigned divisor = 0;               ///< the number of the sine; 0: none
  float part = 1;                     ///< what is left of it in the second sum
  std::vector<float> cosines, sines;  ///< by number, from 1 on; sines over divisor / part
  std::vector<PrimeResult> results;   ///< by k, from 1 on
};
[[nodiscard]] PrimeButterfly prime_butterfly(unsigned p);

/// Sum of terms first, first + 1, ..., by halves.
template <class Leaf, class Join>
auto pairwise(unsigned first, unsigned count, const Leaf& leaf, const Join& join)
    -> decltype(leaf(first)) {
  if (count == 1) return leaf(first);
  const unsigned half = (count + 1) / 2;
  return join(pairwise(first, half, leaf, join), pairwise(first + half, count - half, leaf, join));
}

/// A product of two smaller ones, of coprime radices (I. J. Good, 1958) or of powers of one prime:
/// those of `first`, then those of `second`, each after its turns; result k is what point order[k]
/// then is.
struct CompositeButterfly {
  /// Point times exp(sign 2 pi i numerator / radix).
  struct Turn {
    unsigned point = 0, numerator = 0;
  };
  struct Part {
    std::vector<Turn> turns;
    std::vector<unsigned> points;
  };
  unsigned first_radix = 2, second_radix = 3;
  std::vector<Part> first, second;
  std::vector<unsigned> order;
};
[[nodiscard]] CompositeButterfly composite_butterfly(unsigned radix);

/// True of primes beyond 2: prime_butterfly(). The other radices are powers of two, which
/// templates/butterflies.cuh has, or composite.
[[nodiscard]] bool is_odd_prime(unsigned radix);

}  // namespace sonoma
