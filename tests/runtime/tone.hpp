// Transforms whose result is known: rows of one tone each.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace sonoma::testing {

using Complex = std::complex<float>;

/// Complex numbers in host memory, 16-byte aligned.
class Rows {
 public:
  Rows(std::int64_t n, std::int64_t batch)
      : n_(n), batch_(batch), storage_(static_cast<std::size_t>((n * batch + 1) / 2)) {}

  /// exp(2 pi i frequency t / n) in every row.
  static Rows tone(std::int64_t n, std::int64_t batch, std::int64_t frequency) {
    Rows rows(n, batch);
    for (std::int64_t i = 0; i < n * batch; ++i) {
      const double turns = static_cast<double>(frequency * (i % n) % n) / static_cast<double>(n);
      rows[i] = Complex(std::polar(1.0, 2 * std::numbers::pi * turns));
    }
    return rows;
  }

  /// The transform of a tone: n at its frequency, else zero.
  void expect_line(std::int64_t frequency) {
    for (std::int64_t i = 0; i < n_ * batch_; ++i) {
      const float expected = i % n_ == frequency ? static_cast<float>(n_) : 0.0f;
      ASSERT_LT(std::abs((*this)[i] - expected), 1e-5f * static_cast<float>(n_)) << i;
    }
  }

  [[nodiscard]] Complex* data() { return storage_.data()->data(); }
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(n_ * batch_) * sizeof(Complex);
  }
  Complex& operator[](std::int64_t i) { return data()[i]; }

 private:
  struct alignas(16) Pair : std::array<Complex, 2> {};

  std::int64_t n_, batch_;
  std::vector<Pair> storage_;
};

}  // namespace sonoma::testing
