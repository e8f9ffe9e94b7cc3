// Random numbers that are the same on every platform (std's distributions are not).
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace sonoma::verification {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  /// [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

  /// Mean 0, variance 1 (Box and Muller, 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  double sign() { return uniform() < 0.5 ? -1.0 : 1.0; }

 private:
  std::mt19937_64 bits_;  // the standard fixes its output
};

}  // namespace sonoma::verification
