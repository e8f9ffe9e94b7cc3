// Named inputs: random ones, and those that aim at one weak point of a split, scaled FFT each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sonoma/verify/reference.hpp"

namespace sonoma::verification {

/// What is asked of the output of one input. Limits are those of Limits (metrics.hpp).
enum class Gauge {
  statistical,  ///< finite; e2, einf and max|e|/|x|_1 within their limits
  structured,   ///< finite; as statistical, where FP16 products may err one way in every step
  adversarial,  ///< finite; max|e|/|x|_1 within its limit (cancellation may ruin e2 of any FFT)
  constant,     ///< x = c, n and c powers of two: X[0] = n c s, rounded, all others exactly zero
  exact,        ///< every output is the exact result, rounded once
  zero,         ///< every output is zero, of either sign
  poisoned,     ///< some component of x is NaN or infinite: so is one of every output
  unbounded     ///< sum|x| > FLT_MAX: anything, but the neighbours in the batch must not notice
};
[[nodiscard]] const char* to_string(Gauge gauge);

struct InputCase {
  std::string name;  ///< e.g. "spike over 1e-6"
  std::string hits;  ///< the mistake that it is meant to expose
  Gauge gauge;
  std::vector<Complex> x;  ///< one transform; the storage that was asked for holds it
};

/// `count` transforms of independent normal components (0, unit), rounded to the storage. Equal
/// arguments give equal numbers on every platform.
[[nodiscard]] std::vector<InputCase> random_inputs(std::int64_t n, int count, std::uint64_t seed,
                                                   Storage storage = Storage::f32,
                                                   float unit = 1.0f);

/// The adversarial table for a storage; n >= 1. `bits`: precision of what the arithmetic keeps of
/// data, 11 for `half`.
[[nodiscard]] std::vector<InputCase> adversarial_inputs(std::int64_t n, std::uint64_t seed,
                                                        Storage storage = Storage::f32,
                                                        int bits = 24);

/// n values with independent normal components.
[[nodiscard]] std::vector<Complex> normal_row(std::int64_t n, std::uint64_t seed);

/// The rows of the cases, one after the other.
[[nodiscard]] std::vector<Complex> concatenate(const std::vector<InputCase>& cases);

}  // namespace sonoma::verification
