// Butterflies of radices that are no powers of two, as values: which sums and products they take,
// in which order. Their text and the account of their errors are made of them.
#pragma once

#include <vector>

namespace sonoma {

/// s_j (d_j) times the cosine (sine) of number `root`, or minus that.
struct SymmetricTerm {
  unsigned j = 1, root = 1;
  bool minus = false;
};

/// Of an odd radix r, with s = x_j + x_(r-j) and d = x_j - x_(r-j), X_k and X_(r-k) are
/// sum of s cos(2 pi j k / r) +- sign i (sum of d sin(2 pi j k / r)).
///
/// Terms are added from the smallest factor on, those of X_0 pairwise (see pairwise()).
struct SymmetricResult {
  std::vector<SymmetricTerm> even;  ///< added to x_0 in this order
  std::vector<SymmetricTerm> odd;   ///< in this order, to d of `divided` where there is one
  unsigned divided = 0;             ///< its d goes without a factor; 0: none
  bool minus = false;               ///< the divisor is taken with a minus
};

/// Of 3, 5 and 9 one sine, the divisor, is left out of the second sum, which is multiplied by it
/// together with the last sum: a rounding less for each result. Of 5 and 9 that is a smaller one,
/// whose quotients round well; all is halved, so that nothing overflows that the result does not.
/// (Of larger ones that gains less than it loses where points are real.)
struct SymmetricButterfly {
  unsigned radix = 3;
  unsigned divisor = 0;       ///< the number of the sine; 0: none
  float part = 1;             ///< what is left of it in the second sum
  unsigned first_number = 1;  ///< 0 of 9, where cosines are 1, and sines the divisor's
  std::vector<long double> cosines, sines;  ///< by number; sines over divisor / part
  std::vector<SymmetricResult> results;     ///< by k, from 1 on
};
/// Of an odd prime, and of 9: 94 operations, where two times three butterflies of 3 and the
/// factors between them take 88, and a seventh less error.
[[nodiscard]] SymmetricButterfly symmetric_butterfly(unsigned radix);

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

/// True of odd primes and of 9: symmetric_butterfly(). The other radices are composite, or powers
/// of two, which templates/ has: to 32 in FP32, to 4 in FP64.
[[nodiscard]] bool is_symmetric(unsigned radix);

}  // namespace sonoma
