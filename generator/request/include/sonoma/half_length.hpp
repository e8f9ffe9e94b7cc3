// Real transforms of even length by complex ones of half the length; also those behind cosine and
// sine transforms.
//
// Real numbers x[0], ..., x[n - 1], n = 2 m, taken in pairs, are complex points z[t] = x[2t] +
// i x[2t + 1]: as they lie in memory. With w = exp(sign 2 pi i / n), r2c (sign -1):
//
//   E = (Z[k] + conj(Z[m - k])) / 2,  D = (Z[k] - conj(Z[m - k])) / 2,  T = -i w^k D,
//   X[k] = E + T,  X[m - k] = conj(E - T),  k = 0, ..., m / 2, Z[m] being Z[0];
//
// c2r (sign +1) the same way back: S = X[k] + conj(X[m - k]), D = X[k] - conj(X[m - k]),
// T = i w^k D, Z[k] = S + T, Z[m - k] = conj(S - T). (J. W. Cooley, P. A. W. Lewis, P. D. Welch,
// "The fast Fourier transform algorithm: programming considerations in the calculation of sine,
// cosine and Laplace transforms", J. Sound and Vibration 12, 1970.)
//
// A convolution of real numbers with the Hermitian spectrum S takes both ways at once. With a =
// Z[k], b = conj(Z[m - k]), P = S[k], Q = conj(S[m - k]) and w^k = c - i s:
//
//   Z'[k] = (P + Q) a + (P - Q) (i c b - s a),  conj(Z'[m - k]) = (P + Q) b + (P - Q) (s b - i c
//   a).
//
// Cosine and sine transforms of type 1 and, of even numbers, 2 go the first way from the numbers
// that are points of their DFT (see Numbers), those of type 3 the second one. What is between X[k]
// and the numbers of the other side goes into the same step: see mirrored_numbers.cuh.
#pragma once

#include <optional>

#include "sonoma/pass.hpp"

namespace sonoma {

/// The transform of the pairs, as if points followed each other on both sides: what a kernel is
/// chosen for; of several axes the last one has half the length. Nothing where there is none:
/// complex transforms, odd lengths, padding and cropping (of a convolution: to odd lengths), code
/// of the caller's for frequencies (for real numbers there may be some), and real numbers that do
/// not lie in pairs (of cosine and sine transforms they need not); of several axes also any code
/// and layout, in place, and cosine and sine transforms.
[[nodiscard]] std::optional<FftProblem> half_length(const FftProblem& problem);

/// True where the real side of `problem` has every pair of real numbers, the first of which is an
/// even one, as a complex point.
[[nodiscard]] bool lies_in_pairs(const FftProblem& problem);

/// Its pass over the memory of `problem`, which has a half_length().
[[nodiscard]] Pass half_length_pass(const FftProblem& problem);

}  // namespace sonoma
