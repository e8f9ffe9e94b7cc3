// Butterflies of odd primes, and of 9, as values: which sums and products they take, in which
// order. Their text and the account of their errors are made of them.
#pragma once

#include <vector>

#include "sonoma/decomposition.hpp"

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

/// One of the two sums of a result, of a prime radix, by fewer products.
///
/// Numbers below r form a group by multiplication (C. M. Rader, 1968). An element w of order 2 (up
/// to the sign) or 3 takes j to w j, w^2 j, and k to k / w, k / w^2, so that a matrix of cosines or
/// sines of j k consists of circulant blocks of that order. They become blocks of one row and
/// column by the transform of that order (S. Winograd, 1978):
///
///   by two: with a = x_j + x_(w j) and b = x_j - x_(w j), the results k and k / w are A + B and
///            A - B, A (B) being the sum over j of a (b) times half the sum (difference) of the
///            factors of j k and w j k.
///   by three: with a = x_j + x_(w j) + x_(w w j), b = x_j - x_(w w j) and c = x_(w j) - x_(w w j),
///            the results k, k / w and k / w^2 are A + 2 B, A + 2 C and A - 2 (B + C). A is the sum
///            of a times the mean of the three factors. f being half of a factor without that
///            mean, B is the sum of b f(j k) + c f(w j k), and C that of b f(j k / w) + c f(j k).
///            (Half, so that nothing overflows that the result does not.)
///
/// Where it has neither, j are the powers of a generator w, k those of 1 / w, so that the factor of
/// j k depends on the difference of both exponents alone: a Toeplitz matrix, of whose four quarters
/// two are the same. So three are left (A. Karatsuba, Yu. Ofman, 1962):
///
///   by halves: m being half of the pairs, rounded up, with a = x_j + x_(w^m j), b = x_(w^m j) and
///              c = x_j, the results k and k / w^m are A + B and A + C. A is the sum of a times
///              the factors f(j k), B that of b (f(w^m j k) - f(j k)), C that of
///              c (f(j k / w^m) - f(j k)). The last j and k have no partner if pairs are odd.
///              (Whatever is added already, it is a sum of x times factors of at most 1: so nothing
///              overflows that the sum of their sizes does not.)
///
/// x_j is s_j for cosines, d_j for sines, j modulo r: s_(r-j) is s_j, and d_(r-j) is -d_j.
struct SplitHalf {
  Split split = Split::none;
  std::vector<std::vector<unsigned>> inputs;   ///< j, w j, ... modulo r: those of an a
  std::vector<std::vector<unsigned>> results;  ///< k, k / w, ... modulo r
  /// Factors of a, by input, or, by halves, by root; of b and c, by root: each from 1 on.
  std::vector<long double> shared, own;
  /// A, B and C, by results. `j` of a term: number of the input, from 1 on; of a c as many more as
  /// there are inputs. `root`: number of the factor in `shared`, in `own`.
  std::vector<std::vector<SymmetricTerm>> first, second, third;
};

/// True if `number` is among `groups`, the inputs or the results of a half.
[[nodiscard]] bool has_number(const std::vector<std::vector<unsigned>>& groups, unsigned number);

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
  SplitHalf even, odd;                      ///< those that are split stand in no result
};
/// Of an odd prime, and of 9: 94 operations, where two times three butterflies of 3 and the
/// factors between them take 88, and a seventh less error. Fused: every prime whose second sum is
/// not split leaves out a sine, nothing is halved, and 13 and 17 split their cosines by two.
[[nodiscard]] SymmetricButterfly symmetric_butterfly(unsigned radix,
                                                     ButterflyForm form = ButterflyForm::plain);

}  // namespace sonoma
