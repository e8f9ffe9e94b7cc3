// Transforms by MPFR, of 256 bits, from their definitions. They share no code with FFTW's, nor with
// what makes the tables of kernels.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "mpfr.hpp"
#include "sonoma/problem.hpp"

namespace sonoma::verification {

/// cos and sin of 2 pi k / n, k = 0 to n - 1, each correctly rounded.
struct MpfrRoots {
  std::vector<Number> cos, sin;
};
[[nodiscard]] MpfrRoots mpfr_roots(std::int64_t n);

/// X[k] = sum_t x[t] exp(sign 2 pi i k t / n) in place, roots being those of n. By the smallest
/// prime factor first: of a prime it is that sum.
void mpfr_dft(std::span<std::complex<long double>> row, Direction direction,
              const MpfrRoots& roots);

/// Cosine and sine transforms as docs/trigonometric.md defines them, term by term, in place; roots
/// being those of mpfr_turn().
void mpfr_real_to_real(std::span<long double> row, Domain domain, const MpfrRoots& roots);

/// Into how many angles a turn is divided: n, of cosine and sine transforms more.
[[nodiscard]] std::int64_t mpfr_turn(std::int64_t n, Domain domain);

/// Products of a transform along an axis: some microseconds for a dozen.
[[nodiscard]] std::int64_t mpfr_products(std::int64_t n, Domain domain);

}  // namespace sonoma::verification
