// Arithmetic packed: FP16 throughout, two points of a transform in each register.
//
// Points t = 2 s and 2 s + 1 of n, neighbours in memory, lie in the two halves of a register; its
// other instructions are those of a transform of n / 2 points, and so are its shape and its
// exchanges. Factors w_n^(k t) differ between the halves, which costs nothing. With E[k] and O[k],
// what the halves hold after the last step, k < n / 2,
//
//   X[k] = E[k] + w^k O[k],  X[k + n / 2] = E[k] - w^k O[k],  w = exp(sign 2 pi i / n):
//
// the first step of decimation in time (J. W. Cooley, J. W. Tukey, "An algorithm for the machine
// calculation of complex Fourier series", Math. Comp. 19, 1965). All of w^k but what depends on the
// digit of the last step has been in the factors between steps.
//
// In passes the first ones take neighbouring columns together, of which none has even and odd
// points: factors between passes tell them apart, w^(k (2 column)) and w^(k (2 column + 1)).
//
// Nothing is scaled but by the factor of the request, of which half (of its logarithm) comes at the
// load: results are finite where sum |x| times that is less than 65504.
#pragma once

#include <optional>
#include <string>

#include "sonoma/pass.hpp"

namespace sonoma {

/// What a request lacks for it, e.g. "storage f16 on both sides"; "": nothing.
[[nodiscard]] std::string lacks_for_packed(const FftProblem& problem);

/// The transform of n / 2 points, in FP32, whose kernel is taken. Throws UnsupportedProblem where
/// something is lacking.
[[nodiscard]] FftProblem packed_half(const FftProblem& problem);

/// A pass of that, over the memory of `problem` where it is an end of it.
[[nodiscard]] Pass packed_pass(Pass pass, const FftProblem& problem);

}  // namespace sonoma
