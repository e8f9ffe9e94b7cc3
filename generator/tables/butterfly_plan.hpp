// Butterflies of radices that are neither prime nor powers of two, as values: which smaller ones
// they take, in which order. Their text and the account of their errors are made of them.
#pragma once

#include <vector>

namespace sonoma {

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
