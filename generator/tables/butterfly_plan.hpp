// Butterflies of radices that are neither prime nor powers of two, as values: which smaller ones
// they take, in which order. Their text and the account of their errors are made of them.
#pragma once

#include <vector>

#include "sonoma/decomposition.hpp"

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
/// Fused, powers of three end with butterflies of 3, which take in the factors between both: see
/// SharedCosines.
[[nodiscard]] CompositeButterfly composite_butterfly(unsigned radix,
                                                     ButterflyForm form = ButterflyForm::plain);

/// A turn as `quarters` of one, and then cosine (1 + sign i tangent), |tangent| at most 1.
struct Shear {
  unsigned quarters = 0;
  long double cosine = 1, tangent = 0;
};
[[nodiscard]] Shear shear_of(const CompositeButterfly::Turn& turn, unsigned radix);

/// What a butterfly of 3 still multiplies by where its second and third point take their tangents
/// alone: their sum, with `ratio` times the third, by `factor`; their difference by `sine`.
struct SharedCosines {
  long double factor = 1, ratio = 1, sine = 1;
};
[[nodiscard]] SharedCosines shared_cosines(const CompositeButterfly::Part& part, unsigned radix);
/// True of parts that are such.
[[nodiscard]] bool shares_cosines(const CompositeButterfly::Part& part, ButterflyForm form);

/// True of odd primes and, but for fused ones, of 9: symmetric_butterfly(). The other radices are
/// composite, or powers of two, which templates/ has: to 32 in FP32, to 4 in FP64.
[[nodiscard]] bool is_symmetric(unsigned radix, ButterflyForm form = ButterflyForm::plain);

}  // namespace sonoma
