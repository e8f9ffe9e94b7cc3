// The error that is accepted of a transform.
#pragma once

#include "sonoma/problem.hpp"
#include "sonoma/roundings.hpp"

namespace sonoma {

/// The largest |y - X|_2 / |X|_2 of a transform that is accepted, on input whose roundings are
/// independent of each other: the contract that every kernel is tested against (constants: 1.5
/// times the root mean square that this model predicts). generate() also proves a bound for every
/// input, which is much larger.
///
/// An FP32 transform: 1.5 u sqrt(log2 n), u = 2^-24 (G. U. Ramos, "Roundoff error analysis of the
/// fast Fourier transform", Math. Comp. 25, 1971). Rounding to a format of unit roundoff v leaves a
/// relative error of 0.41 v in the root mean square, and of v at most; below 64 points, or where
/// fewer are read or stored, single transforms come close to that, so that v counts there. An
/// arithmetic `half` rounds data and matrix in every step (v = 2^-11), there and, of a convolution,
/// back; 16-bit storage rounds the result (2^-11, bf16: 2^-8).
///
/// The arithmetic packed: the same with FP16's v in place of u; the result is rounded with it.
///
/// The arithmetic simt64 rounds once in each step, which then is one level.
///
/// Points between passes as c12e8: both parts are off by up to q / 2, on average by q / sqrt(12),
/// the larger one being 2^10 q to 2^11 q. Over complex normal numbers that is 0.55 v in the root
/// mean square, v = 2^-11, at each boundary; at most it is sqrt(2) v.
///
/// Bluestein's algorithm: 1.5 u sqrt(2 log2 m + 3). A level of an FFT is a product and a sum; what
/// it adds to the square of the error is u^2. Here are the levels of two transforms of m points and
/// three products. Each of these errors is spread evenly over frequencies or over points, and so is
/// weighted by the mean of |B|^2 / m, B the spectrum of 2n - 1 numbers of modulus 1: (2n - 1) / m,
/// which is at most 1.
///
/// Rader's algorithm: 1.5 u sqrt(2 log2 m + 1), m = n - 1: the levels of two transforms and one
/// product, by numbers of modulus sqrt(n).
///
/// Each product of a cosine or sine transform with a factor of its own is one level more.
///
/// A convolution with a filter of the caller's: 1.5 u sqrt(2 log2 n + 1), where signal and filter
/// are spread evenly over frequencies. In general an error of a frequency grows with the filter's
/// spectrum S there, so that the error is at most that share of rms |S| |x|_2 n scale, which
/// exceeds |y|_2 where the filter takes most of the signal away.
[[nodiscard]] double error_limit(const FftProblem& problem, const Roundings& roundings);
/// Levels of sums and products: the squares of errors of one u each.
[[nodiscard]] double levels_of(const FftProblem& problem, const Roundings& roundings);
/// The same of what the result is before it is rounded to its storage.
[[nodiscard]] double error_limit_unrounded(const FftProblem& problem, const Roundings& roundings);

}  // namespace sonoma
